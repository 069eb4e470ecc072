// A text that is heard from its first sentence on, while the rest is spoken.
import { ApiError } from '../api/error';
import { IdempotentRequest } from '../api/idempotency';
import { findSpoken, openSpeechStream, type SpeechStream } from '../api/speechstream';
import type { Schemas } from '../api/types';
import { canPlayLive, LiveSource } from './livesource';
import { bodyOf, formOf, Speech, spokenOf, spokenTexts, type Spoken, type Wish } from './speech.svelte';

export class LiveSpeech extends Speech {
  /** Whether it can be stopped: from the request until everything has arrived. */
  isRunning = $state(false);
  /** Whether the user has stopped it after its beginning. */
  isStopped = $state(false);
  readonly #request = new IdempotentRequest<Schemas['StreamRequest']>();
  #abort = new AbortController();
  #source: LiveSource | null = null;

  /** Speaks a text; as a whole when the browser cannot play what still arrives. */
  override async speak(wish: Wish): Promise<boolean> {
    if (this.task.busy) return false;
    this.isStopped = false;
    if ((wish.format ?? 'mp3') !== 'mp3' || !canPlayLive()) return super.speak(wish);
    this.#abort = new AbortController();
    this.isRunning = true;
    const done = await this.task.run(() => this.#stream(wish, this.#abort.signal));
    this.isRunning = false;
    return done;
  }

  /** Ends what is spoken. What was spoken until then is paid and can be heard again. */
  stop(): void {
    if (!this.isRunning) return;
    this.isStopped = true;
    this.isRunning = false;
    this.#abort.abort();
  }

  /** Ends it, and frees its audio. */
  leave(): void {
    this.stop();
    this.#source?.release();
    this.#source = null;
  }

  async #stream(wish: Wish, signal: AbortSignal): Promise<void> {
    const start = performance.now();
    const makeBody = (): Schemas['StreamRequest'] => ({ ...bodyOf(wish), timestamps: 'none' });
    let stream: SpeechStream;
    try {
      stream = await this.#request.send(formOf(wish), makeBody, (key, body) => openSpeechStream(body, key, signal));
    } catch (error) {
      // Who stops before the first sound has paid nothing, and begins anew.
      if (!signal.aborted) throw error;
      this.isStopped = false;
      return this.#request.forget();
    }
    this.#source?.release();
    const source = (this.#source = new LiveSource());
    const spoken = spokenOf(wish, synthesisOf(stream, wish), start);
    const isWhole = await this.#receive(stream, source, spoken);
    source.end();
    this.isRunning = false;
    await this.#finish(stream, source, { spoken, isWhole, isStopped: signal.aborted });
  }

  /** Plays what arrives. Returns whether that is everything. */
  async #receive(stream: SpeechStream, source: LiveSource, spoken: Spoken): Promise<boolean> {
    try {
      for await (const piece of stream.pieces) {
        source.append(piece.bytes);
        spoken.synthesis.timestamps = [...(spoken.synthesis.timestamps ?? []), ...piece.timestamps];
        spoken.live = { url: source.url, whole: null, isSettled: false };
        this.result = { ...spoken, synthesis: { ...spoken.synthesis } };
      }
      return true;
    } catch {
      return false;
    }
  }

  /** Learns what was charged, and where the audio is kept. */
  async #finish(stream: SpeechStream, source: LiveSource, { spoken, isWhole, isStopped }: { spoken: Spoken; isWhole: boolean; isStopped: boolean }): Promise<void> {
    const isHere = (): boolean => this.#source === source;
    if (!isHere()) return;
    // What has arrived can be heard at once, whatever the history says and when.
    const live = source.isEmpty ? null : { url: source.url, whole: source.whole };
    if (live) this.result = { ...spoken, live: { ...live, isSettled: false } };
    const entry = await findSpoken(stream.id, isWhole);
    if (!isHere()) return;
    const isLost = !isWhole && !isStopped;
    const kept = entry?.audio_url ?? null;
    // The service may have delivered more than has arrived.
    const whole = (isLost ? kept : null) ?? live?.whole ?? kept;
    if (whole) {
      const synthesis = { ...spoken.synthesis, ...(entry ? chargeOf(entry) : {}), audio_url: kept ?? whole };
      this.result = { ...spoken, synthesis, ...(live ? { live: { url: live.url, whole, isSettled: isWhole || entry !== null } } : {}) };
      if (kept) spokenTexts.add(this.result);
    }
    if (isLost && entry?.characters !== stream.characters) throw new ApiError('stream_interrupted', 'The speech was interrupted.', 0);
  }
}

const chargeOf = ({ characters, credits_charged, duration_ms, sample_rate_hz, audio_expires_at }: Schemas['HistoryEntry']) => ({
  characters, credits_charged, duration_ms, sample_rate_hz, ...(audio_expires_at ? { expires_at: audio_expires_at } : {}),
});

/** A synthesis of which only the beginning is known. */
const synthesisOf = ({ id, characters, credits }: SpeechStream, { voice }: Wish): Schemas['Synthesis'] => ({
  id, characters, credits_charged: credits, ereader_id: voice.id, audio_url: '', expires_at: new Date(0).toISOString(), format: 'mp3', duration_ms: 0, sample_rate_hz: 0, timestamps: [],
});
