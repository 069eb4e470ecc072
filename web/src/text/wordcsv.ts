// Reads lists of words from CSV.
import * as m from '../i18n/messages/wordimport';
import { type CsvRow, parseCsv } from './readcsv';
import { type Kind, type Word, wordKey, wordProblem } from './lexicons';

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
      ? m.unknownKind({ kind: kindName })
      : known
        ? m.alreadyOnLine({ word, line: known })
        : wordProblem({ word, kind, said: written });
    if (message || !kind) problems.push({ line, message: message ?? '' });
    else words.push({ word, kind, said: kind === 'ipa' && slashed ? (slashed[1] ?? '') : written });
    lines.set(wordKey(word), known ?? line);
  }
  return { words, problems };
}
