// Which books of a library are shown, and in which order.
import type { LibraryQuery } from '../api/library';
import type { Place } from '../api/places';
import type { Schemas } from '../api/types';
import { currentLocale } from '../i18n/language.svelte';
import * as m from '../i18n/messages/library';

type Book = Schemas['Material'];
export type Sort = NonNullable<LibraryQuery['sort']>;
/** What is downloaded, this browser alone knows. */
export type Show = NonNullable<LibraryQuery['show']> | 'downloaded';

export const sortNames: Record<Sort, () => string> = { newest: m.newest, listened: m.lastListened, title: m.title, author: m.author, series: m.series };
export const showNames: Record<Show, () => string> = { all: m.all, begun: m.begun, unheard: m.unheard, finished: m.finished, unconverted: m.unconverted, downloaded: m.downloaded };

/** Accents and case do not matter in a search. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

export function findBooks(books: Book[], search: string): Book[] {
  const words = plain(search).split(/\s+/).filter(Boolean);
  return books.filter(({ title, author, series }) => {
    const text = plain([title, author, series].filter(Boolean).join(' '));
    return words.every((word) => text.includes(word));
  });
}

export function filterBooks(books: Book[], places: Map<string, Place>, show: Show, downloaded: Set<string> = new Set()): Book[] {
  const tests: Record<Show, (book: Book, place: Place | undefined) => boolean> = {
    all: () => true,
    begun: (_, place) => Boolean(place && !place.finished && place.progress > 0),
    unheard: (_, place) => !place || (!place.finished && place.progress === 0),
    finished: (_, place) => place?.finished === true,
    unconverted: ({ status }) => status !== 'completed',
    downloaded: ({ id }) => downloaded.has(id),
  };
  return books.filter((book) => tests[show](book, places.get(book.id)));
}

/** Books without an author or a series come last. The service's order, newest first, decides between equals. */
export function sortBooks(books: Book[], places: Map<string, Place>, sort: Sort): Book[] {
  if (sort === 'newest') return books;
  const collator = new Intl.Collator(currentLocale(), { numeric: true, sensitivity: 'base' });
  const compare = (a: string, b: string): number => (a && b ? collator.compare(a, b) : Number(!a) - Number(!b));
  const orders: Record<Exclude<Sort, 'newest'>, (a: Book, b: Book) => number> = {
    listened: (a, b) => (places.get(b.id)?.updated_at ?? '').localeCompare(places.get(a.id)?.updated_at ?? ''),
    title: (a, b) => compare(a.title, b.title),
    author: (a, b) => compare(a.author ?? '', b.author ?? '') || compare(a.title, b.title),
    series: (a, b) => compare(a.series ?? '', b.series ?? '') || (a.series_index ?? 0) - (b.series_index ?? 0),
  };
  return [...books].sort(orders[sort]);
}

/** Sorted books, those of each series together; the ones of no series come last, with null. */
export function groupBySeries<T extends { material: Book }>(books: T[]): { series: string | null; books: T[] }[] {
  const groups = new Map<string | null, T[]>();
  for (const book of books) {
    const series = book.material.series || null;
    groups.set(series, [...(groups.get(series) ?? []), book]);
  }
  return [...groups].map(([series, list]) => ({ series, books: list }));
}
