// The chapters of a book: which are included, and what they are called. A choice is shown at once and saved in the background.
import { fetchChapters, updateChapter } from '../api/books';
import { ApiError } from '../api/error';
import type { Schemas } from '../api/types';
import { findChapters } from '../text/chapters';

type Chapter = Schemas['Chapter'];

export const CHAPTERS_PER_PAGE = 50;
const REQUESTS_AT_ONCE = 4;
const sleep = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

export class BookChapters {
  readonly id: string;
  all = $state.raw<Chapter[]>([]);
  search = $state('');
  page = $state(0);
  /** Why the last change was not saved. */
  error = $state<unknown>(null);
  /** How far a change of many chapters is. */
  progress = $state.raw<{ done: number; total: number } | null>(null);
  /** What is being saved, by the index of the chapter. */
  #choices = $state.raw<Map<number, boolean>>(new Map());
  #saving: Promise<unknown> = Promise.resolve();
  #isStopped = false;
  /** Counts the changes that the service has accepted. */
  #changes = 0;

  readonly included = $derived(this.all.filter((chapter) => this.isIncluded(chapter)));
  /** The indexes of the parts of the included chapters. */
  readonly includedParts = $derived(new Set(this.included.flatMap(({ chunk_indexes }) => chunk_indexes)));
  readonly found = $derived(findChapters(this.all, this.search));
  readonly pages = $derived(Math.max(1, Math.ceil(this.found.length / CHAPTERS_PER_PAGE)));
  readonly current = $derived(Math.min(this.page, this.pages - 1));
  readonly shown = $derived(this.found.slice(this.current * CHAPTERS_PER_PAGE, (this.current + 1) * CHAPTERS_PER_PAGE));

  /** `requests`: those of the service, unless a test has its own. */
  constructor(
    id: string,
    private readonly requests = { fetchChapters, updateChapter },
  ) {
    this.id = id;
  }

  isIncluded({ index, included }: Chapter): boolean {
    return this.#choices.get(index) ?? included;
  }

  /** The chapters as the service has them, not older than any change that was made here. */
  async newest(): Promise<Chapter[]> {
    for (;;) {
      const changes = this.#changes;
      const found = await this.requests.fetchChapters(this.id);
      if (changes === this.#changes) return found;
    }
  }
  async load(): Promise<void> {
    this.all = await this.newest();
  }

  /** Waits until all choices are saved. */
  async settled(): Promise<void> {
    let last: unknown = null;
    while (last !== this.#saving) {
      last = this.#saving;
      await this.#saving;
    }
  }

  async rename(index: number, title: string | null): Promise<void> {
    this.#take([await this.requests.updateChapter(this.id, index, { title })]);
  }

  /** Includes a chapter or leaves it out. Returns whether that was saved. */
  setIncluded(index: number, included: boolean): Promise<boolean> {
    this.error = null;
    this.#choices = new Map(this.#choices).set(index, included);
    // One after the other, so that the last choice is the one that stays.
    const saving = this.#saving.then(async () => {
      try {
        this.#take([await this.requests.updateChapter(this.id, index, { included })]);
        return true;
      } catch (error) {
        this.error = error;
        return false;
      } finally {
        if (this.#choices.get(index) === included) this.#forget([index]);
      }
    });
    this.#saving = saving;
    return saving;
  }

  /** Includes the chapters that `isWanted` accepts, and leaves out all others. Returns how many were changed. */
  async choose(isWanted: (chapter: Chapter) => boolean): Promise<number> {
    await this.settled();
    [this.error, this.#isStopped] = [null, false];
    const todo = this.all.filter((chapter) => isWanted(chapter) !== chapter.included).map(({ index, included }) => ({ index, included: !included }));
    if (!todo.length) return 0;
    let done = 0;
    let next = 0;
    const work = async (): Promise<void> => {
      const changed: Chapter[] = [];
      while (next < todo.length && !this.#isStopped) {
        const { index, included } = todo[next++]!;
        changed.push(await this.#patient(() => this.requests.updateChapter(this.id, index, { included })));
        this.progress = { done: ++done, total: todo.length };
      }
      // Once for all: each assignment draws the page anew.
      this.#take(changed);
    };
    this.progress = { done, total: todo.length };
    const saving = Promise.allSettled(Array.from({ length: REQUESTS_AT_ONCE }, work));
    this.#saving = saving;
    for (const result of await saving) if (result.status === 'rejected') [this.error, this.#isStopped] = [result.reason, true];
    // The chapters that were changed before an error.
    if (this.error) await this.load().catch(() => undefined);
    this.progress = null;
    return done;
  }

  /** Changes no more chapters. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Waits for the service where it asks for that. */
  async #patient<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 429 || this.#isStopped) {
          this.#isStopped = true;
          throw error;
        }
        await sleep(error.retryAfterSeconds ?? 5);
      }
    }
  }

  #take(changed: Chapter[]): void {
    const byIndex = new Map(changed.map((chapter) => [chapter.index, chapter]));
    this.#changes += 1;
    if (byIndex.size) this.all = this.all.map((chapter) => byIndex.get(chapter.index) ?? chapter);
  }

  #forget(indexes: number[]): void {
    this.#choices = new Map([...this.#choices].filter(([index]) => !indexes.includes(index)));
  }
}
