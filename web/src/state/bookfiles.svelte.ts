// Files of whole books that are being made. The work goes on while the user visits other pages.
import { askForBookFile, type BookFileQuery, bookFileUrl } from '../api/books';
import { environment } from '../api/environment.svelte';
import { ApiError } from '../api/error';
import { session } from '../api/session.svelte';

const sleep = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

function saveFile(url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}

export class BookFile {
  status = $state<'idle' | 'making' | 'made'>('idle');
  /** From 0 to 1; null while the service has not said it. */
  progress = $state<number | null>(null);
  error = $state<unknown>(null);

  constructor(
    private readonly id: string,
    private readonly query: BookFileQuery,
  ) {}

  /** The message about an earlier download has been read. */
  forget(): void {
    if (this.status === 'made') this.status = 'idle';
  }

  /** Waits until the file is made, and downloads it. */
  async download(): Promise<void> {
    if (this.status === 'making') return;
    [this.status, this.progress, this.error] = ['making', null, null];
    // The file of the environment that the user was in.
    const url = bookFileUrl(this.id, this.query);
    const place = environment.current;
    try {
      for (;;) {
        const { isMade, progress, retryAfterSeconds } = await this.#ask();
        if (isMade) break;
        if (progress !== null) this.progress = progress;
        await sleep(retryAfterSeconds);
        if (environment.current !== place || !session.me) throw new ApiError('cancelled', 'The download was stopped.', 0);
      }
      this.status = 'made';
      saveFile(url);
    } catch (error) {
      [this.status, this.error] = ['idle', error];
    }
  }

  async #ask(): Promise<{ isMade: boolean; progress: number | null; retryAfterSeconds: number }> {
    try {
      return await askForBookFile(this.id, this.query);
    } catch (error) {
      // Too many files are waited for at once.
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      return { isMade: false, progress: null, retryAfterSeconds: error.retryAfterSeconds ?? 5 };
    }
  }
}

const files = new Map<string, BookFile>();

/** A file of a book; the same one as long as the application is open. */
export function openBookFile(id: string, query: BookFileQuery): BookFile {
  const key = JSON.stringify([session.me?.account.id, environment.current, id, query]);
  const file = files.get(key) ?? new BookFile(id, query);
  files.set(key, file);
  return file;
}
