// Events, endpoints and deliveries in words.
import type { Schemas } from '../api/types';

export const eventTypes: [Schemas['EventType'], string][] = [
  ['chunk.completed', 'a part was converted'],
  ['chunk.failed', 'a part could not be converted'],
  ['material.ready', 'a book is ready to convert'],
  ['material.completed', 'all parts of a book were converted'],
  ['material.failed', 'a book could not be read, or some of its parts failed'],
  ['credits.low', 'available credits fell below your threshold'],
];

export const disabledReasons: Record<Schemas['WebhookDisabledReason'], { label: string; explanation: string }> = {
  gone: { label: 'disabled: gone', explanation: 'It was disabled because it answered 410 Gone.' },
  failing: { label: 'disabled: failing', explanation: 'It was disabled because every delivery failed for five days.' },
};

/** Each label comes with the color of its badge. */
export const deliveryLabels: Record<Schemas['DeliveryStatus'], [text: string, color: string]> = {
  pending: ['pending', 'warn'],
  in_flight: ['sending', 'warn'],
  succeeded: ['delivered', 'good'],
  failed: ['failed', 'bad'],
};

export const isPending = (delivery: Schemas['Delivery']): boolean => delivery.status === 'pending' || delivery.status === 'in_flight';
