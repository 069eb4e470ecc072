// Events and deliveries in words.
import type { Schemas } from '../api/client';

export const eventTypes: [Schemas['EventType'], string][] = [
  ['chunk.completed', 'a chunk has audio'],
  ['chunk.failed', 'a chunk could not be spoken'],
  ['material.ready', 'a material was read and can be converted'],
  ['material.completed', 'every chunk of a material has audio'],
  ['material.failed', 'a material could not be read, or chunks failed'],
  ['credits.low', 'the credits fell below your threshold'],
];

export const reasons: Record<Schemas['WebhookDisabledReason'], [string, string]> = {
  gone: ['disabled: gone', 'It answered 410, which means that it is gone for good.'],
  failing: ['disabled: failing', 'For five days nothing but failures came back.'],
};

export const deliveryWords: Record<Schemas['DeliveryStatus'], [string, string]> = {
  pending: ['waits', 'warn'],
  in_flight: ['on its way', 'warn'],
  succeeded: ['delivered', 'good'],
  failed: ['failed', 'bad'],
};
