// How the pages and their service worker name what they keep for offline use. Each downloaded book has a cache of its own, which is deleted as
// a whole.
export type BookKey = { account: string; environment: string; id: string };

const BOOK = 'lectern-book';
/** Holds who was signed in last. */
export const ME_CACHE = 'lectern-me';
/** On an answer that was kept, instead of one of the service. */
export const KEPT_HEADER = 'x-lectern-kept';
/** On kept audio: which recording it is. */
export const VERSION_HEADER = 'x-lectern-version';

export const bookCache = ({ account, environment, id }: BookKey): string => [BOOK, account, environment, id].join(' ');

/** Whose book a cache holds; null if it holds something else. */
export function parseBookCache(name: string): BookKey | null {
  const [kind, account, environment, id] = name.split(' ');
  return kind === BOOK && account && environment && id ? { account, environment, id } : null;
}

/** Whether a cache belongs to an account, and not to the application. */
export const isPersonal = (name: string): boolean => name === ME_CACHE || parseBookCache(name) !== null;

/** The address that the worker plays kept audio from. No route of the service has it. */
export const keptAudioUrl = ({ environment, id }: Pick<BookKey, 'environment' | 'id'>, index: number): string =>
  `/offline/${environment}/${encodeURIComponent(id)}/${index}`;

/** Where a book's cache says what it holds. */
export const DOWNLOAD_KEY = '/offline/download';

/** What tells one recording of a part from the next: its signed address without the signature. */
export const recordingOf = (audioUrl: string): string => new URL(audioUrl, 'https://lectern.invalid').pathname;
