// What becomes of the notes of a book in words, and the word list that is made for a book.
import type { Schemas } from '../api/types';
import * as m from '../i18n/messages/convert';

/** A way to read notes: as a choice, with what it means for the listener, and as it was chosen. */
export const notesLabels: Record<Schemas['NotesMode'], [name: () => string, meaning: () => string, chosen: () => string]> = {
  skip: [m.skip, m.skipMeaning, m.skipped],
  inline: [m.inline, m.inlineMeaning, m.inlineChosen],
  end: [m.end, m.endMeaning, m.endChosen],
};

/** As the service accepts it. */
const cut = (name: string): string => Array.from(name).slice(0, 100).join('');

/** The name of the word list that is made for a book. */
export const nameOfWords = (title: string): string => cut(m.namesOf({ title }));

/** Whether a word list was made for a book, in this language or in English. */
export const isForBook = (name: string, title: string): boolean => [nameOfWords(title), cut(`Names of ${title}`)].includes(name);
