// Books that are kept in this browser, to be played offline. A download goes on while other pages are shown, and after an interruption it
// continues with what is missing. The service worker answers from what is kept here.
import { fetchChapters, fetchCover, fetchMaterial, fetchParts } from '../api/books';
import { api, environmentQuery, environmentUrl, unwrap } from '../api/client';
import { environment } from '../api/environment.svelte';
import { ApiError } from '../api/error';
import { fetchPartAudio, fetchVoices } from '../api/requests';
import { session } from '../api/session.svelte';
import type { Schemas } from '../api/types';
import { bookCache, type BookKey, DOWNLOAD_KEY, keptAudioUrl, parseBookCache, recordingOf, VERSION_HEADER } from '../offline/names';

/** What a book's cache holds. */
type Kept = { updated_at: string; bytes: number; done: number; total: number; isComplete: boolean };
export type DownloadStatus = 'unknown' | 'none' | 'downloading' | 'paused' | 'full' | 'failed' | 'partial' | 'outdated' | 'downloaded';

const REQUESTS_AT_ONCE = 2;
const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError';
const isAway = (error: unknown): boolean => error instanceof ApiError && (error.status === 0 || [502, 503, 504].includes(error.status));

/** Whether this browser can keep books at all. Private windows and pages without HTTPS cannot. */
export const canDownload = (): boolean => 'serviceWorker' in navigator && 'caches' in globalThis && navigator.serviceWorker.controller !== null;

/** The books of the current account and environment that are kept as a whole, or in part. */
export async function downloadedBooks(): Promise<Set<string>> {
  if (!('caches' in globalThis)) return new Set();
  const keys = (await caches.keys()).flatMap((name) => parseBookCache(name) ?? []);
  return new Set(keys.filter((key) => key.account === session.me?.account.id && key.environment === environment.current).map(({ id }) => id));
}

class BookDownload {
  status = $state<DownloadStatus>('unknown');
  done = $state(0);
  total = $state(0);
  bytes = $state(0);
  error = $state<unknown>(null);
  readonly #key: BookKey;
  /** Counts the runs, so that one that was stopped stores nothing more. */
  #run = 0;

  constructor(key: BookKey) {
    this.#key = key;
    addEventListener('online', () => this.status === 'paused' && this.start());
  }

  get #cacheName(): string {
    return bookCache(this.#key);
  }

  /** Finds out what is kept. */
  async look(material: Schemas['Material']): Promise<void> {
    const kept = await this.#read();
    if (this.status === 'downloading') return;
    // What stopped a download is told until it goes on, also if nothing was kept yet.
    const isStopped = ['paused', 'full', 'failed'].includes(this.status);
    if (!kept) this.status = isStopped ? this.status : 'none';
    else {
      [this.done, this.total, this.bytes] = [kept.done, kept.total, kept.bytes];
      if (isStopped) return;
      this.status = !kept.isComplete ? 'partial' : kept.updated_at === material.updated_at ? 'downloaded' : 'outdated';
    }
  }

  async #read(): Promise<Kept | null> {
    if (!(await caches.has(this.#cacheName))) return null;
    const kept = await caches.match(DOWNLOAD_KEY, { cacheName: this.#cacheName });
    return kept ? ((await kept.json()) as Kept) : null;
  }

  readonly start = async (): Promise<void> => {
    if (this.status === 'downloading') return;
    const run = ++this.#run;
    [this.status, this.error] = ['downloading', null];
    // So that the browser does not delete the book when it needs room. It decides by itself, and may ask.
    navigator.storage.persist?.().catch(() => undefined);
    try {
      await this.#fetchAll(run);
      if (run === this.#run) this.status = 'downloaded';
    } catch (error) {
      if (run !== this.#run) return;
      this.error = error;
      this.status = isFull(error) ? 'full' : isAway(error) ? 'paused' : 'failed';
    }
  };

  /** Stops a download, and deletes what is kept. */
  readonly remove = async (): Promise<void> => {
    this.#run += 1;
    await caches.delete(this.#cacheName);
    [this.status, this.done, this.bytes, this.error] = ['none', 0, 0, null];
  };

  async #fetchAll(run: number): Promise<void> {
    const { id } = this.#key;
    const [material, chunks, chapters] = await Promise.all([fetchMaterial(id), fetchParts(id), fetchChapters(id)]);
    const cache = await caches.open(this.#cacheName);
    const keep = async (url: string, body: unknown): Promise<void> => {
      if (run !== this.#run) throw new DOMException('The download was stopped.', 'AbortError');
      await cache.put(url, body instanceof Response ? body : new Response(body instanceof Blob ? body : JSON.stringify(body), { headers: { 'Content-Type': body instanceof Blob ? body.type : 'application/json' } }));
    };
    const route = `/v1/bff/materials/${encodeURIComponent(id)}`;
    await keep(environmentUrl('/v1/bff/ereaders', { limit: '100' }), { data: await fetchVoices(), next_cursor: null });
    await keep(environmentUrl(route), material);
    await keep(environmentUrl(`${route}/chunks`, { limit: '1000' }), { data: chunks, next_cursor: null });
    await keep(environmentUrl(`${route}/chapters`), { data: chapters });
    const cast = await unwrap(api.GET('/v1/bff/materials/{id}/cast', { params: { path: { id }, ...environmentQuery() } }));
    await keep(environmentUrl(`${route}/cast`), cast);
    if (material.has_cover) await keep(environmentUrl(`${route}/cover`), await fetchCover(id));

    const included = new Set(chapters.filter((chapter) => chapter.included).flatMap(({ chunk_indexes }) => chunk_indexes));
    const parts = chunks.filter(({ index, status }) => included.has(index) && status === 'completed');
    const before = await this.#read();
    [this.total, this.done, this.bytes] = [parts.length, 0, 0];
    const write = (isComplete: boolean): Promise<void> =>
      keep(DOWNLOAD_KEY, { updated_at: material.updated_at, bytes: this.bytes, done: this.done, total: this.total, isComplete } satisfies Kept);
    if (!before) await write(false);
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < parts.length) {
        const { index } = parts[next++]!;
        this.bytes += await this.#fetchPart(cache, index, keep);
        this.done += 1;
        await write(false);
      }
    };
    await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, work));
    await write(true);
  }

  /** Keeps a part: its audio, its text and the times of its words. Returns the size of the audio. */
  async #fetchPart(cache: Cache, index: number, keep: (url: string, body: unknown) => Promise<void>): Promise<number> {
    const { id } = this.#key;
    const url = keptAudioUrl(this.#key, index);
    const params = { path: { id, index }, ...environmentQuery() };
    const address = await fetchPartAudio(id, index);
    const route = `/v1/bff/materials/${encodeURIComponent(id)}/chunks/${index}`;
    const version = recordingOf(address);
    const kept = await cache.match(url, { ignoreVary: true });
    // The worker answers with the kept audio where that is the recording that the service has.
    if (kept && (version === url || kept.headers.get(VERSION_HEADER) === version)) return (await kept.blob()).size;
    const [audio, text, times] = await Promise.all([
      unwrap(api.GET('/v1/bff/materials/{id}/chunks/{index}/audio', { params, parseAs: 'blob', cache: 'no-cache' })) as unknown as Promise<Blob>,
      unwrap(api.GET('/v1/bff/materials/{id}/chunks/{index}/text', { params })),
      unwrap(api.GET('/v1/bff/materials/{id}/chunks/{index}/timestamps', { params })),
    ]);
    await keep(environmentUrl(`${route}/text`), text);
    await keep(environmentUrl(`${route}/timestamps`), times);
    // Last: what is kept of a part is complete once its audio is there.
    await keep(url, new Response(audio, { headers: { 'Content-Type': audio.type, 'Content-Length': String(audio.size), [VERSION_HEADER]: version } }));
    return audio.size;
  }
}

const known = new Map<string, BookDownload>();

/** The download of a book, which outlives the page that shows it. */
export function downloadOf(id: string): BookDownload {
  const key: BookKey = { account: session.me?.account.id ?? '', environment: environment.current, id };
  const name = bookCache(key);
  const download = known.get(name) ?? new BookDownload(key);
  known.set(name, download);
  return download;
}
export type { BookDownload };
