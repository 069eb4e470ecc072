// Plays a voice's sample. The service makes a sample when it is first asked for, which can take a while.
import { environmentUrl } from '../api/client';
import { ApiError } from '../api/error';
import { checkSample } from '../api/requests';
import { player } from './player.svelte';

/** How long to wait for a sample that is being made. */
const PATIENCE_MS = 120_000;
const DEFAULT_RETRY_SECONDS = 2;

export class Sample {
  status = $state<'idle' | 'loading' | 'playing'>('idle');
  error = $state<unknown>(null);
  readonly #slug: string;
  #audio: HTMLAudioElement | null = null;
  /** Counts plays, so that one that was stopped while it loaded goes no further. */
  #attempt = 0;

  constructor(slug: string) {
    this.#slug = slug;
  }

  readonly stop = (): void => {
    this.#attempt += 1;
    this.#audio?.pause();
    this.status = 'idle';
  };

  toggle(): void {
    if (this.status === 'idle') this.#play();
    else this.stop();
  }

  async #play(): Promise<void> {
    player.claim(this.stop);
    const attempt = ++this.#attempt;
    [this.status, this.error] = ['loading', null];
    // The element plays in the handler of the click, which is what browsers allow. Its request waits until the sample is made.
    this.#audio ??= new Audio(environmentUrl(`/v1/bff/ereaders/${encodeURIComponent(this.#slug)}/sample`));
    this.#audio.onended = this.stop;
    player.apply(this.#audio);
    const giveUpAt = Date.now() + PATIENCE_MS;
    try {
      let isMade = false;
      while (!(await this.#start(this.#audio))) {
        if (attempt !== this.#attempt) return;
        // The service has it, and the browser still does not play it.
        if (isMade) throw new Error('This browser cannot play the sample.');
        isMade = await this.#waitUntilMade(giveUpAt);
        if (attempt !== this.#attempt) return;
        this.#audio.load();
      }
      if (attempt === this.#attempt) this.status = 'playing';
    } catch (error) {
      if (attempt !== this.#attempt) return;
      this.error = error;
      this.stop();
    }
  }

  async #start(audio: HTMLAudioElement): Promise<boolean> {
    try {
      audio.currentTime = 0;
      await audio.play();
      return true;
    } catch {
      return false;
    }
  }

  /** An audio element does not say why it failed, so the reason is requested. Throws it, unless waiting helps. Returns whether the
   * sample is there. */
  async #waitUntilMade(giveUpAt: number): Promise<boolean> {
    try {
      await checkSample(this.#slug);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 503 || Date.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, (error.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS) * 1000));
      return false;
    }
  }
}
