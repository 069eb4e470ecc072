// Which book is being listened to, for the frame of all pages. The player itself is loaded with the first book that is opened.
import { environment } from '../api/environment.svelte';
import { session } from '../api/session.svelte';
import type { BookPlayer } from './bookplayer.svelte';

const STORAGE_KEY = 'lectern.listening';
const owner = (): string => `${session.me?.account.id} ${environment.current}`;

class Listening {
  book = $state.raw<BookPlayer | null>(null);

  /** Makes this the book that is listened to, also after a reload. */
  open(book: BookPlayer): void {
    if (this.book !== book) this.book?.stop();
    this.book = book;
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify({ owner: owner(), id: book.id }));
    } catch {
      // Without storage there is no player after a reload.
    }
  }

  /** Ends listening, until something is played again. */
  close(): void {
    this.stop();
    try {
      localStorage.removeItem(STORAGE_KEY);
    } catch {
      // It was never stored.
    }
  }

  /** Stops the sound and hides the player. */
  stop(): void {
    this.book?.stop();
    this.book = null;
  }

  /** The book that was listened to before a reload; null if it was another account's. */
  get lastId(): string | null {
    try {
      const saved = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as { owner: string; id: string } | null;
      return saved?.owner === owner() ? saved.id : null;
    } catch {
      return null;
    }
  }
}

export const listening = new Listening();

/** Shows the book of before the reload, paused where it was. */
export async function resume(): Promise<void> {
  const id = listening.lastId;
  if (!id || listening.book) return;
  const { BookPlayer } = await import('./bookplayer.svelte');
  const book = await BookPlayer.load(id).catch(() => null);
  // Meanwhile another may have been opened, or the account left.
  if (!listening.book && listening.lastId === id) {
    if (book?.hasAudio) listening.open(book);
    else if (book) listening.close();
  }
}
