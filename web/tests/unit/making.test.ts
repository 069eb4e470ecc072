// What makes a book: the words for its chapters, the details that a form sends, and choices of chapters while they are saved.
import './browser';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../src/api/error';
import type { Schemas } from '../../src/api/types';
import { BookChapters, CHAPTERS_PER_PAGE } from '../../src/state/chapters.svelte';
import { chapterTitle, findChapters } from '../../src/text/chapters';
import { includedSummary } from '../../src/text/contents';
import { changedDetails, detailProblems, detailsOf, parseNumber } from '../../src/text/details';
import { detailsLine, mayHaveNotes } from '../../src/text/books';
import { timeLeftMs } from '../../src/text/pace';

type Chapter = Schemas['Chapter'];
const chapter = (index: number, fields: Partial<Chapter> = {}): Chapter => ({
  index, title: `Chapter of ${index}`, level: 1, role: 'body', included: true, characters: 1000, chunk_indexes: [index], duration_ms: null, status: 'pending', ...fields,
});
const material = (fields: Partial<Schemas['Material']>): Schemas['Material'] => ({ title: 'A book', source: { media_type: 'application/epub+zip', bytes: 1 }, ...fields }) as Schemas['Material'];

test('chapters have a title or a number, and a summary says how many are included', () => {
  assert.deepEqual([chapterTitle(chapter(2)), chapterTitle(chapter(2, { title: null }))], ['Chapter of 2', 'Chapter 3']);
  const all = [chapter(0), chapter(1, { title: null }), chapter(2)];
  assert.equal(includedSummary(all, all), '3 chapters, 3,000 characters');
  assert.equal(includedSummary([all[0]!], all), '1 of 3 chapters, 1,000 characters');
  assert.deepEqual(findChapters(all, ' CHAPTER 2 ').map(({ index }) => index), [1]);
  assert.equal(findChapters(all, '').length, 3);
});

// Negative control, seen: with empty fields sent as text, a removed author is refused by the service.
test('only changed details are sent: emptied ones as null, numbers as numbers', () => {
  const book = material({ author: 'Ada', year: 1901, series_index: 2.5, isbn: '9780306406157', copyright: '© 1901 Ada' });
  const details = detailsOf(book);
  assert.deepEqual([details.title, details.year, details.series_index, details.publisher, details.copyright], ['A book', '1901', '2.5', '', '© 1901 Ada']);
  assert.deepEqual(changedDetails(book, { ...details, title: ' A book ' }), {});
  assert.deepEqual(changedDetails(book, { ...details, author: ' ', year: '1902', series_index: '3,25', series: ' The Coast ', copyright: '© 1902 Ada ' }), { author: null, year: 1902, series_index: 3.25, series: 'The Coast', copyright: '© 1902 Ada' });
  assert.deepEqual(['2', '2,5', ' 2.50 ', '', 'soon', '-1', '1e3'].map(parseNumber), [2, 2.5, 2.5, null, null, null, null]);
  assert.deepEqual(detailProblems(details), {});
  assert.deepEqual(Object.keys(detailProblems({ ...details, title: ' ', year: '1901.5', series_index: 'two' })), ['title', 'year', 'series_index']);
  assert.deepEqual([detailsLine(material({ author: 'Ada Lind', series: 'The Coast', series_index: 0, year: 1901 })), detailsLine(material({}))], ['Ada Lind · The Coast, 0 · 1901', '']);
});

test('notes are offered where documents can have them', () => {
  const of = (media_type: string): boolean => mayHaveNotes(material({ source: { media_type, filename: null, bytes: 1 } }));
  assert.deepEqual(['application/epub+zip', 'text/markdown', 'text/plain', 'application/pdf'].map(of), [true, true, false, false]);
});

/** A service with chapters, which may answer that there are too many requests. */
function fakeService(count: number) {
  const service = { chapters: Array.from({ length: count }, (_, index) => chapter(index)), sent: [] as [number, boolean][], delays: [] as number[], refusals: [] as ApiError[] };
  const chapters = new BookChapters('mat_1', {
    fetchChapters: () => Promise.resolve(structuredClone(service.chapters)),
    updateChapter: async (_, index, body) => {
      const refusal = service.refusals.shift();
      if (refusal) throw refusal;
      await new Promise((resolve) => setTimeout(resolve, service.delays.shift() ?? 0));
      service.sent.push([index, body.included === true]);
      Object.assign(service.chapters[index]!, body);
      return structuredClone(service.chapters[index]!);
    },
  });
  return { service, chapters };
}

// Negative controls, each seen: with requests side by side the first choice is saved last; when an error keeps the choice, the page shows
// what is not saved.
test('a choice counts at once, is saved in order, and is taken back when the service refuses it', async () => {
  const { service, chapters } = fakeService(3);
  await chapters.load();
  // The first answer would be the last.
  service.delays = [30];
  const first = chapters.setIncluded(1, false);
  assert.deepEqual([...chapters.includedParts], [0, 2]);
  chapters.setIncluded(1, true);
  const last = chapters.setIncluded(1, false);
  await chapters.settled();
  assert.deepEqual([await first, await last, service.sent], [true, true, [[1, false], [1, true], [1, false]]] as [boolean, boolean, [number, boolean][]]);
  assert.equal(chapters.included.length, 2);
  service.refusals = [new ApiError('internal_error', '', 500)];
  const refused = chapters.setIncluded(0, false);
  assert.equal(chapters.included.length, 1);
  assert.equal(await refused, false);
  assert.deepEqual([chapters.included.length, (chapters.error as ApiError).code], [2, 'internal_error'] as [number, string]);
});

// Negative control, seen: without waiting for the service, some chapters stay as they were.
test('many chapters are chosen at once, as fast as the service allows', async () => {
  const { service, chapters } = fakeService(120);
  await chapters.load();
  assert.deepEqual([chapters.shown.length, chapters.pages], [CHAPTERS_PER_PAGE, 3]);
  service.refusals = [new ApiError('rate_limited', '', 429, {}, 0)];
  assert.equal(await chapters.choose(({ index }) => index % 2 === 0), 60);
  assert.deepEqual([chapters.included.length, chapters.error, chapters.progress], [60, null, null] as [number, unknown, unknown]);
  assert.equal(await chapters.choose(({ index }) => index % 2 === 0), 0);
  service.refusals = [new ApiError('internal_error', '', 500)];
  await chapters.choose(() => true);
  assert.equal((chapters.error as ApiError).code, 'internal_error');
  assert.equal(chapters.included.length, service.chapters.filter(({ included }) => included).length);
});

test('what is left of a conversion takes as long as what was seen of it', () => {
  const first = { atMs: 10_000, characters: 500 };
  assert.equal(timeLeftMs(first, { atMs: 40_000, characters: 1500 }, 4000), 120_000);
  assert.equal(timeLeftMs(first, { atMs: 40_000, characters: 500 }, 4000), null);
  // A part whose text was edited is not converted any more.
  assert.equal(timeLeftMs(first, { atMs: 40_000, characters: 200 }, 4000), null);
  assert.equal(timeLeftMs(first, { atMs: 10_000, characters: 900 }, 4000), null);
});
