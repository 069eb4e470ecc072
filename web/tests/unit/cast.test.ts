// What a book costs in the voices of its speakers.
import './browser';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Voice } from '../../src/api/types';
import { BookCast } from '../../src/state/bookcast.svelte';
import { bookPrice } from '../../src/state/cast';
import { certainty, speakerName } from '../../src/text/cast';

const voice = (id: string, price: number): Voice => ({ id, name: id, price_per_character: price, languages: ['en-US'] }) as Voice;
const [heart, robin, alma] = [voice('heart', 1), voice('robin', 2), voice('alma', 4)];

const PARTS = [{ index: 0, characters: 100 }, { index: 2, characters: 50 }];

// Negative control: with all parts of `said` counted, the part that is converted already costs something.
test('the price of parts is the sum of their voices, or lies between limits', () => {
  const said = [new Map([['Ines', 10], ['Tom', 5]]), new Map([['Ines', 999]]), new Map([['Ines', 20]])];
  const inVoices = (voices: [string, Voice][], counts: typeof said | null = said): [number, number] => {
    const { least, most } = bookPrice(PARTS, heart, new Map(voices), counts);
    return [least, most];
  };
  assert.deepEqual(inVoices([]), [150, 150]);
  assert.deepEqual(inVoices([['Ines', robin]]), [180, 180]);
  assert.deepEqual(inVoices([['Ines', robin], ['Tom', alma], ['Nobody', alma]]), [120 - 5 + 60 + 20, 195]);
  assert.deepEqual(bookPrice(PARTS, heart, new Map([['Ines', heart], ['Tom', alma]]), said).shares?.map(({ characters, price }) => [characters, price]), [[145, 145], [5, 20]]);
  assert.deepEqual(inVoices([['Ines', robin], ['Tom', alma]], null), [150, 600]);
  assert.deepEqual(inVoices([], null), [150, 150]);
});

test('a choice that goes back is no change, and a voice that is gone is a problem', () => {
  const cast = new BookCast('mat_1');
  cast.speakers = [{ name: 'Ines', ereader_id: null, quotes: 3, confidence: 0.8 }, { name: '__proto__', ereader_id: null, quotes: 1, confidence: 0.6 }];
  assert.deepEqual([cast.isChanged, cast.isNamedInText], [false, false]);
  cast.choose('__proto__', 'robin');
  assert.deepEqual([cast.isChanged, [...cast.voices([heart, robin]).keys()]], [true, ['__proto__']] as unknown[]);
  assert.deepEqual([...cast.problems([heart]).keys()], ['__proto__']);
  cast.choose('__proto__', '');
  assert.deepEqual([cast.isChanged, cast.problems([]).size], [false, 0] as unknown[]);
  assert.deepEqual([0.97, 0.9, 0.7, 0.69].map((confidence) => certainty(confidence)[0]), ['sure', 'sure', 'likely', 'a guess']);
  assert.deepEqual([speakerName('Narrator', false), speakerName('Narrator', true)], ['The “I” of the book', 'Narrator']);
});
