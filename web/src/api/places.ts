// Where a listener is in each book, and the bookmarks. The service has no routes for this yet, so this browser keeps them, apart for each
// account and environment. Callers see only promises: with routes, only this file changes.
import { environment } from './environment.svelte';
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

type Stored = { places: Record<string, Place>; bookmarks: Record<string, Bookmark[]> };

const storageKey = (): string => `lectern.places.${session.me?.account.id} ${environment.current}`;
/** Stands in for a storage that the browser refuses. */
const memory = new Map<string, string>();

function load(): Stored {
  let text: string | null | undefined;
  try {
    text = localStorage.getItem(storageKey());
  } catch {
    text = memory.get(storageKey());
  }
  try {
    return { places: {}, bookmarks: {}, ...(JSON.parse(text ?? '{}') as Partial<Stored>) };
  } catch {
    return { places: {}, bookmarks: {} };
  }
}
function save(stored: Stored): void {
  const text = JSON.stringify(stored);
  try {
    localStorage.setItem(storageKey(), text);
  } catch {
    memory.set(storageKey(), text);
  }
}

/** All places, the newest first. */
export async function fetchPlaces(): Promise<Place[]> {
  return Object.values(load().places).sort((a, b) => b.updated_at.localeCompare(a.updated_at));
}

export async function fetchPlace(id: string): Promise<Place | null> {
  return load().places[id] ?? null;
}

/** Not a promise: it must also succeed while the page is being closed. */
export function savePlace(id: string, place: Omit<Place, 'material_id' | 'updated_at'>): void {
  const stored = load();
  stored.places[id] = { ...place, material_id: id, updated_at: new Date().toISOString() };
  save(stored);
}

/** Forgets the place and the bookmarks of a book that is deleted. */
export function forgetPlace(id: string): void {
  const stored = load();
  delete stored.places[id];
  delete stored.bookmarks[id];
  save(stored);
}

/** The bookmarks of a book, in its order. */
export async function fetchBookmarks(id: string): Promise<Bookmark[]> {
  return (load().bookmarks[id] ?? []).sort((a, b) => a.chunk_index - b.chunk_index || a.position_ms - b.position_ms);
}

export async function addBookmark(id: string, at: Pick<Bookmark, 'chunk_index' | 'position_ms' | 'note'>): Promise<Bookmark> {
  const stored = load();
  const bookmark = { ...at, id: `bmk_${crypto.randomUUID().replaceAll('-', '')}`, material_id: id, created_at: new Date().toISOString() };
  stored.bookmarks[id] = [...(stored.bookmarks[id] ?? []), bookmark];
  save(stored);
  return bookmark;
}

export async function removeBookmark(id: string, bookmarkId: string): Promise<void> {
  const stored = load();
  stored.bookmarks[id] = (stored.bookmarks[id] ?? []).filter((bookmark) => bookmark.id !== bookmarkId);
  save(stored);
}
