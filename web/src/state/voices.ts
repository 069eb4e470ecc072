// Which voices of many are shown, and in which order.
import { session } from '../api/session.svelte';
import type { Voice } from '../api/types';
import { includesLanguage, primarySubtag } from '../text/language';
import { isTierIncluded } from '../text/tiers';

/** An empty value lets all voices through. `price` is the highest price of a character. */
export type VoiceFilter = { search: string; language: string; gender: string; engine: string; price: string; favorites: boolean };
export type FilterName = keyof VoiceFilter;
export type SelectName = Exclude<FilterName, 'search' | 'favorites'>;
export const SELECTS = ['language', 'gender', 'engine', 'price'] as const satisfies SelectName[];

export const NO_FILTER: VoiceFilter = { search: '', language: '', gender: '', engine: '', price: '', favorites: false };
/** Fewer voices than this are shown without filters. */
export const MANY_VOICES = 9;

/** The filters that leave something out. */
export const activeFilters = (filter: VoiceFilter): FilterName[] =>
  (Object.keys(NO_FILTER) as FilterName[]).filter((name) => (name === 'search' ? filter.search.trim() !== '' : Boolean(filter[name])));

/** Stands for a voice whose gender is not stated. */
export const NO_GENDER = 'none';

/** Accents and case do not matter in a search. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const TESTS: Record<FilterName, (voice: Voice, filter: VoiceFilter) => boolean> = {
  search: ({ name, description }, { search }) => {
    const text = plain(`${name} ${description}`);
    return plain(search).split(/\s+/).every((word) => text.includes(word));
  },
  language: ({ languages }, { language }) => languages.some((tag) => tag === language || primarySubtag(tag) === language),
  gender: (voice, { gender }) => (voice.gender ?? NO_GENDER) === gender,
  engine: (voice, { engine }) => voice.engine === engine,
  price: (voice, { price }) => voice.price_per_character <= Number(price),
  favorites: (voice) => voice.favorite,
};

export function filterVoices(voices: Voice[], filter: VoiceFilter): Voice[] {
  const names = activeFilters(filter);
  return voices.filter((voice) => names.every((name) => TESTS[name](voice, filter)));
}

/** Favorites first, then by grade. Voices that are alike stay in the service's order. */
export function sortVoices(voices: Voice[]): Voice[] {
  const rank = (voice: Voice): number => (voice.favorite ? 0 : 10) + (voice.grade ? 'ABCD'.indexOf(voice.grade) : 9);
  return [...voices].sort((a, b) => rank(a) - rank(b));
}

/** The voices that the account may use. */
export const ownVoices = (voices: Voice[]): Voice[] => voices.filter((voice) => isTierIncluded(voice.tier, session.tier));

/** The voices that can say a word of a language by its sounds: favorites first, then the cheapest. Those of other providers take words only. */
export const hearingVoices = (voices: Voice[], language: string): Voice[] =>
  ownVoices(voices)
    .filter((voice) => voice.engine !== 'upstream' && includesLanguage(voice.languages, language))
    .sort((a, b) => Number(b.favorite) - Number(a.favorite) || a.price_per_character - b.price_per_character);

/** The languages that the account's voices speak, without regions. */
export const spokenLanguages = (voices: Voice[]): string[] => [...new Set(ownVoices(voices).flatMap((voice) => voice.languages.map(primarySubtag)))];

/** Whether a voice can be made higher or lower. */
export const canChangePitch = (voice: Voice): boolean => ['hibari', 'kokoro'].includes(voice.engine);
