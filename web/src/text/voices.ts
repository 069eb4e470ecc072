// What pages say about voices.
import type { Voice } from '../api/types';
import { credits, number } from './format';

export type Grade = NonNullable<Voice['grade']>;

/** A grade in words, and what it means. */
export const GRADES: Record<Grade, [name: string, meaning: string]> = {
  A: ['Excellent', 'natural from beginning to end, pleasant for whole books'],
  B: ['Good', 'natural, with an odd stress now and then'],
  C: ['Fair', 'clear, but flat or uneven in places'],
  D: ['Basic', 'understandable, and easy to recognize as a machine'],
};
export const NOT_GRADED = 'listen to its sample';
export const PREVIEW = "This voice's language is on trial: it may mispronounce words, and its sound may change.";

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const genderName = (gender: string | null | undefined): string => (gender ? capitalize(gender) : 'Not stated');
export const engineName = (engine: string): string => (engine === 'upstream' ? 'External provider' : capitalize(engine));

/** Pages of a typical paperback novel have about 300 words. */
const CHARACTERS_PER_PAGE = 1800;
export const BOOK_PAGES = 300;
export const BOOK_CHARACTERS = BOOK_PAGES * CHARACTERS_PER_PAGE;

export const pricePerCharacter = (voice: Voice): string => `${credits(voice.price_per_character)} per character`;
export const bookPrice = (voice: Voice): string => `${BOOK_PAGES}-page book: ${credits(voice.price_per_character * BOOK_CHARACTERS)}`;
export const tierRequirement = (voice: Voice, tier: string): string =>
  `Needs the ${voice.tier} tier; yours is ${tier}. The operator of this service can change it.`;

/** `12 of 60 voices`, `2 voices`. */
export function voiceCount(found: number, all: number): string {
  if (!found) return 'No voice matches';
  const noun = all === 1 ? 'voice' : 'voices';
  return found === all ? `${number(all)} ${noun}` : `${number(found)} of ${number(all)} ${noun}`;
}

/** As many as fit side by side. */
export const MAX_COMPARED = 4;

/** `Heart, Robin and Dora`. */
export const names = (list: string[]): string => new Intl.ListFormat('en-GB').format(list);
