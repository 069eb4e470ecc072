// Events and deliveries in words.
import type { Schemas } from '../api/client';

export const eventTypes: [Schemas['EventType'], string][] = [
  ['chunk.completed', 'a chunk was converted'],
  ['chunk.failed', 'a chunk could not be converted'],
  ['material.ready', 'a material is ready to convert'],
  ['material.completed', 'all chunks of a material were converted'],
  ['material.failed', 'a material could not be read, or some of its chunks failed'],
  ['credits.low', 'available credits fell below your threshold'],
];

export const reasons: Record<Schemas['WebhookDisabledReason'], [string, string]> = {
  gone: ['disabled: gone', 'It was disabled because it answered 410 Gone.'],
  failing: ['disabled: failing', 'It was disabled because every delivery failed for five days.'],
};

export const deliveryWords: Record<Schemas['DeliveryStatus'], [string, string]> = {
  pending: ['pending', 'warn'],
  in_flight: ['sending', 'warn'],
  succeeded: ['delivered', 'good'],
  failed: ['failed', 'bad'],
};
