// A text as speech while it is spoken: the next bytes of the audio, and the words that begin in them.
import { api, environmentQuery, unwrap } from './client';
import { idempotencyHeader } from './idempotency';
import type { Schemas } from './types';

export type Piece = { bytes: Uint8Array<ArrayBuffer>; timestamps: Schemas['StreamLine']['timestamps'] };
export type SpeechStream = {
  id: string;
  /** Of the whole text, as is the price. */
  characters: number;
  credits: number;
  /** Throws when the stream breaks off. */
  pieces: AsyncGenerator<Piece>;
};

/** Returns with the first sound. */
export async function openSpeechStream(body: Schemas['StreamRequest'], key: string, signal: AbortSignal): Promise<SpeechStream> {
  let headers = new Headers();
  const params = { ...environmentQuery(), ...idempotencyHeader(key) };
  const call = api.POST('/v1/bff/tts:stream', { params, body, headers: { Accept: 'application/x-ndjson' }, parseAs: 'stream', signal });
  const stream = await unwrap(
    call.then((result) => {
      headers = result.response.headers;
      return result;
    }),
  );
  const count = (name: string): number => Number(headers.get(name) ?? 0);
  return {
    id: headers.get('Lectern-Synthesis-Id') ?? '',
    characters: count('Lectern-Characters'),
    credits: count('Lectern-Credits'),
    pieces: piecesOf(stream as unknown as ReadableStream<Uint8Array>),
  };
}

async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Piece> {
  const [reader, decoder] = [stream.getReader(), new TextDecoder()];
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { audio_base64, timestamps } = JSON.parse(line) as Schemas['StreamLine'];
      yield { bytes: Uint8Array.from(atob(audio_base64), (character) => character.charCodeAt(0)), timestamps };
    }
  }
}

/** How many entries of the history are looked through: other tabs and programs speak too. */
const RECENT = 20;
/** The service charges a listener who has left once it knows. */
const [TRIES, BETWEEN_MS] = [10, 500];

/** What was charged for a stream and is kept of it; null when that is not known. `isSettled` when the stream has told that it is complete. */
export async function findSpoken(id: string, isSettled: boolean): Promise<Schemas['HistoryEntry'] | null> {
  for (let tried = 0; tried < (isSettled ? 1 : TRIES); tried += 1) {
    if (tried) await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
    const page = await unwrap(api.GET('/v1/bff/history', { params: environmentQuery({ limit: RECENT }) })).catch(() => null);
    const found = page?.data.find((entry) => entry.id === id);
    if (found) return found;
  }
  return null;
}
