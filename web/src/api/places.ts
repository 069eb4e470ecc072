// Where a listener is in each book, and the bookmarks. The service keeps them, for every device of the account. This browser keeps a copy: while
// there is no connection it is what counts, and what was changed meanwhile is sent later.
import { api, environmentQuery, unwrap } from './client';
import { environment } from './environment.svelte';
import { ApiError } from './error';
import { newIdempotencyKey } from './idempotency';
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
type KeptBookmark = Bookmark & { isSent?: boolean; isRemoved?: boolean };
type Kept = { places: Record<string, KeptPlace>; bookmarks: Record<string, KeptBookmark[]> };

/** How long a place may take to come. Then the copy is used: a bad connection does not delay the sound. */
const PATIENCE_MS = 2500;

const storageKey = (): string => `lectern.places.${session.me?.account.id} ${environment.current}`;
/** Stands in for a storage that the browser refuses, or that is full. */
const memory = new Map<string, string>();

function load(key = storageKey()): Kept {
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
function change(key: string, edit: (kept: Kept) => void): void {
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
const now = (): string => new Date(Date.now() + aheadMs).toISOString();
/** The header counts in seconds. */
const CLOCK_STEP_MS = 2000;

async function ask<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  return unwrap(
    call.then((result) => {
      const ahead = Date.parse(result.response.headers.get('date') ?? '') - Date.now();
      if (Math.abs(ahead - aheadMs) > CLOCK_STEP_MS) aheadMs = ahead;
      return result;
    }),
  );
}
/** What would be refused again. Without a session, too often and the like are no such reasons. */
const isRefused = (error: unknown): boolean => error instanceof ApiError && [400, 404, 409, 410, 422].includes(error.status);
const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

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
  for (const [id, list] of Object.entries(bookmarks)) if (list.some((one) => !one.isSent || one.isRemoved)) await sendBookmarks(key, id);
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

const inOrder = (key: string, id: string): Bookmark[] =>
  (load(key).bookmarks[id] ?? []).filter(({ isRemoved }) => !isRemoved).sort((a, b) => a.chunk_index - b.chunk_index || a.position_ms - b.position_ms);

const editBookmarks = (key: string, id: string, edit: (list: KeptBookmark[]) => KeptBookmark[]): void =>
  change(key, ({ bookmarks }) => (bookmarks[id] = edit(bookmarks[id] ?? [])));

/** One at a time, so that none is sent twice. */
let sending: Promise<unknown> = Promise.resolve();
function sendBookmarks(key: string, id: string): Promise<void> {
  const result = sending.then(async () => {
    for (const bookmark of load(key).bookmarks[id] ?? []) if (key === storageKey()) await sendBookmark(key, bookmark);
  });
  sending = result.catch(() => undefined);
  return result;
}

async function sendBookmark(key: string, { id: bookmark_id, material_id: id, chunk_index, position_ms, note, isSent, isRemoved }: KeptBookmark): Promise<void> {
  const drop = (): void => editBookmarks(key, id, (list) => list.filter((one) => one.id !== bookmark_id));
  const params = { path: { id, bookmark_id }, ...environmentQuery() };
  try {
    if (isRemoved) {
      if (isSent) await ask(api.DELETE('/v1/bff/materials/{id}/bookmarks/{bookmark_id}', { params }));
      drop();
    } else if (!isSent) {
      // Sent twice it is still one bookmark, because the service knows its place.
      const made = await ask(api.POST('/v1/bff/materials/{id}/bookmarks', { params: { path: { id }, ...environmentQuery() }, body: { chunk_index, position_ms, note } }));
      editBookmarks(key, id, (list) => list.map((one) => (one.id === bookmark_id ? { ...made, isSent: true, ...(one.isRemoved ? { isRemoved: true } : {}) } : one)));
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
    drop();
  }
}

/** The bookmarks of a book, in its order. */
export async function fetchBookmarks(id: string): Promise<Bookmark[]> {
  const key = storageKey();
  try {
    await sendBookmarks(key, id);
    const { data } = await ask(api.GET('/v1/bff/materials/{id}/bookmarks', { params: { path: { id }, ...environmentQuery() } }));
    editBookmarks(key, id, (list) => [...data.map((bookmark) => ({ ...bookmark, isSent: true })), ...list.filter((one) => !one.isSent)]);
  } catch {
    // The copy is what there is.
  }
  return inOrder(key, id);
}

export async function addBookmark(id: string, at: Pick<Bookmark, 'chunk_index' | 'position_ms' | 'note'>): Promise<void> {
  const key = storageKey();
  const bookmark = { ...at, id: `bmk_${newIdempotencyKey()}`, material_id: id, created_at: now() };
  editBookmarks(key, id, (list) => [...list, bookmark]);
  await sendBookmarks(key, id).catch((error: unknown) => {
    if (!isRefused(error)) return;
    // For example because there are too many.
    editBookmarks(key, id, (list) => list.filter((one) => one.id !== bookmark.id));
    throw error;
  });
}

/** Changes the note of a bookmark. Needs a connection. */
export async function noteBookmark(id: string, bookmark_id: string, note: string): Promise<void> {
  const key = storageKey();
  const changed = await ask(api.PATCH('/v1/bff/materials/{id}/bookmarks/{bookmark_id}', { params: { path: { id, bookmark_id }, ...environmentQuery() }, body: { note } }));
  editBookmarks(key, id, (list) => list.map((one) => (one.id === bookmark_id ? { ...changed, isSent: true } : one)));
}

export async function removeBookmark(id: string, bookmarkId: string): Promise<void> {
  const key = storageKey();
  editBookmarks(key, id, (list) => list.map((one) => (one.id === bookmarkId ? { ...one, isRemoved: true } : one)));
  await sendBookmarks(key, id).catch(() => undefined);
}
