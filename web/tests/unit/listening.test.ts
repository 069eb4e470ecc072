// The line of time of a book, the order of a library, places that are kept, and pages that moved.
import './browser';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addBookmark, fetchBookmarks } from '../../src/api/bookmarks';
import { fetchPlace, fetchPlaces, forgetPlace, savePlace } from '../../src/api/places';
import { environment } from '../../src/api/environment.svelte';
import type { Schemas } from '../../src/api/types';
import { newPath, safeNext } from '../../src/state/router.svelte';
import { filterBooks, findBooks, sortBooks } from '../../src/text/library';
import { timeLeft } from '../../src/text/listening';
import { Timeline } from '../../src/text/timeline';

// Three parts with audio, one of the second chapter left out, and one that is not converted yet.
const parts = [
  { index: 0, characters: 100, duration_ms: 6000 },
  { index: 1, characters: 200, duration_ms: 12_000 },
  { index: 3, characters: 50, duration_ms: 3000 },
  { index: 4, characters: 150, duration_ms: null },
];

test('a part without audio counts with the pace of the others', () => {
  assert.equal(new Timeline(parts).totalMs, 30_000);
  assert.equal(new Timeline(parts.map((part) => ({ ...part, duration_ms: part.duration_ms && part.duration_ms / 2 }))).totalMs, 15_000);
});

test('every time of a book is a spot in a part, and back', () => {
  const timeline = new Timeline(parts);
  assert.deepEqual(timeline.spotAt(-5), { index: 0, positionMs: 0 });
  assert.deepEqual(timeline.spotAt(6000), { index: 1, positionMs: 0 });
  assert.deepEqual(timeline.spotAt(18_500), { index: 3, positionMs: 500 });
  assert.deepEqual(timeline.spotAt(99_999), { index: 4, positionMs: 9000 });
  for (const time of [0, 1, 5999, 6000, 17_999, 18_000, 21_000, 29_999]) assert.equal(timeline.timeOf(timeline.spotAt(time)), time);
  assert.equal(timeline.has(2), false);
  assert.equal(timeline.neighbor(1, 1), 3);
  assert.equal(timeline.neighbor(0, -1), null);
  assert.equal(timeline.neighbor(4, 1), null);
  // A chapter whose second part is left out, and one that is left out as a whole.
  assert.deepEqual(timeline.spanOf({ index: 1, chunk_indexes: [1, 2, 3] }), { startMs: 6000, lengthMs: 15_000 });
  assert.equal(timeline.spanOf({ index: 2, chunk_indexes: [2] }), null);
});

test('what is left of a book is said in words', () => {
  assert.equal(timeLeft(20_000), 'Less than a minute left');
  assert.equal(timeLeft(125 * 60_000), '2 h 5 min left');
  assert.equal(timeLeft(60 * 60_000), '1 h left');
});

const book = (id: string, rest: Partial<Schemas['Material']>): Schemas['Material'] => ({ id, title: id, status: 'completed', ...rest }) as Schemas['Material'];
const books = [
  book('c', { title: 'Émile', author: 'Rousseau' }),
  book('b', { title: 'Volume 10', author: 'Ada Lind', series: 'The Coast', series_index: 10 }),
  book('a', { title: 'Volume 9', author: 'Ada Lind', series: 'The Coast', series_index: 9, status: 'ready' }),
];
const place = (id: string, progress: number, finished = false, at = '2026-01-01'): [string, import('../../src/api/places').Place] => [id, { material_id: id, chunk_index: 0, position_ms: 0, progress, finished, updated_at: at }];
const ids = (found: Schemas['Material'][]): string => found.map(({ id }) => id).join('');

test('a library is searched, filtered and sorted', () => {
  assert.equal(ids(findBooks(books, 'emile')), 'c');
  assert.equal(ids(findBooks(books, 'lind coast')), 'ba');
  assert.equal(ids(findBooks(books, '')), 'cba');
  const places = new Map([place('a', 0.4), place('b', 1, true, '2026-02-01')]);
  assert.equal(ids(filterBooks(books, places, 'begun')), 'a');
  assert.equal(ids(filterBooks(books, places, 'finished')), 'b');
  assert.equal(ids(filterBooks(books, places, 'unheard')), 'c');
  assert.equal(ids(filterBooks(books, places, 'unconverted')), 'a');
  // Numbers sort as numbers; a book without a series comes last.
  assert.equal(ids(sortBooks(books, places, 'title')), 'cab');
  assert.equal(ids(sortBooks(books, places, 'series')), 'abc');
  assert.equal(ids(sortBooks(books, places, 'author')), 'abc');
  assert.equal(ids(sortBooks(books, places, 'listened')), 'bac');
});

test('places and bookmarks are kept for each environment, in the order of the book', async () => {
  savePlace('mat_1', { chunk_index: 2, position_ms: 1500, progress: 0.5, finished: false });
  assert.equal((await fetchPlace('mat_1'))?.position_ms, 1500);
  await addBookmark('mat_1', { chunk_index: 3, position_ms: 10, note: '' });
  await addBookmark('mat_1', { chunk_index: 1, position_ms: 20, note: '' });
  assert.deepEqual((await fetchBookmarks('mat_1')).map(({ chunk_index }) => chunk_index), [1, 3]);
  environment.select('test');
  assert.equal(await fetchPlace('mat_1'), null);
  environment.select('live');
  assert.equal((await fetchPlaces()).length, 1);
  forgetPlace('mat_1');
  assert.deepEqual([await fetchPlaces(), await fetchBookmarks('mat_1')], [[], []]);
});

test('old addresses lead to the pages of today', () => {
  assert.equal(newPath('/materials'), '/books');
  assert.equal(newPath('/materials/mat_0'), '/books/mat_0');
  assert.equal(newPath('/e-readers'), '/voices');
  assert.equal(newPath('/try'), '/speak');
  assert.equal(newPath('/tryst'), null);
  assert.equal(newPath('/books'), null);
  assert.equal(safeNext('/e-readers?say=heart'), '/e-readers?say=heart');
});
