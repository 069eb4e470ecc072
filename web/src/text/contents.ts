// The contents of a book in words: what its chapters are, the status of its parts, and how much of it is included.
import type { Schemas } from '../api/types';
import * as m from '../i18n/messages/contents';
import { charactersOf } from './chapters';
import { characters, number } from './format';

type Chapter = Schemas['Chapter'];

export const chunkLabels: Record<Schemas['ChunkStatus'], [text: () => string, color: string]> = {
  pending: [m.notConverted, ''],
  queued: [m.waiting, 'warn'],
  converting: [m.converting, 'warn'],
  completed: [m.completed, 'good'],
  failed: [m.failed, 'bad'],
};

/** A chapter of the body has no label: most are. */
export const roleLabels: Record<Schemas['ChapterRole'], (() => string) | null> = {
  cover: m.cover,
  title_page: m.titlePage,
  imprint: m.imprint,
  copyright: m.copyright,
  dedication: m.dedication,
  toc: m.toc,
  foreword: m.foreword,
  body: null,
  notes: m.notes,
  appendix: m.appendix,
  glossary: m.glossary,
  bibliography: m.bibliography,
  index: m.index,
  licence: m.licence,
  advertisement: m.advertisement,
};

/** How much of a book is included: `2 of 3 chapters, 1,204 characters`. */
export function includedSummary(included: Chapter[], all: Chapter[]): string {
  const values = { count: all.length, characters: characters(charactersOf(included)) };
  return included.length === all.length ? m.summaryAll(values) : m.summarySome({ ...values, included: number(included.length) });
}
