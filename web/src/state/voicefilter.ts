// What the filters over voices offer, in words. The choice is kept as a query, so that it can be part of an address.
import type { Voice } from '../api/types';
import * as m from '../i18n/messages/voicefilter';
import { credits, number } from '../text/format';
import { languageName, primarySubtag } from '../text/language';
import { engineName, genderName } from '../text/voicekinds';
import { activeFilters, type FilterName, filterVoices, NO_FILTER, NO_GENDER, type SelectName, SELECTS, type VoiceFilter } from './voices';

export const selectNames: Record<SelectName, () => string> = { language: m.language, gender: m.gender, engine: m.engine, price: m.price };
const TEXT_NAMES = ['search', ...SELECTS] as const;

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
  return m.upTo({ credits: credits(Number(value)) });
}

/** What a filter offers, and how many voices each choice would show together with the other filters. */
export function filterOptions(voices: Voice[], filter: VoiceFilter, name: SelectName): Option[] {
  const values = filterValues(voices, name);
  // An address can name a value that no voice has.
  if (filter[name] && !values.includes(filter[name])) values.push(filter[name]);
  return values.map((value) => ({ value, name: valueName(name, value), count: filterVoices(voices, { ...filter, [name]: value }).length }));
}

const WITHOUT = { search: m.withoutSearch, language: m.withoutLanguage, gender: m.withoutGender, engine: m.withoutEngine, price: m.withoutPrice };
/** What the list is without a filter: `Without language “Español”`. */
export function withoutFilter(filter: VoiceFilter, name: FilterName): string {
  if (name === 'favorites') return m.withoutFavorites();
  return WITHOUT[name]({ value: name === 'search' ? filter.search.trim() : valueName(name, filter[name]) });
}

/** Which single filters can be removed to find something, and how much each finds. */
export const usefulRemovals = (voices: Voice[], filter: VoiceFilter): { name: FilterName; count: number }[] =>
  activeFilters(filter)
    .map((name) => ({ name, count: filterVoices(voices, { ...filter, [name]: NO_FILTER[name] }).length }))
    .filter(({ count }) => count > 0);

/** `12 of 60 voices`, `2 voices`. */
export function voiceCount(found: number, all: number): string {
  if (!found) return m.none();
  return found === all ? m.countAll({ count: all }) : m.countSome({ found: number(found), count: all });
}
