// Where a listener is in each book. The service keeps it, as it keeps the bookmarks (bookmarks.ts), for every device of the account. This browser
// keeps a copy of both: while there is no connection it is what counts, and what was changed meanwhile is sent later.
import { api, environmentQuery, unwrap } from './client';
import { isEarly } from './early';
import { environment } from './environment.svelte';
import { ApiError } from './error';
import { session } from './session.svelte';

export type Place = {
  material_id: string;
  /** The part, and how far into it. */
  chunk_index: number;
  position_ms: number;
  /** How much of the book lies before it, from 0 to 1. */
  progress: number;
  finished: boolean;
  updated_at: string;
};
export type Bookmark = { id: string; material_id: string; chunk_index: number; position_ms: number; note: string; created_at: string };

/** `isSent`: whether the service has it. What this browser kept before the service had places has no such mark, and is sent as well. */
type KeptPlace = Place & { isSent?: boolean };
export type KeptBookmark = Bookmark & { isSent?: boolean; isRemoved?: boolean };
type Kept = { places: Record<string, KeptPlace>; bookmarks: Record<string, KeptBookmark[]> };

/** How long a place may take to come. Then the copy is used: a bad connection does not delay the sound. */
const PATIENCE_MS = 2500;

export const storageKey = (): string => `lectern.places.${session.me?.account.id} ${environment.current}`;
/** Stands in for a storage that the browser refuses, or that is full. */
const memory = new Map<string, string>();

export function load(key = storageKey()): Kept {
  let text = memory.get(key) ?? null;
  try {
    text ??= localStorage.getItem(key);
  } catch {
    // Refused.
  }
  try {
    return { places: {}, bookmarks: {}, ...(JSON.parse(text ?? '{}') as Partial<Kept>) };
  } catch {
    return { places: {}, bookmarks: {} };
  }
}
export function change(key: string, edit: (kept: Kept) => void): void {
  const kept = load(key);
  edit(kept);
  const text = JSON.stringify(kept);
  try {
    localStorage.setItem(key, text);
    memory.delete(key);
  } catch {
    memory.set(key, text);
  }
}

/** How far the service's clock is ahead of this device's. The newest place wins, so a wrong clock must not decide. */
let aheadMs = 0;
export const now = (): string => new Date(Date.now() + aheadMs).toISOString();
/** The header counts in seconds. */
const CLOCK_STEP_MS = 2000;

export async function ask<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  return unwrap(
    call.then((result) => {
      const ahead = Date.parse(result.response.headers.get('date') ?? '') - Date.now();
      // An early answer says what time it was when the page began to load.
      if (!isEarly(result.response) && Math.abs(ahead - aheadMs) > CLOCK_STEP_MS) aheadMs = ahead;
      return result;
    }),
  );
}
/** What would be refused again. Without a session, too often and the like are no such reasons. */
export const isRefused = (error: unknown): boolean => error instanceof ApiError && [400, 404, 409, 410, 422].includes(error.status);
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Takes places of the service, unless newer ones wait to be sent. */
function take(key: string, found: Place[]): void {
  change(key, ({ places }) => {
    for (const place of found) {
      const mine = places[place.material_id];
      if (!mine || mine.isSent || Date.parse(mine.updated_at) <= Date.parse(place.updated_at)) places[place.material_id] = { ...place, isSent: true };
    }
  });
}

async function sendPlace(key: string, id: string): Promise<void> {
  const place = load(key).places[id];
  if (!place || place.isSent || key !== storageKey()) return;
  const { chunk_index, position_ms, progress, finished, updated_at } = place;
  const body = { chunk_index, position_ms, progress, finished, updated_at };
  try {
    // The request goes on while the page is being closed.
    take(key, [await ask(api.PUT('/v1/bff/materials/{id}/place', { params: { path: { id }, ...environmentQuery() }, body, keepalive: true }))]);
  } catch (error) {
    // The book was deleted, or has fewer parts now.
    if (isRefused(error)) change(key, ({ places }) => void (places[id]?.updated_at === updated_at && delete places[id]));
  }
}

/** Sends what was changed without a connection. */
async function sendAll(): Promise<void> {
  const key = storageKey();
  if (!session.me) return;
  const { places, bookmarks } = load(key);
  for (const { material_id, isSent } of Object.values(places)) if (!isSent) await sendPlace(key, material_id);
  const waiting = Object.entries(bookmarks).filter(([, list]) => list.some((one) => !one.isSent || one.isRemoved));
  // Pages that show no bookmarks load this only when some wait.
  if (waiting.length) await import('./bookmarks').then(async ({ sendBookmarks }) => {
    for (const [id] of waiting) await sendBookmarks(key, id);
  });
}
globalThis.addEventListener?.('online', () => void sendAll());

const newestFirst = (key: string): Place[] => Object.values(load(key).places).sort((a, b) => b.updated_at.localeCompare(a.updated_at));

/** The newest places, at most 1,000. */
export async function fetchPlaces(): Promise<Place[]> {
  const key = storageKey();
  try {
    await sendAll();
    const { data } = await ask(api.GET('/v1/bff/places', { params: environmentQuery() }));
    take(key, data);
    const found = new Set(data.map(({ material_id }) => material_id));
    // The others belong to books that were deleted elsewhere, or are so old that they are not listed.
    change(key, ({ places }) => {
      for (const [id, { isSent }] of Object.entries(places)) if (isSent && !found.has(id)) delete places[id];
    });
  } catch {
    // The copy is what there is.
  }
  return newestFirst(key);
}

export async function fetchPlace(id: string): Promise<Place | null> {
  const key = storageKey();
  try {
    await sendPlace(key, id);
    const params = { path: { id }, ...environmentQuery() };
    take(key, [await ask(api.GET('/v1/bff/materials/{id}/place', { params, signal: AbortSignal.timeout(PATIENCE_MS) }))]);
  } catch (error) {
    if (isMissing(error)) change(key, ({ places }) => void (places[id]?.isSent && delete places[id]));
  }
  return load(key).places[id] ?? null;
}

/** Not a promise: it must also succeed while the page is being closed. Returns the time of the place. */
export function savePlace(id: string, place: Omit<Place, 'material_id' | 'updated_at'>): string {
  const key = storageKey();
  const updated_at = now();
  change(key, ({ places }) => (places[id] = { ...place, material_id: id, updated_at }));
  void sendPlace(key, id);
  return updated_at;
}

/** Forgets the place and the bookmarks of a book that is deleted. */
export function forgetPlace(id: string): void {
  change(storageKey(), ({ places, bookmarks }) => {
    delete places[id];
    delete bookmarks[id];
  });
}
