// Audio that is played while it arrives (Media Source Extensions).

export const LIVE_TYPE = 'audio/mpeg';

/** Safari on an iPhone has only the managed one. */
function implementation(): typeof MediaSource | undefined {
  const { MediaSource: plain, ManagedMediaSource: managed } = globalThis as { MediaSource?: typeof MediaSource; ManagedMediaSource?: typeof MediaSource };
  return [plain, managed].find((candidate) => candidate?.isTypeSupported(LIVE_TYPE));
}
export const canPlayLive = (): boolean => implementation() !== undefined;

export class LiveSource {
  /** For an audio element. */
  readonly url: string;
  readonly #source: MediaSource;
  readonly #arrived: Uint8Array<ArrayBuffer>[] = [];
  #buffer: SourceBuffer | null = null;
  #fed = 0;
  #hasEnded = false;
  #whole: string | null = null;

  constructor() {
    const Source = implementation() ?? MediaSource;
    this.#source = new Source();
    this.url = URL.createObjectURL(this.#source);
    this.#source.addEventListener('sourceopen', () => {
      if (this.#buffer) return;
      this.#buffer = this.#source.addSourceBuffer(LIVE_TYPE);
      this.#buffer.addEventListener('updateend', () => this.#feed());
      this.#feed();
    });
  }

  append(bytes: Uint8Array<ArrayBuffer>): void {
    if (!bytes.length) return;
    this.#arrived.push(bytes);
    this.#feed();
  }

  /** Nothing more arrives. */
  end(): void {
    this.#hasEnded = true;
    this.#feed();
  }

  get isEmpty(): boolean {
    return !this.#arrived.length;
  }

  /** The address of everything that has arrived, as one file. */
  get whole(): string {
    return (this.#whole ??= URL.createObjectURL(new Blob(this.#arrived, { type: LIVE_TYPE })));
  }

  /** Frees what was kept for its addresses. */
  release(): void {
    URL.revokeObjectURL(this.url);
    if (this.#whole) URL.revokeObjectURL(this.#whole);
  }

  #feed(): void {
    if (!this.#buffer || this.#buffer.updating || this.#source.readyState !== 'open') return;
    const next = this.#arrived[this.#fed];
    try {
      if (next) {
        this.#buffer.appendBuffer(next);
        this.#fed += 1;
      } else if (this.#hasEnded) this.#source.endOfStream();
    } catch {
      // The browser's buffer is full. It plays what it has, and then the whole audio.
      if (this.#hasEnded) this.#source.endOfStream();
    }
  }
}
