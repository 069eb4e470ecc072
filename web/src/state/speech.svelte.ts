// Text that the user lets voices say: the text itself, which is the same on every page, and a request to speak it.
import { api, environmentQuery, unwrap } from '../api/client';
import { environment } from '../api/environment.svelte';
import { idempotencyHeader, IdempotentRequest } from '../api/idempotency';
import { session } from '../api/session.svelte';
import type { Schemas, Voice } from '../api/types';
import { Task } from './task.svelte';

/** The service's maximum. */
export const MAX_CHARACTERS = 5000;

/** The formats that browsers play; telephony's and raw samples have no header. */
export const playable = (formats: Schemas['AudioFormat'][]): Schemas['AudioFormat'][] =>
  formats.filter((format) => ['mp3', 'wav', 'flac', 'opus'].includes(format));

class OwnText {
  #text = $state('');
  #owner = $state<string | null>(null);

  /** Empty until the user has typed something. Nobody sees the text of another account. */
  get value(): string {
    return this.#owner === session.me?.account.id ? this.#text : '';
  }

  set value(text: string) {
    this.#owner = session.me?.account.id ?? null;
    this.#text = text;
  }
}

export const ownText = new OwnText();

/** The service's maximum of a text in SSML with its elements. */
export const MAX_SSML_CHARACTERS = 40_000;

export type Wish = {
  voice: Voice;
  text: string;
  isSsml?: boolean;
  /** Empty for the voice's first. */
  language?: string;
  format?: Schemas['AudioFormat'];
  speed?: number;
  pitch?: number;
  /** The IDs of the voices of speakers. */
  speakers?: Record<string, string> | undefined;
  /** The word lists; undefined for those that are used by default. */
  lexiconIds?: string[] | undefined;
};
export type Spoken = {
  synthesis: Schemas['Synthesis'];
  text: string;
  isSsml: boolean;
  language: string | null;
  elapsedMs: number;
  at: string;
  /** Audio that was played while it arrived. */
  live?: {
    /** What plays it as it arrives. */
    url: string;
    /** What plays it again; null while it arrives. */
    whole: string | null;
    /** Whether it is known what it cost. */
    isSettled: boolean;
  };
};

/** What was spoken in this tab. Their addresses are valid for a day; nobody sees the texts of another account. */
class SpokenTexts {
  #all = $state.raw<{ owner: string; spoken: Spoken }[]>([]);

  add(spoken: Spoken): void {
    this.#all = [{ owner: spokenOwner(), spoken }, ...this.#all].slice(0, 50);
  }

  get own(): Spoken[] {
    return this.#all.filter(({ owner, spoken }) => owner === spokenOwner() && Date.parse(spoken.synthesis.expires_at) > Date.now()).map(({ spoken }) => spoken);
  }
}
const spokenOwner = (): string => `${session.me?.account.id} ${environment.current}`;

export const spokenTexts = new SpokenTexts();

/** A text of the history that the page Speak shows when it is opened next. */
let again: { owner: string; text: string; isSsml: boolean } | null = null;
export function sayAgain(said: { text: string; isSsml: boolean }): void {
  if (!said.isSsml) ownText.value = said.text;
  again = { owner: spokenOwner(), ...said };
}
export function takeAgain(): { text: string; isSsml: boolean } | null {
  const taken = again?.owner === spokenOwner() ? again : null;
  again = null;
  return taken;
}

/** What each voice has said on a page: paid once, and kept while the voice's card is closed or compared. */
export class Speeches {
  readonly #byVoice = new Map<string, Speech>();

  of(voice: Voice): Speech {
    const speech = this.#byVoice.get(voice.id) ?? new Speech();
    this.#byVoice.set(voice.id, speech);
    return speech;
  }
}

export class Speech {
  result = $state<Spoken | null>(null);
  readonly task = new Task();
  readonly #request = new IdempotentRequest<Schemas['SynthesizeRequest']>();

  /** Speaks a text. Returns whether it succeeded. */
  speak(wish: Wish): Promise<boolean> {
    return this.task.run(async () => {
      const start = performance.now();
      const makeBody = (): Schemas['SynthesizeRequest'] => ({ ...bodyOf(wish), timestamps: 'word' });
      const synthesis = await this.#request.send(formOf(wish), makeBody, (key, body) =>
        unwrap(api.POST('/v1/bff/tts:synthesize', { params: { ...environmentQuery(), ...idempotencyHeader(key) }, body })),
      );
      this.result = spokenOf(wish, synthesis, start);
      spokenTexts.add(this.result);
    });
  }
}

/** What decides whether a request is the same as the one before. */
export const formOf = ({ voice, ...rest }: Wish): unknown[] => [voice.id, environment.current, rest];

/** The fields that a synthesis and a stream have in common. */
export function bodyOf({ voice, text, isSsml = false, language, format = 'mp3', speed = 1, pitch = 0, speakers, lexiconIds }: Wish) {
  return {
    text, text_type: isSsml ? ('ssml' as const) : ('text' as const), ereader_id: voice.id, format, speed, pitch, loudness: 'standard' as const,
    ...(language ? { language } : {}), ...(speakers ? { speakers } : {}), ...(lexiconIds ? { lexicon_ids: lexiconIds } : {}),
  };
}

export const spokenOf = ({ voice, text, isSsml = false, language }: Wish, synthesis: Schemas['Synthesis'], start: number): Spoken => ({
  synthesis, text, isSsml, language: language || (voice.languages[0] ?? null), elapsedMs: performance.now() - start, at: new Date().toISOString(),
});
