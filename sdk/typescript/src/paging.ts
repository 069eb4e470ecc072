// Lists that come in pages.

export interface Page<T> {
  data: T[];
  /** Where the next page begins; absent or null on the last one. */
  next_cursor?: string | null;
}

/** A list of any length. Iterating over it fetches page after page; nothing is fetched before. */
export class Pager<T> implements AsyncIterable<T> {
  readonly #fetch: (cursor: string | undefined) => Promise<Page<T>>;
  readonly #start: string | undefined;

  constructor(fetch: (cursor: string | undefined) => Promise<Page<T>>, start: string | undefined) {
    this.#fetch = fetch;
    this.#start = start;
  }

  /** One page: the first, or that at a cursor. */
  page(cursor: string | undefined = this.#start): Promise<Page<T>> {
    return this.#fetch(cursor);
  }

  /** All pages, one after the other. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let page = await this.page();
    yield page;
    while (page.next_cursor) {
      page = await this.page(page.next_cursor);
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /** All items. */
  async all(): Promise<T[]> {
    const items = [];
    for await (const item of this) items.push(item);
    return items;
  }
}
