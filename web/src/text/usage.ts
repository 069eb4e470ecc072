// What was spoken and what it cost: ranges of days, sums in words, and what a month ahead costs.
import type { Schemas } from '../api/types';
import * as m from '../i18n/messages/usage';
import { DAY_MS, type DayRange, isoDay, MAX_DAYS } from './days';

export type UsageKind = 'day' | 'ereader' | 'key' | 'book';
export const usageKinds: Record<UsageKind, () => string> = { day: m.day, ereader: m.voice, key: m.key, book: m.book };

/** What is wrong with a range; null if nothing is. */
export function rangeProblem({ from, to }: DayRange): string | null {
  if (!from || !to) return m.bothDays();
  if (from > to) return m.wrongOrder();
  return Date.parse(to) - Date.parse(from) >= MAX_DAYS * DAY_MS ? m.tooLong({ count: MAX_DAYS }) : null;
}

/** One bar of the chart for each voice, on top of each other. */
export type Series = { id: string; name: string; values: number[] };

/** The characters of each day, by voice. Voices that said the most come first. */
export function seriesByVoice(usage: Schemas['DayUsage'][], days: string[], names: Map<string, string>): Series[] {
  const at = new Map(days.map((day, index) => [day, index]));
  const series = new Map<string, Series>();
  for (const { day, ereader_id, characters } of usage) {
    const index = at.get(day);
    if (index === undefined) continue;
    const one = series.get(ereader_id) ?? { id: ereader_id, name: names.get(ereader_id) ?? m.removedVoice(), values: days.map(() => 0) };
    one.values[index] = (one.values[index] ?? 0) + characters;
    series.set(ereader_id, one);
  }
  const total = ({ values }: Series): number => values.reduce((sum, value) => sum + value, 0);
  return [...series.values()].sort((a, b) => total(b) - total(a));
}

export const COLORS = 5;
/** The color of each of these: what has one keeps it, so that a voice looks the same whatever else was used. */
export function assignColors(known: Record<string, number>, ids: string[]): Record<string, number> {
  const assigned = { ...known };
  for (const id of ids) {
    if (assigned[id] !== undefined) continue;
    const counts = Array.from({ length: COLORS }, (_, color) => Object.values(assigned).filter((one) => one === color).length);
    assigned[id] = counts.indexOf(Math.min(...counts));
  }
  return assigned;
}

/** `perMonth`: what 30 days cost at the pace since the first of these days. `days`: how long the credits last; null if nothing is spent. */
export type Forecast = { perMonth: number; days: number | null; basedOn: number };

/** From the sums of the last 30 days. A new account is not thought to spend in a month what it spent on its first day: a week counts at least. */
export function forecast(usage: { key: string; credits: number }[], available: number, today: number): Forecast | null {
  const spent = usage.reduce((sum, { credits }) => sum + credits, 0);
  const first = usage.find(({ credits }) => credits > 0)?.key;
  if (!first || spent <= 0) return null;
  const basedOn = Math.min(30, Math.max(7, Math.round((Date.parse(isoDay(today)) - Date.parse(first)) / DAY_MS) + 1));
  const perDay = spent / basedOn;
  return { perMonth: Math.round(perDay * 30), days: available > 0 ? Math.floor(available / perDay) : 0, basedOn };
}

/** What credits cost in money at the best price of the packs, in the currency's smallest unit; null without packs. */
export function priceOf(credits: number, packs: Pick<Schemas['Pack'], 'credits' | 'price_minor' | 'currency'>[]): { minor: number; currency: string } | null {
  const best = packs.filter((pack) => pack.credits > 0).sort((a, b) => a.price_minor / a.credits - b.price_minor / b.credits)[0];
  return best ? { minor: Math.round((credits * best.price_minor) / best.credits), currency: best.currency } : null;
}
