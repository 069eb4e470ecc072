// Words and how they are said: the kinds of a pronunciation, and lists of words as CSV. A lexicon of the API is a word list here.
import type { Schemas } from '../api/types';
import { type CsvRow, parseCsv, writeCsv } from './csv';

export type Entry = Schemas['LexiconEntry'];
export type Kind = 'alias' | 'ipa' | 'x_sampa';
/** A word as it is edited. */
export type Word = { word: string; kind: Kind; said: string };

export const KINDS: Record<Kind, { name: string; hint: string; example: string }> = {
  alias: { name: 'Sounds like', hint: 'Other words, spelled the way it sounds.', example: 'shuh-vawn' },
  ipa: { name: 'IPA', hint: 'The International Phonetic Alphabet, as in dictionaries.', example: 'ʃɪˈvɔːn' },
  x_sampa: { name: 'X-SAMPA', hint: 'IPA in letters of every keyboard.', example: 'SI"vO:n' },
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
  if (!word.trim()) return 'Type the word.';
  return said.trim() ? null : 'Type how it is said.';
}

const KIND_NAMES: Record<string, Kind> = { '': 'alias', alias: 'alias', 'sounds like': 'alias', ipa: 'ipa', 'x-sampa': 'x_sampa', x_sampa: 'x_sampa', xsampa: 'x_sampa' };
const isHeader = ({ cells }: CsvRow): boolean => ['word', 'grapheme'].includes((cells[0] ?? '').trim().toLowerCase());

export type Problem = { line: number; message: string };

/** Reads `word,said[,kind]`. Without a kind, what stands between slashes is IPA and all else other words. */
export function readCsv(text: string): { words: Word[]; problems: Problem[] } {
  const [first, ...others] = parseCsv(text);
  const rows = !first ? [] : isHeader(first) ? others : [first, ...others];
  const words: Word[] = [];
  const problems: Problem[] = [];
  const lines = new Map<string, number>();
  for (const { line, cells } of rows) {
    const [word = '', written = '', kindName = ''] = cells.map((cell) => cell.trim());
    const slashed = /^\/(.+)\/$/.exec(written);
    const kind = kindName || !slashed ? KIND_NAMES[kindName.toLowerCase()] : 'ipa';
    const known = lines.get(wordKey(word));
    const message = !kind
      ? `“${kindName}” is no way to say a word. Write alias, ipa or x-sampa.`
      : known
        ? `“${word}” is already on line ${known}.`
        : wordProblem({ word, kind, said: written });
    if (message || !kind) problems.push({ line, message: message ?? '' });
    else words.push({ word, kind, said: kind === 'ipa' && slashed ? (slashed[1] ?? '') : written });
    lines.set(wordKey(word), known ?? line);
  }
  return { words, problems };
}

export const writeWords = (words: Word[]): string => writeCsv([['word', 'said', 'kind'], ...words.map(({ word, kind, said }) => [word, said, kind.replace('_', '-')])]);

/** A file name for a list. */
export const csvName = (name: string): string => `${name.replace(/[^\p{Letter}\p{Number}]+/gu, '-').replace(/^-|-$/g, '').toLowerCase() || 'words'}.csv`;
