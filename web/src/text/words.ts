// Word timestamps: the text cut into words, and the word spoken at a moment.
import type { Schemas } from '../api/types';

type Word = Schemas['WordTimestamp'];
/** `word` is the index of the word; -1 for the text between words. */
type Segment = { text: string; word: number };

type Range = [start: number, end: number];

/**
 * Cuts a text into its words and what is between them. Offsets count Unicode scalar values, not UTF-16 units. `hidden` are parts of
 * the text that are not shown, in UTF-16 units.
 */
export function splitWords(text: string, words: Word[], hidden: Range[] = []): Segment[] {
  const characters = Array.from(text);
  let unit = 0;
  let next = 0;
  const isShown = characters.map((character) => {
    while ((hidden[next]?.[1] ?? Number.POSITIVE_INFINITY) <= unit) next += 1;
    const isHidden = (hidden[next]?.[0] ?? Number.POSITIVE_INFINITY) <= unit;
    unit += character.length;
    return !isHidden;
  });
  const segments: Segment[] = [];
  let offset = 0;
  const add = (end: number, word: number): void => {
    const start = offset;
    const shown = characters.slice(start, end).filter((_, index) => isShown[start + index]).join('');
    if (shown) segments.push({ text: shown, word });
    offset = Math.max(offset, end);
  };
  words.forEach((word, index) => {
    add(word.start_char, -1);
    add(word.end_char, index);
  });
  add(characters.length, -1);
  return segments;
}

/** The index of the last word that starts at or before `milliseconds`; -1 before the first. */
export function wordAt(words: Word[], milliseconds: number): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle]?.start_ms ?? 0) <= milliseconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const MAX_TITLE = 80;
/** A title for a text: its first line, or the beginning of a long one. */
export function titleOf(text: string): string {
  const line = text.trim().split(/[\r\n]/, 1)[0]?.trim() ?? '';
  const characters = Array.from(line);
  if (characters.length <= MAX_TITLE) return line;
  const start = characters.slice(0, MAX_TITLE).join('');
  // Some languages have no spaces.
  return `${start.replace(/\s+\S*$/, '').replace(/\p{P}+$/u, '')}…`;
}
