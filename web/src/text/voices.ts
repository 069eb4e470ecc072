// What pages say about voices.
import type { Voice } from '../api/types';
import { currentLanguage, currentLocale } from '../i18n/language.svelte';
import * as m from '../i18n/messages/voices';

export type Grade = NonNullable<Voice['grade']>;

/** A grade in words. */
export const GRADES: Record<Grade, () => string> = { A: m.excellent, B: m.good, C: m.fair, D: m.basic };

const TIERS: Record<string, () => string> = { free: m.free, standard: m.standard, premium: m.premium };
export const tierName = (tier: string): string => TIERS[tier]?.() ?? tier;

/** `Heart, Robin and Dora`. */
export const names = (list: string[]): string => new Intl.ListFormat(currentLanguage() === 'en' ? 'en-GB' : currentLocale()).format(list);

/** As many as fit side by side. */
export const MAX_COMPARED = 4;
