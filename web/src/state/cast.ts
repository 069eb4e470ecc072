// Who says what in a text or a book: its voices, what each one costs, and the word lists that it is read with.
import type { Lexicon } from '../api/lexicons';
import type { Voice } from '../api/types';
import { primarySubtag } from '../text/language';
import { charactersBySpeaker } from '../text/markup';
import { charactersByVoice } from '../text/ssml';

/** The IDs of the voices of speakers. */
export type Speakers = Record<string, string>;
/** `name`: empty for the text's own voice. */
export type Part = { name: string; voice: Voice; characters: number; price: number };

/** What each voice of a plain text says and costs. Speakers without a voice are said by the text's own. */
export function plainParts(text: string, own: Voice, voices: Voice[], speakers: Speakers): Part[] {
  return [...charactersBySpeaker(text)].map(([name, characters]) => {
    const voice = voices.find(({ id }) => name && id === speakers[name]) ?? own;
    return { name, voice, characters, price: characters * voice.price_per_character };
  });
}

/** What each voice of a text in SSML says and costs at most; null while it is not well-formed. */
export function ssmlParts(ssml: string, own: Voice, voices: Voice[]): Part[] | null {
  const counts = charactersByVoice(ssml);
  return counts && [...counts].map(([name, characters]) => {
    const voice = voices.find(({ slug }) => slug === name) ?? own;
    return { name: voice === own ? '' : voice.name, voice, characters, price: characters * voice.price_per_character };
  });
}

/** The speakers of a text that have a voice of their own, as a request names them. */
export function usedSpeakers(text: string, speakers: Speakers): Speakers | undefined {
  const used = [...charactersBySpeaker(text).keys()].flatMap((name) => (name && speakers[name] ? [[name, speakers[name]]] : []));
  return used.length ? Object.fromEntries(used) : undefined;
}

/** What is known of a part of a book when its price is asked for. */
export type PartLength = { index: number; characters: number };
/** Least and most are the same when it is known who says how much; only then are there shares, one for each voice. */
export type BookPrice = { least: number; most: number; shares: { voice: Voice; characters: number; price: number }[] | null };

/**
 * What parts of a book cost in the voices of their speakers.
 *
 * `voices`: those of the speakers that have one of their own. `said`: the characters of each speaker in each part of the book; null while
 * they are not known.
 */
export function bookPrice(parts: PartLength[], narrator: Voice, voices: Map<string, Voice>, said: Map<string, number>[] | null): BookPrice {
  const characters = parts.reduce((sum, part) => sum + part.characters, 0);
  if (voices.size && !said) {
    const prices = [narrator, ...voices.values()].map((voice) => voice.price_per_character);
    return { least: characters * Math.min(...prices), most: characters * Math.max(...prices), shares: null };
  }
  const counts = new Map<Voice, number>([[narrator, characters]]);
  const add = (voice: Voice, count: number): Map<Voice, number> => counts.set(voice, (counts.get(voice) ?? 0) + count);
  for (const { index } of parts) {
    for (const [name, count] of said?.[index] ?? []) {
      const voice = voices.get(name);
      if (!voice) continue;
      add(voice, count);
      add(narrator, -count);
    }
  }
  const shares = [...counts].map(([voice, count]) => ({ voice, characters: count, price: count * voice.price_per_character }));
  const price = shares.reduce((sum, share) => sum + share.price, 0);
  return { least: price, most: price, shares };
}

export type ListChoice = { mode: 'default' | 'none' | 'chosen'; ids: string[] };
export const BY_DEFAULT: ListChoice = { mode: 'default', ids: [] };
/** The service's maximum. */
export const MAX_CHOSEN = 5;

/** The lists that a request names; undefined leaves them to the service. */
export const chosenIds = ({ mode, ids }: ListChoice): string[] | undefined => (mode === 'default' ? undefined : mode === 'none' ? [] : ids);

/** The lists that are used in a language when a request names none, the oldest first. Words of a region count in that region only. */
export const defaultLists = (lists: Lexicon[], language: string): Lexicon[] =>
  lists
    .filter((list) => list.default && primarySubtag(list.language) === primarySubtag(language) && (!list.language.includes('-') || list.language.toLowerCase() === language.toLowerCase()))
    .sort((a, b) => a.created_at.localeCompare(b.created_at));
