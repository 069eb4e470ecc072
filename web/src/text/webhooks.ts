// Events, endpoints and deliveries in words.
import type { Schemas } from '../api/types';
import * as m from '../i18n/messages/webhooks';

export const eventTypes: [Schemas['EventType'], explanation: () => string][] = [
  ['chunk.completed', m.chunkCompleted],
  ['chunk.failed', m.chunkFailed],
  ['material.ready', m.materialReady],
  ['material.completed', m.materialCompleted],
  ['material.failed', m.materialFailed],
  ['credits.low', m.creditsLow],
];

export const disabledReasons: Record<Schemas['WebhookDisabledReason'], { label: () => string; explanation: () => string }> = {
  gone: { label: m.disabledGone, explanation: m.goneText },
  failing: { label: m.disabledFailing, explanation: m.failingText },
};

export const endpointLabel = (status: Schemas['Webhook']['status']): string => (status === 'active' ? m.active() : m.disabled());

/** Each label comes with the color of its badge. */
export const deliveryLabels: Record<Schemas['DeliveryStatus'], [text: () => string, color: string]> = {
  pending: [m.pending, 'warn'],
  in_flight: [m.sending, 'warn'],
  succeeded: [m.delivered, 'good'],
  failed: [m.failed, 'bad'],
};

export const isPending = (delivery: Schemas['Delivery']): boolean => delivery.status === 'pending' || delivery.status === 'in_flight';
