// A book behind a share link, as the player takes it. Nobody is signed in, so the place is kept in this browser.
import type { Place } from '../api/places';
import { openShare, type SharedBook } from '../api/shares';
import type { BookParts, BookSource } from './booksource';

/** The first part of a token names the link; the rest is its secret. */
const NAME_LENGTH = 21;
/** Addresses are renewed a little before they end. */
const EARLY_MS = 60_000;

/** The parts that have audio. In the list each stands at its index; those that are not shared are holes that no chapter has. */
export function sharedParts(token: string, book: SharedBook): BookParts {
  const chunks: BookParts['chunks'] = [];
  for (const { chunk_index, duration_ms } of book.chapters.flatMap(({ parts }) => parts)) {
    while (chunks.length < chunk_index) chunks.push({ index: chunks.length, duration_ms: null, characters: 0, status: 'pending' });
    chunks[chunk_index] = { index: chunk_index, duration_ms, characters: 0, status: 'completed' };
  }
  return {
    material: { id: token.slice(0, NAME_LENGTH), title: book.title, author: book.author ?? null, has_cover: Boolean(book.cover_url) },
    chunks,
    chapters: book.chapters.map(({ title, parts }, at) => ({ index: at, title: title ?? null, role: 'body' as const, included: true, chunk_indexes: parts.map(({ chunk_index }) => chunk_index) })),
  };
}

/** Where the player has the book from. It opens the link again when its addresses have ended. */
export function sharedSource(token: string, password: string, opened: SharedBook): BookSource {
  let book = opened;
  const urlOf = (index: number): string => book.chapters.flatMap(({ parts }) => parts).find(({ chunk_index }) => chunk_index === index)?.audio_url ?? '';
  const reopen = async (): Promise<SharedBook> => (book = await openShare(token, password));
  /** An address that is asked for again did not work. */
  const given = new Set<string>();
  const key = `lectern.listen.${token.slice(0, NAME_LENGTH)}`;
  return {
    coverUrl: () => book.cover_url ?? null,
    fetchBook: async () => sharedParts(token, await reopen()),
    fetchAudio: async (index) => {
      if (given.has(urlOf(index)) || Date.parse(book.urls_expire_at) - Date.now() < EARLY_MS) await reopen();
      const url = urlOf(index);
      given.add(url);
      return url;
    },
    fetchPlace: async () => {
      try {
        return JSON.parse(localStorage.getItem(key) ?? 'null') as Place | null;
      } catch {
        return null;
      }
    },
    savePlace: (place) => {
      const updated_at = new Date().toISOString();
      try {
        localStorage.setItem(key, JSON.stringify({ ...place, updated_at }));
      } catch {
        // Without storage the place lasts as long as the page.
      }
      return updated_at;
    },
  };
}

