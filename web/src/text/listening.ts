// The player in words.
import type { Schemas } from '../api/types';
import { currentLocale } from '../i18n/language.svelte';
import * as m from '../i18n/messages/player';
import { duration, hoursAndMinutes } from './format';

/** Speeds as people name them: `1.5×`. */
export const speedName = (speed: number): string => `${new Intl.NumberFormat(currentLocale(), { maximumFractionDigits: 2 }).format(speed)}×`;

/** `3:12 of 14:05`, for screen readers. */
export const placeText = (ms: number, totalMs: number): string => m.placeOf({ place: duration(ms), total: duration(totalMs) });

/** `2 h 5 min left`: what a listener wants to know of a book. */
export function timeLeft(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 1 ? m.leftLess() : m.left({ duration: hoursAndMinutes(minutes) });
}

/** Why nothing is heard while the player waits for a part. */
export function waitingText(status: Schemas['ChunkStatus'] | undefined): string {
  if (status === 'pending') return m.nextPending();
  return status === 'failed' ? m.nextFailed() : m.nextPreparing();
}

export const SLEEP_MINUTES = [5, 10, 15, 30, 45, 60];
