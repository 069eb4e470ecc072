// The bookmarks of each book, which are kept as the places are.
import { api, environmentQuery } from './client';
import { newIdempotencyKey } from './idempotency';
import { ask, type Bookmark, change, isMissing, isRefused, type KeptBookmark, load, now, storageKey } from './places';

const inOrder = (key: string, id: string): Bookmark[] =>
  (load(key).bookmarks[id] ?? []).filter(({ isRemoved }) => !isRemoved).sort((a, b) => a.chunk_index - b.chunk_index || a.position_ms - b.position_ms);

const editBookmarks = (key: string, id: string, edit: (list: KeptBookmark[]) => KeptBookmark[]): void =>
  change(key, ({ bookmarks }) => (bookmarks[id] = edit(bookmarks[id] ?? [])));

/** One at a time, so that none is sent twice. */
let sending: Promise<unknown> = Promise.resolve();
export function sendBookmarks(key: string, id: string): Promise<void> {
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
