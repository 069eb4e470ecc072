// The chapters of a book in words.
import type { Schemas } from '../api/types';
import { number, plural } from './format';

type Chapter = Schemas['Chapter'];

/** A chapter of the body has no label: most are. */
export const roleLabels: Record<Schemas['ChapterRole'], string> = {
  cover: 'Cover',
  title_page: 'Title page',
  imprint: 'Imprint',
  copyright: 'Copyright',
  dedication: 'Dedication',
  toc: 'Contents page',
  foreword: 'Foreword',
  body: '',
  notes: 'Notes',
  appendix: 'Appendix',
  glossary: 'Glossary',
  bibliography: 'Bibliography',
  index: 'Index',
  licence: 'License',
  advertisement: 'Advertisement',
};

/** The title of a chapter, or its number. */
export const chapterTitle = ({ title, index }: Chapter): string => title ?? `Chapter ${index + 1}`;

/** The characters of chapters. */
export const charactersOf = (chapters: Chapter[]): number => chapters.reduce((sum, { characters }) => sum + characters, 0);

/** How much of a book is included: `2 of 3 chapters, 1,204 characters`. */
export function includedSummary(included: Chapter[], all: Chapter[]): string {
  const count = included.length === all.length ? plural(all.length, 'chapter') : `${number(included.length)} of ${plural(all.length, 'chapter')}`;
  return `${count}, ${plural(charactersOf(included), 'character')}`;
}

/** The chapters whose title contains what is searched for. */
export function findChapters(chapters: Chapter[], search: string): Chapter[] {
  const wanted = search.trim().toLowerCase();
  return wanted ? chapters.filter((chapter) => chapterTitle(chapter).toLowerCase().includes(wanted)) : chapters;
}
