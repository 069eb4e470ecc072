// The lines of the ledger.
import { api, environmentQuery, unwrap } from '../api/client';
import type { Schemas } from '../api/types';
import { dayAfter, type DayRange } from '../text/days';

/** All lines of the ledger of these days. */
export async function fetchStatement({ from, to }: Partial<DayRange>, kind?: Schemas['StatementKind']): Promise<Schemas['StatementLine'][]> {
  const lines: Schemas['StatementLine'][] = [];
  let cursor: string | null | undefined = null;
  do {
    const query: { limit: number; cursor?: string } = { limit: 100, ...(cursor ? { cursor } : {}) };
    const range = { ...(from ? { from } : {}), ...(to ? { to: dayAfter(to) } : {}), ...(kind ? { kind } : {}) };
    const page: Schemas['Page_StatementLine'] = await unwrap(api.GET('/v1/bff/credits/statement', { params: environmentQuery({ ...query, ...range }) }));
    lines.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor);
  return lines;
}
