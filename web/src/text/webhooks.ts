// Events, endpoints and deliveries in words.
import { ApiError } from '../api/error';
import type { Schemas } from '../api/types';
import * as m from '../i18n/messages/webhooks';
import { errorMessage } from './errors';
import { fieldErrorOf } from './fields';

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
const deliveryLabels: Record<Schemas['DeliveryStatus'], [text: () => string, color: string]> = {
  pending: [m.pending, 'warn'],
  in_flight: [m.sending, 'warn'],
  succeeded: [m.delivered, 'good'],
  failed: [m.failed, 'bad'],
};

/** A delivery that is tried again has not failed yet. */
export const deliveryLabel = ({ status, next_attempt_at }: Schemas['Delivery']): [text: () => string, color: string] =>
  status === 'failed' && next_attempt_at ? [m.waiting, 'warn'] : deliveryLabels[status];

export const deliveryFilters: [Schemas['DeliveryStatus'], label: () => string][] = [
  ['pending', m.pending],
  ['in_flight', m.sending],
  ['succeeded', m.delivered],
  ['failed', m.failedOrWaiting],
];

const SOON_MS = 30_000;
/** Whether a delivery is about to change. */
export const isDue = (delivery: Schemas['Delivery']): boolean =>
  isPending(delivery) || (delivery.next_attempt_at != null && Date.parse(delivery.next_attempt_at) < Date.now() + SOON_MS);

const URL_CODES = ['url_must_be_https', 'url_host_not_allowed'];
const EVENT_CODES = ['events_required', 'invalid_event_type'];
/** Names that exist nowhere (RFC 6761), however the service refuses them. */
const isNowhere = (problem: string): boolean => problem === 'has a host without an address';

function hostOf(url: string): string {
  try {
    return new URL(url).hostname;
  } catch {
    return '';
  }
}

/** What is wrong with an endpoint's URL, as rich text; null if nothing is. */
export function urlError(error: unknown, url = ''): string | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'url_host_not_allowed') return /\.(invalid|test|example)$/i.test(hostOf(url)) ? m.hostUnknown() : m.hostInternal();
  if (URL_CODES.includes(error.code)) return errorMessage(error);
  const problem = fieldErrorOf(error, 'url');
  return problem && isNowhere(problem) ? m.hostUnknown() : problem;
}

/** What is wrong with the events; null if nothing is. */
export function eventsError(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'events_required') return m.pickEvent();
  return EVENT_CODES.includes(error.code) ? errorMessage(error) : fieldErrorOf(error, 'events');
}

export const isAtWebhookField = (error: unknown): boolean => (urlError(error) ?? eventsError(error) ?? fieldErrorOf(error, 'description')) !== null;

export const isPending = (delivery: Schemas['Delivery']): boolean => delivery.status === 'pending' || delivery.status === 'in_flight';
