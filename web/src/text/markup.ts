// Markup in a plain text: `[pause 1.5s]`, `[word](/ipa/)` and lines `[speaker NAME]`. The rules are the service's
// (crates/speech/src/markup.rs), so that a price is exact before it is paid.
import { countCharacters } from './format';

type Markup = { start: number; end: number } & (
  | { kind: 'pause'; ms: number }
  | { kind: 'pronunciation'; word: string; ipa: string }
  | { kind: 'speaker'; name: string }
);

const MAX_PAUSE_MS = 10_000;
const MAX_NAME = 100;
/** The service does not look further than this for the end of a name, a word or a pronunciation. */
const MAX_PART_BYTES = 300;

/** The sounds that voices have. A unit test compares them with those of the service. */
export const SYMBOLS = ' \u0303ʣʥʦʨᵝꭧAIOQSTWYᵊabcdefhijklmnopqrstuvwxyzɑɐɒæβɔɕçɖðʤəɚɛɜɟɡɥɨɪʝɯɰŋɳɲɴøɸθœɹɾɻʁɽʂʃʈʧʊʋʌɣɤχʎʒʔˈˌːʰʲ↓→↗↘ᵻ';
/** Other ways to write them, and signs that are not said. */
const SPELLINGS = "ɝɫʍg'ʹ:ε\u0308\u02de\u0329";
const SILENT = '/[].‿\u0361\u035c\u032f\u032a\u0325\u02d1\u200d\ufeff';
const isKnown = new Set(`${SYMBOLS}${SPELLINGS}${SILENT}`);

const bytes = new TextEncoder();
const isShort = (part: string): boolean => bytes.encode(part).length < MAX_PART_BYTES;

/** Whether a text between slashes is a pronunciation and not an address: one of its sounds is not a letter from a to z. */
export function isPronunciation(text: string): boolean {
  const isTelling = (sound: string): boolean => !/[a-z\s]/.test(sound) && !SILENT.includes(sound) && (!/[!-/:-@[-`{-~]/.test(sound) || sound === "'" || sound === ':');
  const sounds = Array.from(text.trim());
  return sounds.every((sound) => isKnown.has(sound)) && sounds.some(isTelling) && sounds.some((sound) => /\p{Letter}/u.test(sound));
}

const PAUSE = /\[pause (\d+(?:\.\d+)?)(ms|s)\]/y;
const PRONUNCIATION = /\[([^[\]\n]*)\]\(\/([^/)\n]*)\/\)/y;
const SPEAKER = /(?<![^\n])\[speaker ([^[\]\n]+)\](?=\n|\r\n|$)/y;

function markupAt(text: string, start: number): Markup | null {
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = start;
    return pattern.exec(text);
  };
  const pause = match(PAUSE);
  const ms = Number(pause?.[1]) * (pause?.[2] === 's' ? 1000 : 1);
  if (pause && (pause[1] ?? '').length <= 12 && ms <= MAX_PAUSE_MS) return { kind: 'pause', ms, start, end: PAUSE.lastIndex };
  const [, word = '', ipa = ''] = match(PRONUNCIATION) ?? [];
  if (/[\p{Letter}\p{Number}]/u.test(word) && isShort(word) && isShort(ipa) && isPronunciation(ipa)) return { kind: 'pronunciation', word, ipa, start, end: PRONUNCIATION.lastIndex };
  const [, name = ''] = match(SPEAKER) ?? [];
  if (name && name.trim() === name && countCharacters(name) <= MAX_NAME && isShort(name)) return { kind: 'speaker', name, start, end: SPEAKER.lastIndex };
  return null;
}

/** All markup of a text, in order. */
export function findMarkup(text: string): Markup[] {
  const found: Markup[] = [];
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at)) {
    const markup = markupAt(text, at);
    if (markup) found.push(markup);
    at = markup ? markup.end : at + 1;
  }
  return found;
}

/** The parts of a text that are not seen when it is read: all markup but the word of a pronunciation. */
export const hiddenRanges = (text: string): [start: number, end: number][] =>
  findMarkup(text).flatMap((markup): [number, number][] => {
    if (markup.kind !== 'pronunciation') return [[markup.start, markup.end]];
    const word = markup.start + 1;
    return [[markup.start, word], [word + markup.word.length, markup.end]];
  });

function withoutMarkup(text: string): string {
  let [plain, from] = ['', 0];
  for (const [start, end] of hiddenRanges(text)) [plain, from] = [plain + text.slice(from, start), end];
  return plain + text.slice(from);
}

/** The characters that are paid when one voice says the whole text. */
export const paidCharacters = (text: string): number => [...charactersBySpeaker(text).values()].reduce((sum, count) => sum + count, 0);

/** The paid characters of each speaker; those before the first line `[speaker NAME]` are under ''. */
export function charactersBySpeaker(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (name: string, part: string): void => {
    // White space alone is said by nobody.
    counts.set(name, (counts.get(name) ?? 0) + (part.trim() ? countCharacters(withoutMarkup(part)) : 0));
  };
  let [name, from] = ['', 0];
  for (const markup of findMarkup(text)) {
    if (markup.kind !== 'speaker') continue;
    add(name, text.slice(from, markup.start));
    [name, from] = [markup.name, markup.end];
  }
  add(name, text.slice(from));
  return counts;
}
