// What chapters are called.
import type { Schemas } from '../api/types';
import { chapterNumber } from '../i18n/messages/common';

type Chapter = Schemas['Chapter'];

/** The title of a chapter, or its number. */
export const chapterTitle = ({ title, index }: Pick<Chapter, 'title' | 'index'>): string => title ?? chapterNumber({ number: index + 1 });

/** The characters of chapters. */
export const charactersOf = (chapters: Chapter[]): number => chapters.reduce((sum, { characters }) => sum + characters, 0);

/** The chapters whose title contains what is searched for. */
export function findChapters(chapters: Chapter[], search: string): Chapter[] {
  const wanted = search.trim().toLowerCase();
  return wanted ? chapters.filter((chapter) => chapterTitle(chapter).toLowerCase().includes(wanted)) : chapters;
}
