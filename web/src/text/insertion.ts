// Where and how markup is inserted into a text that is being typed.
import type { Word } from './lexicons';
import { findMarkup, isPronunciation } from './markup';
import { breakElement, escapeXml, wordElement } from './ssml';

/** A text, and what is selected in it. */
export type Selection = { text: string; start: number; end: number };
/** Replaces the text between two places. The caret goes after the new text, `back` characters before its end. */
export type Insertion = { from: number; to: number; text: string; back?: number };

const isWordCharacter = (character: string | undefined): boolean => character !== undefined && /[\p{Letter}\p{Mark}\p{Number}'’-]/u.test(character);

/** The selected word; the one around the caret if nothing is selected. White space around it is left out. */
export function selectedWord({ text, start, end }: Selection): { from: number; to: number; word: string } {
  let [from, to] = [start, end];
  if (from === to) {
    while (isWordCharacter(text[from - 1])) from -= 1;
    while (isWordCharacter(text[to])) to += 1;
  }
  const selected = text.slice(from, to);
  const word = selected.trim();
  from += selected.length - selected.trimStart().length;
  return { from, to: from + word.length, word };
}

/** A pause behind what is selected. */
export function pauseInsertion({ end }: Selection, ms: number, isSsml: boolean): Insertion {
  return { from: end, to: end, text: isSsml ? breakElement(ms) : `[pause ${ms / 1000}s]` };
}

/** What is selected, said by another voice: a line before it in plain text, an element around it in SSML. */
export function voiceInsertion({ text, start, end }: Selection, name: string, isSsml: boolean): Insertion {
  const closing = '</voice>';
  if (isSsml) return { from: start, to: end, text: `<voice name="${escapeXml(name)}">${text.slice(start, end)}${closing}`, back: closing.length };
  const before = start === 0 || text[start - 1] === '\n' ? '' : '\n';
  return { from: start, to: start, text: `${before}[speaker ${name}]\n` };
}

/** IPA between slashes needs a sign that is not from a to z. A stress mark is one. */
const markedIpa = (ipa: string): string => (isPronunciation(ipa) ? ipa : `ˈ${ipa}`);

/** How strongly a word is said, as SSML names it. */
export type Emphasis = 'strong' | 'moderate' | 'reduced';

/** The selected words with emphasis, in SSML: a plain text has no sign for it. With nothing selected and no word there, the caret goes inside. */
export function emphasisInsertion(place: { from: number; to: number; word: string }, level: Emphasis): Insertion {
  const closing = '</emphasis>';
  return { from: place.from, to: place.to, text: `<emphasis level="${level}">${place.word}${closing}`, ...(place.word ? {} : { back: closing.length }) };
}

/** A word with its pronunciation. Null if a plain text cannot say it so: it takes IPA only. */
export function wordInsertion(place: { from: number; to: number }, word: Word, isSsml: boolean): Insertion | null {
  const said = word.said.trim().replace(/^\/(.*)\/$/, '$1');
  if (isSsml) return { ...place, text: wordElement({ ...word, said }) };
  const ipa = markedIpa(said);
  return word.kind === 'ipa' && isPronunciation(ipa) && !/[[\]\n]/.test(word.word) ? { ...place, text: `[${word.word}](/${ipa}/)` } : null;
}

/** The whole text without the lines of a speaker: one change, which one undo takes back. */
export function removalOfSpeaker(text: string, name: string): Insertion {
  let [kept, from] = ['', 0];
  for (const markup of findMarkup(text)) {
    if (markup.kind !== 'speaker' || markup.name !== name) continue;
    kept += text.slice(from, markup.start);
    from = markup.end + (/^\r?\n/.exec(text.slice(markup.end))?.[0].length ?? 0);
  }
  return { from: 0, to: text.length, text: kept + text.slice(from) };
}
