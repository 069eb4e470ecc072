// The upload queue: one file at a time. It belongs to no page, so it goes on while the user visits other pages. Closing the tab
// asks for confirmation while an upload is running.
import { environment, type Environment } from '../api/environment.svelte';
import { ApiError, unreachable } from '../api/error';
import { newIdempotencyKey } from '../api/idempotency';
import { session } from '../api/session.svelte';
import { address, navigate } from './router.svelte';

export type Upload = {
  id: number;
  file: File;
  title: string;
  environment: Environment;
  /** Stays the same through retries, so that the file is added once. */
  idempotencyKey: string;
  /** The share that has been sent, from 0 to 1. */
  share: number;
  status: 'waiting' | 'sending' | 'failed';
  error: unknown;
  /** Whether the page of the new material is opened when the upload has finished. */
  opensPage: boolean;
};

class UploadQueue {
  all = $state<Upload[]>([]);
  /** How many uploads have ended. Lists reload when it changes. */
  endedCount = $state(0);
  #abort: (() => void) | null = null;
  #lastId = 0;

  readonly active = $derived(this.all.filter((upload) => upload.status !== 'failed'));

  add(files: Iterable<File>, title = ''): void {
    const list = [...files];
    const isSingle = list.length === 1;
    const maxBytes = session.me?.max_file_bytes ?? Number.POSITIVE_INFINITY;
    for (const file of list) {
      const isTooLarge = file.size > maxBytes;
      this.all.push({
        id: ++this.#lastId,
        file,
        title: isSingle ? title.trim() : '',
        environment: environment.current,
        idempotencyKey: newIdempotencyKey(),
        share: 0,
        status: isTooLarge ? 'failed' : 'waiting',
        error: isTooLarge ? new ApiError('file_too_large', '', 413, { max_bytes: maxBytes }) : null,
        opensPage: isSingle && !this.active.length,
      });
    }
    this.#startNext();
  }

  retry(id: number): void {
    const upload = this.#find(id);
    if (!upload) return;
    [upload.status, upload.error, upload.share] = ['waiting', null, 0];
    this.#startNext();
  }

  /** Removes an upload from the list, and cancels it if it is running. */
  remove(id: number): void {
    const upload = this.#find(id);
    this.all = this.all.filter((other) => other.id !== id);
    if (upload?.status === 'sending') this.#abort?.();
  }

  cancelAll(): void {
    this.all = [];
    this.#abort?.();
  }

  #find(id: number): Upload | undefined {
    return this.all.find((upload) => upload.id === id);
  }

  async #startNext(): Promise<void> {
    if (this.all.some((upload) => upload.status === 'sending')) return;
    const upload = this.all.find((candidate) => candidate.status === 'waiting');
    if (!upload) return;
    upload.status = 'sending';
    try {
      // Not before the first upload: this is in the frame of every page.
      const { uploadFile } = await import('../api/upload').catch(() => {
        throw unreachable();
      });
      if (!this.#find(upload.id)) return void this.#startNext();
      const { done, abort } = uploadFile(upload.file, { ...upload, onprogress: (share) => (upload.share = share) });
      this.#abort = abort;
      const material = await done;
      this.all = this.all.filter((other) => other.id !== upload.id);
      const isOnList = ['/', '/books'].includes(address.path) && environment.current === upload.environment;
      if (upload.opensPage && isOnList) navigate(`/books/${material.id}`);
    } catch (error) {
      upload.error = error;
      upload.status = 'failed';
      upload.opensPage = false;
    }
    this.#abort = null;
    this.endedCount += 1;
    this.#startNext();
  }
}

export const uploads = new UploadQueue();

addEventListener('beforeunload', (event) => {
  if (uploads.active.length) event.preventDefault();
});
