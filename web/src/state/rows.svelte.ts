// The rows of a list that is loaded page by page. How many are shown is kept with the history's entry, so that Back, a change of
// one row and the arrival of new ones all leave the list as long as it is.
import { keep, recall } from './router.svelte';

type Page<T> = { data: T[]; next_cursor?: string | null };
type Kind<T> = {
  /** What identifies a row. */
  key: (row: T) => string;
  /** Asks for one page. */
  fetch: (position: { limit: number; cursor?: string }) => Promise<Page<T>>;
  /** Whether a row will change without anybody's doing. */
  isUnfinished?: (row: T) => boolean;
  /** Asks for one row; `null` when it is gone. */
  fetchOne?: (row: T) => Promise<T | null>;
};

/** Rows at first, and rows that each press adds: as many as the service sends at once. */
const FIRST = 50;
const MORE = 100;
/** Unfinished rows below the first page that one refresh asks for; the others follow in the next ones. */
const MOST_BELOW = 6;

export class Rows<T> {
  all = $state<T[] | null>(null);
  cursor = $state<string | null>(null);
  busy = $state(false);
  failure = $state<unknown>(null);
  #turn = 0;
  #below = 0;

  constructor(
    readonly name: string,
    readonly kind: Kind<T>,
  ) {}

  async #take(wanted: number, from: string | null, before: T[]): Promise<void> {
    const turn = ++this.#turn;
    this.busy = true;
    this.failure = null;
    try {
      const found = [...before];
      let next = from;
      do {
        const limit = Math.min(MORE, Math.max(1, wanted - found.length));
        const page = await this.kind.fetch({ limit, ...(next ? { cursor: next } : {}) });
        found.push(...page.data);
        next = page.next_cursor ?? null;
      } while (next && found.length < wanted);
      // What was asked for later has newer rows.
      if (turn !== this.#turn) return;
      this.#show(found, next);
    } catch (error) {
      if (turn === this.#turn) this.failure = error;
    }
    if (turn === this.#turn) this.busy = false;
  }

  #show(rows: T[], next: string | null): void {
    [this.all, this.cursor] = [rows, next];
    keep(this.name, rows.length);
  }

  /** Loads as many of the newest rows as are shown, or were shown when this entry of the history was left. */
  look(): Promise<void> {
    const shown = this.all?.length ?? Number(recall(this.name) ?? 0);
    return this.#take(Math.max(FIRST, shown), null, []);
  }

  /**
   * Brings the list up to date at the same cost however long it is: its first page, and single rows below that are unfinished.
   * Nothing shows that it runs, and what somebody loads meanwhile wins. It throws what a request throws, and leaves the list alone.
   */
  async refresh(): Promise<void> {
    if (this.busy) return;
    if (!this.all) return this.look();
    const turn = this.#turn;
    const { key } = this.kind;
    const page = await this.kind.fetch({ limit: FIRST });
    const newest = new Set(page.data.map(key));
    const changed = await this.#fetchBelow(newest);
    if (turn !== this.#turn) return;

    // From the last row of the page that is in the list, the list goes on as it is. From the end, because a row that changed may
    // have come up from far below.
    const places = new Map(this.all.map((row, at) => [key(row), at]));
    let common = page.data.length - 1;
    while (common >= 0 && !places.has(key(page.data[common] as T))) common -= 1;
    const end = common < 0 ? undefined : places.get(key(page.data[common] as T));
    const next = page.next_cursor ?? null;
    const below = next && end !== undefined ? this.all.slice(end + 1).filter((row) => !newest.has(key(row))) : [];
    // Rows between the page and the list are not known: more are new than a page holds.
    if (next && (end === undefined || (below.length && common < page.data.length - 1))) return this.look();
    const kept = below.map((row) => (changed.has(key(row)) ? changed.get(key(row)) : row)).filter((row) => row != null);
    this.#show([...page.data, ...kept], kept.length ? this.cursor : next);
  }

  /** The unfinished rows that are not on the first page, as they are now. */
  async #fetchBelow(newest: Set<string>): Promise<Map<string, T | null>> {
    const { key, isUnfinished, fetchOne } = this.kind;
    if (!isUnfinished || !fetchOne) return new Map();
    const all = (this.all ?? []).filter((row) => isUnfinished(row) && !newest.has(key(row)));
    if (this.#below >= all.length) this.#below = 0;
    const asked = all.slice(this.#below, this.#below + MOST_BELOW);
    this.#below += MOST_BELOW;
    return new Map(await Promise.all(asked.map(async (row) => [key(row), await fetchOne(row)] as const)));
  }

  more(): Promise<void> {
    const shown = this.all ?? [];
    return this.#take(shown.length + MORE, this.cursor, shown);
  }

  /** All rows there are, for a search among them. */
  async rest(): Promise<void> {
    if (this.cursor && !this.busy) await this.#take(Number.MAX_SAFE_INTEGER, this.cursor, this.all ?? []);
  }
}
