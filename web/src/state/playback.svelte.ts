// Short audio that a button plays: a range of a recording, or words that are spoken for it and paid once.
import { SvelteMap } from 'svelte/reactivity';
import { api, environmentQuery, unwrap } from '../api/client';
import { environment } from '../api/environment.svelte';
import { idempotencyHeader, IdempotentRequest } from '../api/idempotency';
import { session } from '../api/session.svelte';
import type { Schemas, Voice } from '../api/types';
import { countCharacters } from '../text/format';
import { primarySubtag } from '../text/language';
import type { Word } from '../text/lexicons';
import { wordElement } from '../text/ssml';
import { player } from './player.svelte';

type Range = { startMs: number; endMs: number };

export class Playback {
  status = $state<'idle' | 'loading' | 'playing'>('idle');
  error = $state<unknown>(null);
  #audio: HTMLAudioElement | null = null;
  #attempt = 0;

  readonly stop = (): void => {
    this.#attempt += 1;
    this.#audio?.pause();
    this.status = 'idle';
  };

  async play(findSource: () => Promise<string>, range?: Range): Promise<void> {
    player.claim(this.stop);
    const attempt = ++this.#attempt;
    [this.status, this.error] = ['loading', null];
    // Made in the handler of the click, which is what browsers allow to play.
    const audio = (this.#audio = new Audio());
    audio.onended = this.stop;
    try {
      audio.src = await findSource();
      player.apply(audio);
      if (range) {
        audio.currentTime = range.startMs / 1000;
        this.#stopAt(range.endMs, audio);
      }
      if (attempt !== this.#attempt) return;
      await audio.play();
      if (attempt === this.#attempt) this.status = 'playing';
    } catch (error) {
      if (attempt !== this.#attempt) return;
      this.stop();
      this.error = error;
    }
  }

  /**
   * Stops at the end of a range. The browser tells of the time as rarely as every 250 ms, by when the next word is heard, so a timer
   * looks in between. The element is watched as long as it is there: a key of a headset may play it on.
   */
  #stopAt(endMs: number, audio: HTMLAudioElement): void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const leftMs = (): number => endMs - audio.currentTime * 1000;
    const check = (): void => {
      if (leftMs() > 0) return;
      if (audio === this.#audio) this.stop();
      else audio.pause();
    };
    audio.ontimeupdate = () => {
      clearTimeout(timer);
      timer = setTimeout(check, Math.max(leftMs(), 0) / audio.playbackRate);
    };
    audio.onpause = () => clearTimeout(timer);
  }
}

/** A word, said by a voice in one of its languages. */
export type Hearing = { word: Word; voice: Voice; language: string };

/** The characters that hearing a word costs: other words are said themselves. */
export const heardCharacters = ({ word, kind, said }: Word): number => countCharacters((kind === 'alias' ? said : word).trim());

/** What was paid in this tab, which plays again for nothing. Signed addresses are valid for a day. */
const paid = new SvelteMap<string, { url: string; until: number }>();
const paidKey = ({ word: { word, kind, said }, voice, language }: Hearing): string =>
  JSON.stringify([session.me?.account.id, environment.current, voice.id, language, kind, kind === 'alias' ? '' : word.trim(), said.trim()]);
const paidUrl = (hearing: Hearing): string | null => {
  const found = paid.get(paidKey(hearing));
  return found && found.until > Date.now() ? found.url : null;
};

/** What hearing a word costs now. */
export const hearingPrice = (hearing: Hearing): number =>
  environment.current === 'test' || paidUrl(hearing) ? 0 : heardCharacters(hearing.word) * hearing.voice.price_per_character;

const request = new IdempotentRequest<Schemas['SynthesizeRequest']>();

/** Speaks a word, unless that was done before, and returns its audio. */
export async function hear(hearing: Hearing): Promise<string> {
  const known = paidUrl(hearing);
  if (known) return known;
  const { word, voice, language } = hearing;
  const isAlias = word.kind === 'alias';
  const makeBody = (): Schemas['SynthesizeRequest'] => ({
    // A pronunciation of ordinary letters is markup in SSML only.
    text: isAlias ? word.said.trim() : `<speak>${wordElement({ word: word.word.trim(), kind: word.kind, said: word.said.trim() })}</speak>`,
    text_type: isAlias ? 'text' : 'ssml', ereader_id: voice.id, format: 'mp3', speed: 1, pitch: 0, loudness: 'standard', timestamps: 'none', lexicon_ids: [],
    language: voice.languages.find((own) => primarySubtag(own) === primarySubtag(language)) ?? voice.languages[0] ?? language,
  });
  const key = paidKey(hearing);
  const { audio_url, expires_at } = await request.send(key, makeBody, (idempotencyKey, body) =>
    unwrap(api.POST('/v1/bff/tts:synthesize', { params: { ...environmentQuery(), ...idempotencyHeader(idempotencyKey) }, body })),
  );
  paid.set(key, { url: audio_url, until: Date.parse(expires_at) });
  return audio_url;
}
