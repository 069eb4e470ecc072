// Word timestamps: the text cut into words, and the word spoken at a moment.
import type { Schemas } from '../api/types';

type Word = Schemas['WordTimestamp'];
/** `word` is the index of the word; -1 for the text between words. */
type Segment = { text: string; word: number };

/** Cuts a text into its words and what is between them. Offsets count Unicode scalar values, not UTF-16 units. */
export function splitWords(text: string, words: Word[]): Segment[] {
  const characters = Array.from(text);
  const segments: Segment[] = [];
  let offset = 0;
  const add = (end: number, word: number): void => {
    if (end > offset) segments.push({ text: characters.slice(offset, end).join(''), word });
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
