// What the page of all voices says about each of them.
import type { Voice } from '../api/types';
import * as m from '../i18n/messages/voicelist';
import { credits, number } from './format';
import { type Grade, GRADES, tierName } from './voices';

const MEANINGS: Record<Grade, () => string> = { A: m.excellentMeans, B: m.goodMeans, C: m.fairMeans, D: m.basicMeans };

/** `Quality: Good (B), natural, with an odd stress now and then`. */
export const qualityText = ({ grade }: Voice): string =>
  grade ? m.quality({ grade: m.gradeLetter({ grade: GRADES[grade](), letter: grade }), meaning: MEANINGS[grade]() }) : m.quality({ grade: m.notGraded(), meaning: m.listenToSample() });

/** Pages of a typical paperback novel have about 300 words. */
const CHARACTERS_PER_PAGE = 1800;
export const BOOK_PAGES = 300;
export const BOOK_CHARACTERS = BOOK_PAGES * CHARACTERS_PER_PAGE;

export const bookPrice = (voice: Voice): string => m.bookPrice({ pages: number(BOOK_PAGES), credits: credits(voice.price_per_character * BOOK_CHARACTERS) });
export const tierRequirement = (voice: Voice, tier: string): string => m.needsTier({ required: tierName(voice.tier), own: tierName(tier) });
