// Text that the user lets voices say: the text itself, which is the same on every page, and a request to speak it.
import { api, environmentQuery, unwrap } from '../api/client';
import { idempotencyHeader, IdempotentRequest } from '../api/idempotency';
import { session } from '../api/session.svelte';
import type { Schemas, Voice } from '../api/types';
import { Task } from './task.svelte';

/** The service's maximum. */
export const MAX_CHARACTERS = 5000;

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

/** `language`: empty for the voice's first. */
type Wish = { voice: Voice; text: string; language?: string; format?: Schemas['AudioFormat']; speed?: number };
export type Spoken = { synthesis: Schemas['Synthesis']; text: string; language: string | null; elapsedMs: number };

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
  speak({ voice, text, language = '', format = 'mp3', speed = 1 }: Wish): Promise<boolean> {
    const makeBody = (): Schemas['SynthesizeRequest'] => ({
      text, ereader_id: voice.id, format, speed, timestamps: 'word', ...(language ? { language } : {}),
    });
    return this.task.run(async () => {
      const start = performance.now();
      const synthesis = await this.#request.send([text, voice.id, format, speed, language], makeBody, (key, body) =>
        unwrap(api.POST('/v1/bff/tts:synthesize', { params: { ...environmentQuery(), ...idempotencyHeader(key) }, body })),
      );
      this.result = { synthesis, text, language: language || (voice.languages[0] ?? null), elapsedMs: performance.now() - start };
    });
  }
}
