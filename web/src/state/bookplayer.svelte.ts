// Plays a book part by part on one line of time. Two audio elements take turns: while one plays, the other has loaded the next part, so that
// nothing is heard of the change. Where the next part is not converted yet it waits, and goes on by itself.
import { environment, type Environment } from '../api/environment.svelte';
import { ApiError } from '../api/error';
import type { Place } from '../api/places';
import type { Schemas } from '../api/types';
import { type Span, Timeline } from '../text/timeline';
import { type BookParts, type BookSource, ownBook } from './booksource';
import { listening } from './listening.svelte';
import { player } from './player.svelte';

export type Sleep = { kind: 'off' } | { kind: 'chapter' } | { kind: 'at'; time: number };

/** The next part is started this long before the end of the current one: what an element takes to begin. */
const LEAD_MS = 20;
/** From here on the end is timed exactly: `timeupdate` comes four times a second. */
const NEAR_MS = 700;
const SAVE_EVERY_MS = 10_000;
const REFRESH_MS = 2000;
const FADE_MS = 8000;
/** What is left of a book that counts as heard. */
const END_MS = 5000;

export class BookPlayer {
  readonly id: string;
  readonly source: BookSource;
  readonly environment: Environment = environment.current;
  material = $state.raw() as BookParts['material'];
  chunks = $state.raw<BookParts['chunks']>([]);
  chapters = $state.raw<BookParts['chapters']>([]);
  /** The current part, and how far it is. */
  index = $state(0);
  positionMs = $state(0);
  status = $state<'paused' | 'loading' | 'playing' | 'waiting' | 'ended'>('paused');
  error = $state<unknown>(null);
  sleep = $state.raw<Sleep>({ kind: 'off' });

  readonly parts = $derived.by(() => {
    const included = new Set(this.chapters.filter((chapter) => chapter.included).flatMap(({ chunk_indexes }) => chunk_indexes));
    return this.chunks.filter(({ index }) => included.has(index));
  });
  readonly timeline = $derived(new Timeline(this.parts));
  readonly hasAudio = $derived(this.parts.some(({ status }) => status === 'completed'));
  readonly timeMs = $derived(this.timeline.timeOf({ index: this.index, positionMs: this.positionMs }));
  /** The chapters that are in the book. */
  readonly contents = $derived(this.chapters.flatMap((chapter) => {
    const span = chapter.included ? this.timeline.spanOf(chapter) : null;
    return span ? [{ chapter, ...span }] : [];
  }));
  readonly chapter = $derived(this.contents.find(({ chapter }) => chapter.chunk_indexes.includes(this.index)) ?? null);
  readonly span = $derived<Span>(this.chapter ?? { startMs: 0, lengthMs: this.timeline.totalMs });
  readonly isWanted = $derived(this.status !== 'paused' && this.status !== 'ended');

  readonly elements: [HTMLAudioElement, HTMLAudioElement] = [new Audio(), new Audio()];
  #current = 0;
  /** The part that each element has loaded. */
  #loaded: [number | null, number | null] = [null, null];
  readonly #sources = new Map<number, Promise<string>>();
  /** Counts what the listener asked for, so that a late answer starts nothing. */
  #turn = 0;
  #changeTimer: ReturnType<typeof setTimeout> | undefined;
  #refreshTimer: ReturnType<typeof setTimeout> | undefined;
  #savedAt = 0;
  /** The spot that was saved last, and the time of the newest place that is known. */
  #savedSpot = '';
  #placeTime = 0;
  #retried = -1;

  constructor({ material, chunks, chapters }: BookParts, source: BookSource = ownBook(material.id)) {
    this.id = material.id;
    this.source = source;
    [this.material, this.chunks, this.chapters] = [material, chunks, chapters];
    this.index = this.parts[0]?.index ?? 0;
    this.elements.forEach((audio, slot) => this.#prepare(audio, slot));
    this.#turnTo(0);
    addEventListener('pagehide', this.#onLeave);
    document.addEventListener('visibilitychange', this.#onVisibility);
  }

  readonly #onVisibility = (): void => {
    if (document.hidden) this.#onLeave();
    else this.catchUp();
  };
  /** A page that is only looked at must not win over the device that plays: where it was paused is saved already. */
  readonly #onLeave = (): void => {
    if (this.isWanted) this.save();
  };

  /** A book with the place where it was left. */
  static async load(id: string): Promise<BookPlayer> {
    const source = ownBook(id);
    const book = new BookPlayer(await source.fetchBook(), source);
    await book.restore();
    return book;
  }

  get audio(): HTMLAudioElement {
    return this.elements[this.#current]!;
  }

  /** The exact position in the current part. */
  now(): number {
    return this.#loaded[this.#current] === this.index ? this.audio.currentTime * 1000 : this.positionMs;
  }

  /** Makes an element the one that is heard. */
  #turnTo(slot: number): void {
    this.#current = slot;
    this.elements.forEach((audio, at) => audio.toggleAttribute('data-current', at === slot));
  }

  #prepare(audio: HTMLAudioElement, slot: number): void {
    audio.preload = 'auto';
    const isCurrent = (): boolean => slot === this.#current;
    audio.ontimeupdate = () => isCurrent() && this.#tick();
    audio.onplaying = () => {
      if (!isCurrent()) return;
      [this.status, this.error] = ['playing', null];
      // Not at once: the other element may still be playing its last milliseconds.
      setTimeout(() => this.#prepareNext(), 250);
    };
    audio.onwaiting = () => isCurrent() && this.status === 'playing' && (this.status = 'loading');
    // The system can pause too: headphones that are pulled out, a call.
    audio.onpause = () => isCurrent() && !audio.ended && this.#loaded[slot] === this.index && this.status === 'playing' && this.pause();
    // Near its end the next part was begun, or is waited for, already.
    audio.onended = () => isCurrent() && this.#loaded[slot] === this.index && this.#goOn();
    audio.onratechange = () => isCurrent() && audio.playbackRate > 0 && player.saveFrom(audio);
    audio.onvolumechange = () => isCurrent() && this.#fade === 1 && player.saveFrom(audio);
    audio.onerror = () => isCurrent() && audio.src && this.#retry();
  }

  /** Where the listener left the book. */
  async restore(): Promise<void> {
    const place = await this.source.fetchPlace();
    if (!place || !this.timeline.has(place.chunk_index)) return;
    this.#placeTime = Date.parse(place.updated_at);
    if (!place.finished) this.#takePlace(place);
  }

  #takePlace({ chunk_index, position_ms }: Place): void {
    [this.index, this.positionMs] = [chunk_index, position_ms];
    this.#savedSpot = this.#spot;
  }

  get #spot(): string {
    return `${this.index} ${Math.round(this.positionMs)} ${this.status === 'ended'}`;
  }

  /** Goes to where the listener has come to in another tab or on another device, unless this one plays. */
  async catchUp(): Promise<void> {
    const turn = this.#turn;
    if (this.isWanted || environment.current !== this.environment) return;
    const place = await this.source.fetchPlace();
    if (!place || turn !== this.#turn || this.isWanted || Date.parse(place.updated_at) <= this.#placeTime || !this.timeline.has(place.chunk_index)) return;
    this.#placeTime = Date.parse(place.updated_at);
    this.#takePlace(place);
    this.status = 'paused';
    // What was loaded before is loaded: only its time is another one.
    if (this.#loaded[this.#current] !== null) await this.#goTo(place.chunk_index, place.position_ms, false);
  }

  /** Takes newer parts, such as those that were converted meanwhile. */
  update({ material, chunks, chapters }: BookParts): void {
    [this.material, this.chunks, this.chapters] = [material, chunks, chapters];
    if (this.status === 'waiting' && this.#statusOf(this.index) === 'completed') this.playAt(this.index, 0);
    else if (this.status === 'playing') this.#prepareNext();
  }

  #statusOf(index: number | null): Schemas['ChunkStatus'] | undefined {
    return index === null ? undefined : this.chunks[index]?.status;
  }

  /** Goes to a spot and plays from there. */
  playAt(index: number, positionMs = 0): Promise<void> {
    player.claim(this.pause);
    return this.#goTo(index, positionMs, true);
  }

  readonly play = (): Promise<void> => {
    const spot = this.status === 'ended' ? this.timeline.spotAt(0) : { index: this.index, positionMs: this.now() };
    return this.playAt(spot.index, spot.positionMs);
  };

  readonly pause = (): void => {
    this.#turn += 1;
    clearTimeout(this.#changeTimer);
    if (this.isWanted) [this.positionMs, this.status] = [this.now(), 'paused'];
    this.audio.pause();
    this.save();
  };

  readonly toggle = (): void => {
    if (this.isWanted) this.pause();
    else this.play();
  };

  /** Goes to a time of the book. What plays, goes on playing. */
  seek(timeMs: number): void {
    const { index, positionMs } = this.timeline.spotAt(timeMs);
    this.#goTo(index, positionMs, this.isWanted);
  }

  skip(seconds: number): void {
    this.seek(this.timeline.timeOf({ index: this.index, positionMs: this.now() }) + seconds * 1000);
  }

  /** To the next chapter or the one before. Like everywhere, Back first goes to the start of the current one. */
  goChapter(step: 1 | -1): void {
    const at = this.contents.findIndex((one) => one.chapter === this.chapter?.chapter);
    const isInside = this.timeMs - this.span.startMs > 3000;
    const target = step < 0 && isInside ? this.contents[at] : this.contents[at + step];
    if (target) this.seek(target.startMs);
  }

  async #goTo(index: number, positionMs: number, plays: boolean): Promise<void> {
    const turn = ++this.#turn;
    clearTimeout(this.#changeTimer);
    clearTimeout(this.#refreshTimer);
    this.error = null;
    const isOther = this.#loaded[this.#current] !== index;
    if (isOther) this.audio.pause();
    [this.index, this.positionMs] = [index, positionMs];
    if (isOther && this.#loaded[1 - this.#current] === index) this.#turnTo(1 - this.#current);
    this.status = plays ? 'loading' : 'paused';
    // iPhones let an element play later only if it was touched by a press.
    const other = this.elements[1 - this.#current]!;
    if (plays && !other.src) other.load();
    try {
      const audio = this.audio;
      if (this.#loaded[this.#current] !== index) {
        const source = await this.#source(index);
        if (turn !== this.#turn) return;
        this.#load(this.#current, index, source);
      }
      player.apply(audio);
      if (Math.abs(audio.currentTime * 1000 - positionMs) > 1) audio.currentTime = positionMs / 1000;
      if (!plays) return this.save();
      await audio.play();
    } catch (error) {
      if (turn !== this.#turn) return;
      if (error instanceof ApiError && error.code === 'chunk_not_ready') return plays ? this.#wait() : undefined;
      // A press that came too late for the browser: the listener presses again.
      this.status = 'paused';
      if (!(error instanceof DOMException && ['AbortError', 'NotAllowedError'].includes(error.name))) this.error = error;
    }
    this.save();
  }

  #source(index: number): Promise<string> {
    const known = this.#sources.get(index) ?? this.source.fetchAudio(index);
    this.#sources.set(index, known);
    known.catch(() => this.#sources.delete(index));
    return known;
  }

  #load(slot: number, index: number, source: string): void {
    const audio = this.elements[slot]!;
    audio.src = source;
    this.#loaded[slot] = index;
    player.apply(audio);
  }

  /** A signed address ends after a day: a failure is worth one new address. */
  #retry(): void {
    this.#forget(this.index);
    if (this.#retried === this.index) {
      this.status = 'paused';
      this.error = new ApiError('audio_unplayable', 'This part cannot be played. Check your connection, and press Play again.', 0);
      return;
    }
    this.#retried = this.index;
    this.#goTo(this.index, this.positionMs, this.isWanted);
  }

  #forget(index: number): void {
    this.#sources.delete(index);
    for (const slot of [0, 1] as const) if (this.#loaded[slot] === index) this.#loaded[slot] = null;
    if (this.#loaded[this.#current] === null) this.audio.pause();
  }

  /** Takes the new audio of a part that was spoken again. */
  async renew(index: number): Promise<void> {
    this.#forget(index);
    if (index === this.index) await this.#goTo(index, 0, this.isWanted);
  }

  async #prepareNext(): Promise<void> {
    const next = this.timeline.neighbor(this.index, 1);
    const slot = 1 - this.#current;
    if (next === null || this.#statusOf(next) !== 'completed' || this.#loaded[slot] === next) return;
    const source = await this.#source(next).catch(() => null);
    if (source && slot !== this.#current && this.timeline.neighbor(this.index, 1) === next) this.#load(slot, next, source);
  }

  #tick(): void {
    const audio = this.audio;
    if (this.#loaded[this.#current] !== this.index) return;
    this.positionMs = audio.currentTime * 1000;
    if (Date.now() - this.#savedAt > SAVE_EVERY_MS) this.save();
    this.#checkSleep();
    clearTimeout(this.#changeTimer);
    const leftMs = ((audio.duration - audio.currentTime) * 1000) / audio.playbackRate;
    if (this.status === 'playing' && leftMs < NEAR_MS) this.#changeTimer = setTimeout(() => this.#goOn(), Math.max(0, leftMs - LEAD_MS));
  }

  /** The current part ends: plays the next one, waits for it, or ends. */
  #goOn(): void {
    clearTimeout(this.#changeTimer);
    if (!this.isWanted) return;
    const next = this.timeline.neighbor(this.index, 1);
    if (next === null) {
      [this.status, this.positionMs] = ['ended', this.audio.duration * 1000];
      this.save();
      return;
    }
    const endsChapter = !this.chapter?.chapter.chunk_indexes.includes(next);
    if (this.sleep.kind === 'chapter' && endsChapter) {
      this.sleep = { kind: 'off' };
      this.pause();
      this.#goTo(next, 0, false);
      return;
    }
    const slot = 1 - this.#current;
    if (this.#loaded[slot] === next) {
      const turn = ++this.#turn;
      this.#turnTo(slot);
      [this.index, this.positionMs] = [next, 0];
      player.apply(this.audio);
      this.audio.play().catch((error: unknown) => turn === this.#turn && this.#fail(error));
      this.save();
    } else if (this.#statusOf(next) === 'completed') this.#goTo(next, 0, true);
    else {
      [this.index, this.positionMs] = [next, 0];
      this.#wait();
    }
  }

  #fail(error: unknown): void {
    [this.status, this.error] = ['paused', error];
  }

  /** Until the part is converted. Asks the server, because the page that receives events may be closed. */
  #wait(): void {
    this.status = 'waiting';
    this.save();
    const turn = ++this.#turn;
    const look = async (): Promise<void> => {
      const found = await this.source.fetchBook().catch(() => null);
      if (turn !== this.#turn) return;
      if (found) this.update(found);
      if (turn === this.#turn) this.#refreshTimer = setTimeout(look, REFRESH_MS);
    };
    this.#refreshTimer = setTimeout(look, REFRESH_MS);
  }

  /** What keeps the part from being played, while it is waited for. */
  readonly waitsFor = $derived(this.status === 'waiting' ? this.#statusOf(this.index) : undefined);

  /** What a sleep timer leaves of the volume. */
  #fade = 1;
  #checkSleep(): void {
    const leftMs = this.sleep.kind === 'at' ? this.sleep.time - Date.now() : Number.POSITIVE_INFINITY;
    const fade = this.status === 'playing' ? Math.min(1, Math.max(0, leftMs / FADE_MS)) : 1;
    if (fade !== this.#fade) {
      // Not the volume that the listener has chosen.
      [this.#fade, this.audio.volume] = [fade, player.volume * fade];
    }
    if (leftMs > 0) return;
    this.sleep = { kind: 'off' };
    this.pause();
    this.#fade = 1;
    player.apply(this.audio);
  }

  readonly save = (): void => {
    // Before anything was played there is nothing to remember.
    if (this.status === 'paused' && this.#turn === 0) return;
    this.#savedAt = Date.now();
    if (this.#spot === this.#savedSpot) return;
    const { totalMs } = this.timeline;
    const timeMs = this.timeline.timeOf({ index: this.index, positionMs: this.positionMs });
    const finished = this.status === 'ended' || (totalMs > 0 && totalMs - timeMs < END_MS && this.status !== 'waiting' && totalMs > 4 * END_MS);
    if (environment.current !== this.environment) return;
    this.#savedSpot = this.#spot;
    const updatedAt = this.source.savePlace({ chunk_index: this.index, position_ms: Math.round(this.positionMs), progress: totalMs ? Math.min(1, timeMs / totalMs) : 0, finished });
    this.#placeTime = Date.parse(updatedAt);
  };

  stop(): void {
    this.pause();
    clearTimeout(this.#refreshTimer);
    for (const audio of this.elements) {
      audio.removeAttribute('src');
      audio.load();
    }
    this.#loaded = [null, null];
    removeEventListener('pagehide', this.#onLeave);
    document.removeEventListener('visibilitychange', this.#onVisibility);
  }
}

/** The player of a book: the one that is open, or a new one that starts where the listener was. */
export async function openBook(parts: BookParts): Promise<BookPlayer> {
  const open = listening.book;
  if (open?.id === parts.material.id && open.environment === environment.current) {
    open.update(parts);
    return open;
  }
  const book = new BookPlayer(parts);
  await book.restore();
  listening.open(book);
  return book;
}
