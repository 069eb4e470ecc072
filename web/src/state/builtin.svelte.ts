// Plays a recording that is built into the pages. Safari plays media only from servers that send ranges of a file, which those of the pages are
// not, so the recording is fetched and decoded as a whole.
import { fetchAsset } from '../api/resources';
import { player } from './player.svelte';

export class BuiltInAudio {
  status = $state<'idle' | 'loading' | 'playing'>('idle');
  hasFailed = $state(false);
  readonly #url: string;
  #context: AudioContext | null = null;
  #buffer: AudioBuffer | null = null;
  #source: AudioBufferSourceNode | null = null;
  /** What the context's clock says at the start of the recording. */
  #zero = 0;
  #stoppedAtMs = 0;

  constructor(url: string) {
    this.#url = url;
  }

  now(): number {
    return this.status === 'playing' && this.#context ? (this.#context.currentTime - this.#zero) * 1000 : this.#stoppedAtMs;
  }

  readonly stop = (): void => {
    this.#stoppedAtMs = this.now();
    this.#end();
  };

  #end(): void {
    if (this.#source) this.#source.onended = null;
    this.#source?.stop();
    this.#source = null;
    this.status = 'idle';
  }

  toggle(): void {
    if (this.status === 'idle') this.play(this.#stoppedAtMs);
    else this.stop();
  }

  async play(fromMs: number): Promise<void> {
    player.claim(this.stop);
    this.#end();
    [this.status, this.hasFailed] = ['loading', false];
    // Made in the handler of the press, which is what browsers allow to play.
    const context = (this.#context ??= new AudioContext());
    try {
      await context.resume();
      this.#buffer ??= await context.decodeAudioData(await fetchAsset(this.#url));
    } catch {
      [this.status, this.hasFailed] = ['idle', true];
      return;
    }
    if (this.status !== 'loading') return;
    const source = context.createBufferSource();
    source.buffer = this.#buffer;
    source.connect(context.destination);
    source.onended = () => {
      this.#stoppedAtMs = 0;
      this.#end();
    };
    source.start(0, fromMs / 1000);
    [this.#source, this.#zero] = [source, context.currentTime - fromMs / 1000];
    this.status = 'playing';
  }
}
