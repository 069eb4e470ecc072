// Which voices are shown, in which order, and what the filters offer.
import './browser';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Voice } from '../../src/api/types';
import { filterOptions, readFilter, usefulRemovals, voiceCount, withoutFilter, writeFilter } from '../../src/state/voicefilter';
import { filterVoices, NO_FILTER, sortVoices, type VoiceFilter } from '../../src/state/voices';
import { bookPrice } from '../../src/text/voicelist';

const voice = (name: string, rest: Partial<Voice> = {}): Voice => ({
  id: `erd_${name}`, slug: name, name, description: '', languages: ['en-US'], gender: 'female', grade: null, preview: false, tier: 'free', engine: 'kokoro',
  sample_rate_hz: 24_000, price_per_character: 3, sample_langs: [], formats: ['mp3'], active: true, favorite: false, ...rest,
});
const VOICES = [
  voice('Heart', { description: 'A warm, even voice.', grade: 'B', engine: 'hibari', price_per_character: 1 }),
  voice('Émile', { languages: ['fr-FR'], gender: 'male', grade: 'A', price_per_character: 4 }),
  voice('George', { languages: ['en-GB'], gender: 'male', grade: 'C', description: 'Deep and warm.' }),
  voice('Puck', { gender: null, favorite: true }),
  voice('Dora', { languages: ['es', 'en-US'], grade: 'A', price_per_character: 4 }),
];
const names = (filter: Partial<VoiceFilter>): string[] => filterVoices(VOICES, { ...NO_FILTER, ...filter }).map(({ name }) => name);

test('a search looks for all words in names and descriptions, without case and accents', () => {
  assert.deepEqual([names({ search: ' WARM voice' }), names({ search: 'emile' }), names({ search: '  ' }).length], [['Heart'], ['Émile'], 5] as unknown[]);
});

test('filters are combined', () => {
  assert.deepEqual(names({ language: 'en' }), ['Heart', 'George', 'Puck', 'Dora']);
  assert.deepEqual(names({ language: 'en-US', price: '3' }), ['Heart', 'Puck']);
  assert.deepEqual([names({ gender: 'none' }), names({ favorites: true }), names({ engine: 'hibari' })], [['Puck'], ['Puck'], ['Heart']]);
});

test('each choice says how many voices it would show together with the other filters', () => {
  const options = (name: 'language' | 'gender' | 'engine' | 'price', filter: Partial<VoiceFilter> = {}): string[] =>
    filterOptions(VOICES, { ...NO_FILTER, ...filter }, name).map((option) => `${option.name} (${option.count})`);
  assert.deepEqual(options('language'), ['English (4)', 'English (UK) (1)', 'English (US) (3)', 'Español (1)', 'Français (France) (1)']);
  // The filter's own choice does not count, another filter's does.
  assert.deepEqual(options('gender', { gender: 'male', language: 'en' }), ['Female (2)', 'Male (1)', 'Not stated (1)']);
  assert.deepEqual(options('price'), ['Up to 1 credit (1)', 'Up to 3 credits (3)', 'Up to 4 credits (5)']);
  assert.deepEqual(options('language', { language: 'ja' }).at(-1), '日本語 (0)');
});

test('favorites come first, then good grades; equal voices stay in order', () => {
  assert.deepEqual(sortVoices(VOICES).map(({ name }) => name), ['Puck', 'Émile', 'Dora', 'Heart', 'George']);
});

test('a filter survives in an address, next to what else is there', () => {
  const filter: VoiceFilter = { search: 'a & b', language: 'en-GB', gender: 'none', engine: 'kokoro', price: '3', favorites: true };
  const query = writeFilter(new URLSearchParams('say=heart'), filter);
  assert.deepEqual([readFilter(new URLSearchParams(String(query))), query.get('say')], [filter, 'heart'] as unknown[]);
  assert.equal(String(writeFilter(query, NO_FILTER)), 'say=heart');
  for (const price of ['abc', '-1', '1e3', '']) assert.equal(readFilter(new URLSearchParams({ price })).price, '');
});

test('when nothing is found, the filters that are in the way are named', () => {
  const filter = { ...NO_FILTER, language: 'es', engine: 'hibari', gender: 'female' };
  assert.deepEqual(usefulRemovals(VOICES, filter), [{ name: 'language', count: 1 }, { name: 'engine', count: 1 }] as { name: 'language' | 'engine'; count: number }[]);
  assert.equal(withoutFilter(filter, 'language'), 'Without language “Español”');
  assert.equal(withoutFilter({ ...NO_FILTER, search: ' x ' }, 'search'), 'Without search “x”');
});

test('counts and prices of books are said in words', () => {
  assert.deepEqual([voiceCount(0, 5), voiceCount(3, 5), voiceCount(5, 5), voiceCount(1, 1)], ['No voice matches', '3 of 5 voices', '5 voices', '1 voice']);
  assert.equal(bookPrice(voice('Heart', { price_per_character: 4 })), '300-page book: 2,160,000 credits');
});
