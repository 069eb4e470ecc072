// Words and how they are said: the kinds of a pronunciation, and lists of words as CSV (wordcsv.ts reads them). A lexicon of the API is a word list here.
import type { Schemas } from '../api/types';
import * as m from '../i18n/messages/words';
import { writeCsv } from './csv';

export type Entry = Schemas['LexiconEntry'];
export type Kind = 'alias' | 'ipa' | 'x_sampa';
/** A word as it is edited. */
export type Word = { word: string; kind: Kind; said: string };

export const KINDS: Record<Kind, { name: () => string; hint: () => string; example: string }> = {
  alias: { name: m.kindAlias, hint: m.kindAliasHint, example: 'shuh-vawn' },
  ipa: { name: m.kindIpa, hint: m.kindIpaHint, example: 'ʃɪˈvɔːn' },
  x_sampa: { name: () => 'X-SAMPA', hint: m.kindXSampaHint, example: 'SI"vO:n' },
};
export const MAX_WORDS = 10_000;

export function readEntry(entry: Entry): Word {
  if (entry.ipa != null) return { word: entry.word, kind: 'ipa', said: entry.ipa };
  if (entry.x_sampa != null) return { word: entry.word, kind: 'x_sampa', said: entry.x_sampa };
  return { word: entry.word, kind: 'alias', said: entry.alias ?? '' };
}
export const writeEntry = ({ word, kind, said }: Word): Entry => ({ word: word.trim(), [kind]: said.trim() });

/** Two words with the same key are one word to the service, which ignores case unless there are capitals inside. */
export function wordKey(word: string): string {
  const plain = word.trim().replace(/\s+/g, ' ');
  const hasCapitalsInside = plain.split(' ').some((part) => /\p{Lu}/u.test(Array.from(part).slice(1).join('')));
  return hasCapitalsInside ? plain : plain.toLowerCase();
}

/** The words with `changed` in the place of the same word, or at the end. */
export function withWord(words: Word[], changed: Word): Word[] {
  const key = wordKey(changed.word);
  const at = words.findIndex(({ word }) => wordKey(word) === key);
  return at < 0 ? [...words, changed] : words.map((word, index) => (index === at ? changed : word));
}

/** What is wrong with a word before the service is asked; null if nothing is. */
export function wordProblem({ word, said }: Word): string | null {
  if (!word.trim()) return m.typeWord();
  return said.trim() ? null : m.typeSaid();
}

export const writeWords = (words: Word[]): string => writeCsv([['word', 'said', 'kind'], ...words.map(({ word, kind, said }) => [word, said, kind.replace('_', '-')])]);

/** A file name for a list. */
export const csvName = (name: string): string => `${name.replace(/[^\p{Letter}\p{Number}]+/gu, '-').replace(/^-|-$/g, '').toLowerCase() || 'words'}.csv`;
