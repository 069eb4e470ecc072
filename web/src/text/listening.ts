// The player in words.
import type { Schemas } from '../api/types';
import { duration } from './format';

/** Speeds as people name them: `1.5×`. */
export const speedName = (speed: number): string => `${new Intl.NumberFormat('en', { maximumFractionDigits: 2 }).format(speed)}×`;

/** `3:12 of 14:05`, for screen readers. */
export const placeText = (ms: number, totalMs: number): string => `${duration(ms)} of ${duration(totalMs)}`;

/** `2 h 5 min left`: what a listener wants to know of a book. */
export function timeLeft(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return 'Less than a minute left';
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `${[hours ? `${hours} h` : '', rest ? `${rest} min` : ''].filter(Boolean).join(' ')} left`;
}

/** Why nothing is heard while the player waits for a part. */
export function waitingText(status: Schemas['ChunkStatus'] | undefined): string {
  if (status === 'pending') return 'The next part has not been converted yet.';
  if (status === 'failed') return 'The next part could not be converted. Convert it again, or go on with another chapter.';
  return 'The next part is being prepared. It plays as soon as it is ready.';
}

export const SLEEP_MINUTES = [5, 10, 15, 30, 45, 60];
