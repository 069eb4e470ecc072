// A list that is loaded page by page. The number of rows is stored with the history entry, so that the list keeps its length
// through Back, changes of a row, and new rows.
import { ApiError } from '../api/error';
import { readFromHistory, saveInHistory } from './router.svelte';

type Page<T> = { data: T[]; next_cursor?: string | null };
type PageQuery = { limit: number; cursor?: string };
type Source<T> = {
  /** Names the list in the history entry. */
  name: string;
  key: (row: T) => string;
  fetchPage: (query: PageQuery) => Promise<Page<T>>;
  /** Whether the row will change without the user doing anything. */
  isUnfinished?: (row: T) => boolean;
  /** Fetches one row again. A 404 means that it was deleted. */
  fetchRow?: (row: T) => Promise<T>;
};

const FIRST_PAGE = 50;
/** The service's maximum. */
const MAX_PAGE = 100;
/** How many unfinished rows below the first page one refresh fetches. The next refresh continues with the others. */
const ROWS_PER_REFRESH = 6;

export class PagedList<T> {
  rows = $state<T[] | null>(null);
  cursor = $state<string | null>(null);
  busy = $state(false);
  error = $state<unknown>(null);
  readonly #source: Source<T>;
  /** Counts loads, so that the result of an outdated one is dropped. */
  #load = 0;
  #refreshOffset = 0;

  constructor(source: Source<T>) {
    this.#source = source;
  }

  /** Loads as many of the newest rows as are shown, or were shown when the user left this history entry. */
  load(): Promise<void> {
    const shown = this.rows?.length ?? Number(readFromHistory(this.#source.name) ?? 0);
    return this.#fetchUntil(Math.max(FIRST_PAGE, shown), null, []);
  }

  /** Loads the first page of what the source lists now. Until it is there, the rows of before stay. */
  restart(): Promise<void> {
    return this.#fetchUntil(FIRST_PAGE, null, []);
  }

  loadMore(): Promise<void> {
    const shown = this.rows ?? [];
    return this.#fetchUntil(shown.length + MAX_PAGE, this.cursor, shown);
  }

  /** Loads the rest of the list, to search in it. */
  async loadAll(): Promise<void> {
    if (this.cursor && !this.busy) await this.#fetchUntil(Number.MAX_SAFE_INTEGER, this.cursor, this.rows ?? []);
  }

  /**
   * Updates the list at a cost that does not depend on its length: fetches the first page, and some of the unfinished rows below
   * it. Shows no progress, gives way to other loads, and rejects without changing the list when a request fails.
   */
  async refresh(): Promise<void> {
    if (this.busy) return;
    if (!this.rows) return this.load();
    const load = this.#load;
    const { key } = this.#source;
    const page = await this.#source.fetchPage({ limit: FIRST_PAGE });
    const newest = new Set(page.data.map(key));
    const changed = await this.#refetchBelow(newest);
    if (load !== this.#load) return;

    // The rows after the last row of the page that is in the list stay. Searched from the end, because a changed row may have
    // moved up from far below.
    const positions = new Map(this.rows.map((row, index) => [key(row), index]));
    let common = page.data.length - 1;
    while (common >= 0 && !positions.has(key(page.data[common] as T))) common -= 1;
    const end = common < 0 ? undefined : positions.get(key(page.data[common] as T));
    const next = page.next_cursor ?? null;
    const below = next && end !== undefined ? this.rows.slice(end + 1).filter((row) => !newest.has(key(row))) : [];
    // More rows are new than fit on a page, so some between the page and the list are unknown.
    if (next && (end === undefined || (below.length && common < page.data.length - 1))) return this.load();
    const kept = below.map((row) => (changed.has(key(row)) ? changed.get(key(row)) : row)).filter((row) => row != null);
    this.#show([...page.data, ...kept], kept.length ? this.cursor : next);
  }

  async #fetchUntil(count: number, from: string | null, before: T[]): Promise<void> {
    const load = ++this.#load;
    this.busy = true;
    this.error = null;
    try {
      const rows = [...before];
      let next = from;
      do {
        const limit = Math.min(MAX_PAGE, Math.max(1, count - rows.length));
        const page = await this.#source.fetchPage({ limit, ...(next ? { cursor: next } : {}) });
        // A row may have moved to a later page meanwhile.
        const known = new Set(rows.map(this.#source.key));
        rows.push(...page.data.filter((row) => !known.has(this.#source.key(row))));
        next = page.next_cursor ?? null;
      } while (next && rows.length < count);
      if (load !== this.#load) return;
      this.#show(rows, next);
    } catch (error) {
      if (load === this.#load) this.error = error;
    }
    if (load === this.#load) this.busy = false;
  }

  #show(rows: T[], next: string | null): void {
    [this.rows, this.cursor] = [rows, next];
    saveInHistory(this.#source.name, rows.length);
  }

  /** Fetches some of the unfinished rows that are not among the newest; `null` for a deleted one. */
  async #refetchBelow(newest: Set<string>): Promise<Map<string, T | null>> {
    const { key, isUnfinished, fetchRow } = this.#source;
    if (!isUnfinished || !fetchRow) return new Map();
    const unfinished = (this.rows ?? []).filter((row) => isUnfinished(row) && !newest.has(key(row)));
    if (this.#refreshOffset >= unfinished.length) this.#refreshOffset = 0;
    const batch = unfinished.slice(this.#refreshOffset, this.#refreshOffset + ROWS_PER_REFRESH);
    this.#refreshOffset += ROWS_PER_REFRESH;
    const fetchOrNull = (row: T): Promise<T | null> =>
      fetchRow(row).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      });
    return new Map(await Promise.all(batch.map(async (row) => [key(row), await fetchOrNull(row)] as const)));
  }
}
