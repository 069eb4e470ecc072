// The usage of a range of days, added up in several ways.
import { api, environmentQuery, unwrap } from '../api/client';
import type { Schemas } from '../api/types';
import { deletedBook, removedVoice, thesePages } from '../i18n/messages/usage';
import { dayAfter, type DayRange, lastDays } from '../text/days';
import { assignColors, type UsageKind } from '../text/usage';
import { fetchStatement } from './statement';

export type UsageRow = { id: string; name: string; href?: string; characters: number | null; credits: number; requests: number };

const COLORS_KEY = 'lectern.colors';
/** The color of each voice, which stays the same in this browser. */
export function colorsOf(ids: string[]): Record<string, number> {
  let known: Record<string, number> = {};
  try {
    known = (JSON.parse(localStorage.getItem(COLORS_KEY) ?? '{}') as Record<string, number> | null) ?? {};
  } catch {
    // Colors are assigned anew.
  }
  const assigned = assignColors(known, ids);
  try {
    localStorage.setItem(COLORS_KEY, JSON.stringify(assigned));
  } catch {
    // Without storage the colors last as long as the page.
  }
  return assigned;
}

export const fetchUsage = async ({ from, to }: DayRange, group_by: Schemas['UsageGroup']): Promise<Schemas['UsageSum'][]> =>
  (await unwrap(api.GET('/v1/bff/usage', { params: environmentQuery({ from, to: dayAfter(to), group_by }) }))).data;

/** What the usage of the last 30 days is, for all that shows it first. */
export type Month = { range: DayRange; days: Promise<Schemas['UsageSum'][]> };
export function usageOfMonth(): Month {
  const range = lastDays(30, Date.now());
  const days = fetchUsage(range, 'day');
  // Who shows it tells of a failure.
  days.catch(() => undefined);
  return { range, days };
}

async function keyNames(): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  let cursor: string | null | undefined = null;
  do {
    const query: { limit: number; cursor?: string } = { limit: 100, ...(cursor ? { cursor } : {}) };
    const page: Schemas['Page_ApiKey'] = await unwrap(api.GET('/v1/bff/keys', { params: environmentQuery(query) }));
    for (const { id, name } of page.data) names.set(id, name);
    cursor = page.next_cursor;
  } while (cursor);
  return names;
}

/** The sums by voice, key or book, the largest first. */
export async function fetchRows(kind: Exclude<UsageKind, 'day'>, range: DayRange, voices: Map<string, string>): Promise<UsageRow[]> {
  if (kind === 'book') {
    const lines = await fetchStatement(range, 'book');
    const rows = lines.map(({ material_id, title, at, credits, entries }) => ({
      id: material_id ?? at, name: title ?? deletedBook(), ...(title && material_id ? { href: `/books/${material_id}` } : {}), characters: null, credits: -credits, requests: entries,
    }));
    return rows.sort((a, b) => b.credits - a.credits);
  }
  const [sums, names] = await Promise.all([fetchUsage(range, kind), kind === 'key' ? keyNames() : voices]);
  // The pages speak with a key of their own, which is not listed.
  const nameless = kind === 'key' ? thesePages() : removedVoice();
  return sums.map(({ key, characters, credits, requests }) => ({ id: key, name: names.get(key) ?? nameless, characters, credits, requests }));
}
