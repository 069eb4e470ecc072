// Files on their way, one after the other. They belong to no page: whoever looks at another one meanwhile loses nothing, and who
// closes the browser's tab is asked first.
import { Failure, onceKey, type Schemas } from '../api/client';
import { environment, type Environment } from './environment.svelte';
import { go, place } from './router.svelte';
import { session } from './session.svelte';
import { send } from './upload';

export type Upload = {
  id: number;
  file: File;
  title: string;
  environment: Environment;
  /** The same file that is sent again counts once. */
  once: string;
  share: number;
  status: 'waiting' | 'sending' | 'done' | 'failed';
  failure: unknown;
  material: Schemas['Material'] | null;
  /** Whether its page is opened when it is there. */
  opens: boolean;
};

class Uploads {
  all = $state<Upload[]>([]);
  /** Counts the uploads that ended: lists look again. */
  ended = $state(0);
  #stop: (() => void) | null = null;
  #last = 0;

  /** Those under way. */
  readonly active = $derived(this.all.filter((one) => one.status === 'waiting' || one.status === 'sending'));

  add(files: Iterable<File>, title = ''): void {
    const list = [...files];
    for (const file of list) {
      const upload: Upload = {
        id: ++this.#last, file, title: list.length === 1 ? title.trim() : '', environment: environment.now, once: onceKey(),
        share: 0, status: 'waiting', failure: null, material: null, opens: list.length === 1 && !this.active.length,
      };
      const largest = session.me?.max_file_bytes ?? Number.POSITIVE_INFINITY;
      if (file.size > largest) {
        upload.status = 'failed';
        upload.failure = new Failure('file_too_large', '', 413, { max_bytes: largest });
      }
      this.all.push(upload);
    }
    this.#next();
  }

  again(id: number): void {
    const upload = this.#find(id);
    if (!upload) return;
    [upload.status, upload.failure, upload.share] = ['waiting', null, 0];
    this.#next();
  }

  /** Stops one that is under way, and takes it off the list. */
  remove(id: number): void {
    const upload = this.#find(id);
    this.all = this.all.filter((one) => one.id !== id);
    if (upload?.status === 'sending') this.#stop?.();
  }

  stopAll(): void {
    this.all = [];
    this.#stop?.();
  }

  #find(id: number): Upload | undefined {
    return this.all.find((one) => one.id === id);
  }

  async #next(): Promise<void> {
    if (this.all.some((one) => one.status === 'sending')) return;
    const upload = this.all.find((one) => one.status === 'waiting');
    if (!upload) return;
    upload.status = 'sending';
    try {
      const sending = send(upload.file, upload.title, upload.once, upload.environment, (share) => (upload.share = share));
      this.#stop = sending.stop;
      upload.material = await sending.done;
      upload.status = 'done';
      // What is done stands in the list below; its own page is where its owner goes on.
      this.all = this.all.filter((one) => one.id !== upload.id);
      if (upload.opens && place.path === '/materials' && environment.now === upload.environment) go(`/materials/${upload.material.id}`);
    } catch (error) {
      upload.failure = error;
      upload.status = 'failed';
      upload.opens = false;
    }
    this.#stop = null;
    this.ended += 1;
    this.#next();
  }
}

export const uploads = new Uploads();

addEventListener('beforeunload', (event) => {
  if (uploads.active.length) event.preventDefault();
});
