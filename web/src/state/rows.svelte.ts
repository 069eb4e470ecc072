// The rows of a list that is had page by page: how many are shown stays with the history's entry, so that Back, a change of one
// row and a look at what is new all leave the list as long as it is.
import { keep, recall } from './router.svelte';

type Page<T> = { data: T[]; next_cursor?: string | null };

/** Rows at first, and rows that each press adds: as many as the service sends at once. */
const FIRST = 50;
const MORE = 100;

export class Rows<T> {
  all = $state<T[] | null>(null);
  cursor = $state<string | null>(null);
  busy = $state(false);
  failure = $state<unknown>(null);
  #turn = 0;

  /** `fetch` asks for one page. */
  constructor(
    readonly name: string,
    readonly fetch: (position: { limit: number; cursor?: string }) => Promise<Page<T>>,
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
        const page = await this.fetch({ limit, ...(next ? { cursor: next } : {}) });
        found.push(...page.data);
        next = page.next_cursor ?? null;
      } while (next && found.length < wanted);
      // What was asked for later has newer rows.
      if (turn !== this.#turn) return;
      [this.all, this.cursor] = [found, next];
      keep(this.name, found.length);
    } catch (error) {
      if (turn === this.#turn) this.failure = error;
    }
    if (turn === this.#turn) this.busy = false;
  }

  /** The newest rows, as many as are shown, or were when this entry of the history was left. */
  look(): Promise<void> {
    const shown = this.all?.length ?? Number(recall(this.name) ?? 0);
    return this.#take(Math.max(FIRST, shown), null, []);
  }

  /** Looks without a sign of it, as what comes by itself does. Whoever asked for something meanwhile is not held up. */
  async refresh(): Promise<void> {
    if (this.busy) return;
    await this.look();
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
