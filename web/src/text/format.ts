// Numbers, money and times as people read them.
import { currentLanguage, currentLocale, perLocale } from '../i18n/language.svelte';
import * as m from '../i18n/messages/common';
import { primarySubtag } from './language';

const numberFormat = perLocale((locale) => new Intl.NumberFormat(locale));
const percentFormat = perLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent' }));
const dateFormats = (options: Intl.DateTimeFormatOptions): (() => Intl.DateTimeFormat) => perLocale((locale) => new Intl.DateTimeFormat(locale, options));
const dateTimeFormat = dateFormats({ dateStyle: 'medium', timeStyle: 'short' });
const timeFormat = dateFormats({ timeStyle: 'short' });
const dateFormat = dateFormats({ dateStyle: 'medium' });
const dayFormat = dateFormats({ month: 'short', day: 'numeric', timeZone: 'UTC' });
const listFormat = perLocale((locale) => new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' }));

export const number = (value: number): string => numberFormat().format(value);
/** `45%`, of a share from 0 to 1. */
export const percent = (share: number): string => percentFormat().format(share);
/** `16 million`. */
export const roundNumber = (value: number): string => new Intl.NumberFormat(currentLocale(), { notation: 'compact', compactDisplay: 'long' }).format(value);
/** `Heart or Robin`. */
export const either = (items: string[]): string => new Intl.ListFormat(currentLocale(), { type: 'disjunction' }).format(items);
/** `read, write, admin`. */
export const list = (items: string[]): string => listFormat().format(items);
/** Short facts one after the other. */
export const facts = (items: string[]): string => items.join(currentLanguage() === 'ja' ? '、' : ', ');
export const credits = (count: number): string => m.creditCount({ count });
/** What a voice costs. */
export const pricePerCharacter = ({ price_per_character: price }: { price_per_character: number }): string => m.perCharacter({ credits: credits(price) });
export const characters = (count: number): string => m.characterCount({ count });
/** The parts of a book. */
export const parts = (count: number): string => m.partCount({ count });
export const dateTime = (time: string): string => dateTimeFormat().format(new Date(time));
/** The time of a day. */
export const time = (at: string): string => timeFormat().format(new Date(at));
export const date = (time: string): string => dateFormat().format(new Date(time));
/** A calendar day such as `2026-03-01`, without its year. */
export const day = (isoDate: string): string => dayFormat().format(new Date(`${isoDate}T00:00:00Z`));

/** `minor` is in the currency's smallest unit, such as cents. */
export function money(minor: number, currency: string): string {
  const format = new Intl.NumberFormat(currentLocale(), { style: 'currency', currency: currency.toUpperCase() });
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** `15 minutes`. */
export const minutesLong = (minutes: number): string => new Intl.NumberFormat(currentLocale(), { style: 'unit', unit: 'minute', unitDisplay: 'long' }).format(minutes);

const oneDecimal = perLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }));
export function bytes(count: number): string {
  if (count < 1024) return m.bytes({ count });
  if (count < 1024 ** 2) return m.kibibytes({ count: number(Math.round(count / 1024)) });
  return m.mebibytes({ count: oneDecimal().format(count / 1024 ** 2) });
}

export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  return hours ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}` : `${minutes}:${twoDigits(seconds % 60)}`;
}

/** `1.25`. */
export const fixed = (value: number, digits: number): string => new Intl.NumberFormat(currentLocale(), { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

/** `5.2 seconds`: for durations of seconds, not hours. */
export const secondsLong = (milliseconds: number): string =>
  new Intl.NumberFormat(currentLocale(), { style: 'unit', unit: 'second', unitDisplay: 'long', minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(milliseconds / 1000);

/** `5 h 35 min`. */
export function hoursAndMinutes(total: number): string {
  const [hours, minutes] = [Math.floor(total / 60), total % 60];
  return [hours ? m.hours({ count: number(hours) }) : '', minutes ? m.minutes({ count: minutes }) : ''].filter(Boolean).join(currentLanguage() === 'ja' ? '' : ' ');
}

/** Measured: 340,539 characters of an English book took 20,087 seconds at speed 1. */
const CHARACTERS_PER_SECOND = 17;

/** Languages in which a character says more. Measured on the books of the tests, and on typical sentences of all voices. */
const CHARACTERS_PER_SECOND_IN: Record<string, number> = { hi: 13, ja: 5.3, zh: 5.2 };

/** The approximate duration of a text's audio, for the middle of a sentence: `5 h 35 min`; null for less than a minute. */
export function speechDuration(characters: number, language?: string | null): string | null {
  const rate = CHARACTERS_PER_SECOND_IN[primarySubtag(language ?? 'en')] ?? CHARACTERS_PER_SECOND;
  const total = Math.round(characters / rate / 60);
  return total < 1 ? null : hoursAndMinutes(total);
}

/** The approximate duration of a text's audio: `About 5 h 35 min`. */
export function estimatedDuration(characters: number, language?: string | null): string {
  const duration = speechDuration(characters, language);
  return duration ? m.about({ duration }) : m.lessThanMinute();
}

/** The number of characters as the service charges them: Unicode scalar values. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

const BROWSERS: [RegExp, string][] = [[/Edg\//, 'Edge'], [/Firefox\//, 'Firefox'], [/Chrom(e|ium)\//, 'Chrome'], [/Safari\//, 'Safari']];
const SYSTEMS: [RegExp, string][] = [[/Android/, 'Android'], [/iPhone|iPad/, 'iOS'], [/Windows/, 'Windows'], [/Mac OS/, 'macOS'], [/Linux/, 'Linux']];

/** A short name for a user agent: `Firefox on Linux`. */
export function browserName(userAgent: string | null | undefined): string {
  if (!userAgent) return m.unknownBrowser();
  const match = (names: [RegExp, string][]): string | undefined => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [match(BROWSERS), match(SYSTEMS)];
  if (!browser) return userAgent.slice(0, 60);
  return system ? m.browserOnSystem({ browser, system }) : browser;
}
