// Which voices of many are shown, in which order, and what the filters offer. The choice is kept as a query, so that it can be part of
// an address.
import { session } from '../api/session.svelte';
import type { Voice } from '../api/types';
import { credits } from '../text/format';
import { includesLanguage, languageName, primarySubtag } from '../text/language';
import { isTierIncluded } from '../text/tiers';
import { engineName, genderName } from '../text/voices';

/** An empty value lets all voices through. `price` is the highest price of a character. */
export type VoiceFilter = { search: string; language: string; gender: string; engine: string; price: string; favorites: boolean };
export type FilterName = keyof VoiceFilter;
export type SelectName = Exclude<FilterName, 'search' | 'favorites'>;
export const SELECTS: Record<SelectName, string> = { language: 'Language', gender: 'Gender', engine: 'Engine', price: 'Price' };

export const NO_FILTER: VoiceFilter = { search: '', language: '', gender: '', engine: '', price: '', favorites: false };
/** Fewer voices than this are shown without filters. */
export const MANY_VOICES = 9;

/** Stands for a voice whose gender is not stated. */
const NO_GENDER = 'none';
const TEXT_NAMES = ['search', ...Object.keys(SELECTS)] as ('search' | SelectName)[];

export function readFilter(query: URLSearchParams): VoiceFilter {
  const texts = TEXT_NAMES.map((name) => [name, query.get(name) ?? '']);
  // An address can hold anything.
  const price = query.get('price') ?? '';
  return { ...NO_FILTER, ...Object.fromEntries(texts), price: /^\d{1,9}$/.test(price) ? price : '', favorites: query.get('favorites') === '1' };
}

/** Adds the filter to a query, and leaves the rest of the query as it is. */
export function writeFilter(query: URLSearchParams, filter: VoiceFilter): URLSearchParams {
  const result = new URLSearchParams(query);
  for (const name of TEXT_NAMES) {
    if (filter[name]) result.set(name, filter[name]);
    else result.delete(name);
  }
  if (filter.favorites) result.set('favorites', '1');
  else result.delete('favorites');
  return result;
}

/** The filters that leave something out. */
export const activeFilters = (filter: VoiceFilter): FilterName[] =>
  (Object.keys(NO_FILTER) as FilterName[]).filter((name) => (name === 'search' ? filter.search.trim() !== '' : Boolean(filter[name])));

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

type Option = { value: string; name: string; count: number };

/** The values of a filter, in the order of the list. */
function filterValues(voices: Voice[], name: SelectName): string[] {
  const distinct = <T>(values: T[]): T[] => [...new Set(values)];
  if (name === 'price') return distinct(voices.map((voice) => voice.price_per_character)).sort((a, b) => a - b).map(String);
  if (name !== 'language') return distinct(voices.map((voice) => (name === 'gender' ? (voice.gender ?? NO_GENDER) : voice.engine))).sort();
  const tags = distinct(voices.flatMap((voice) => voice.languages));
  const primaries = tags.map(primarySubtag);
  // A language with several regions can also be chosen as a whole.
  const whole = distinct(primaries.filter((primary, index) => primaries.indexOf(primary) !== index));
  return distinct([...tags, ...whole]).sort((a, b) => languageName(a).localeCompare(languageName(b)));
}

function valueName(name: SelectName, value: string): string {
  if (name === 'language') return languageName(value);
  if (name === 'gender') return genderName(value === NO_GENDER ? null : value);
  if (name === 'engine') return engineName(value);
  return `Up to ${credits(Number(value))}`;
}

/** What a filter offers, and how many voices each choice would show together with the other filters. */
export function filterOptions(voices: Voice[], filter: VoiceFilter, name: SelectName): Option[] {
  const values = filterValues(voices, name);
  // An address can name a value that no voice has.
  if (filter[name] && !values.includes(filter[name])) values.push(filter[name]);
  return values.map((value) => ({ value, name: valueName(name, value), count: filterVoices(voices, { ...filter, [name]: value }).length }));
}

/** The filter in words: `language “Español”`. */
export function describeFilter(filter: VoiceFilter, name: FilterName): string {
  if (name === 'favorites') return 'favorites only';
  const value = name === 'search' ? filter.search.trim() : valueName(name, filter[name]);
  return `${name === 'search' ? 'search' : SELECTS[name].toLowerCase()} “${value}”`;
}

/** Which single filters can be removed to find something, and how much each finds. */
export const usefulRemovals = (voices: Voice[], filter: VoiceFilter): { name: FilterName; count: number }[] =>
  activeFilters(filter)
    .map((name) => ({ name, count: filterVoices(voices, { ...filter, [name]: NO_FILTER[name] }).length }))
    .filter(({ count }) => count > 0);

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
