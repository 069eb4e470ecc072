// Requests that several pages make.
import { api, environmentQuery, unwrap } from './client';
import { ApiError } from './error';
import type { Schemas, Voice } from './types';

export const fetchBalance = (): Promise<Schemas['Balance']> => unwrap(api.GET('/v1/bff/credits/balance', { params: environmentQuery() }));

/** All voices. */
export async function fetchVoices(): Promise<Voice[]> {
  const voices: Voice[] = [];
  let cursor: string | null | undefined = null;
  do {
    const query: { limit: number; cursor?: string } = { limit: 100, ...(cursor ? { cursor } : {}) };
    const page: { data: Voice[]; next_cursor?: string | null } = await unwrap(api.GET('/v1/bff/ereaders', { params: environmentQuery(query) }));
    voices.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor);
  return voices;
}

export function setFavorite(id: string, favorite: boolean): Promise<Voice> {
  const params = { path: { id } };
  const path = '/v1/bff/ereaders/{id}/favorite';
  return unwrap(favorite ? api.PUT(path, { params }) : api.DELETE(path, { params }));
}

/** Requests a voice's sample, to learn whether it can be played. Throws the reason if not. */
export async function checkSample(slug: string): Promise<void> {
  const stream = await unwrap(api.GET('/v1/bff/ereaders/{slug}/sample', { params: { path: { slug }, ...environmentQuery() }, parseAs: 'stream' }));
  await stream?.cancel();
}

/**
 * The address of a part's audio. It differs from one recording to the next, so that a browser never plays the one of before from its
 * cache: the route itself may be cached for an hour.
 */
export async function fetchPartAudio(id: string, index: number): Promise<string> {
  const params = { path: { id, index }, ...environmentQuery({ url: true }) };
  const answer = await unwrap(api.GET('/v1/bff/materials/{id}/chunks/{index}/audio', { params, parseAs: 'json' }));
  return (answer as Schemas['AudioUrl']).audio_url;
}

export const fetchPartText = async (id: string, index: number): Promise<string> =>
  (await unwrap(api.GET('/v1/bff/materials/{id}/chunks/{index}/text', { params: { path: { id, index }, ...environmentQuery() } }))).text;

const FORMATS: Record<string, Schemas['AudioFormat']> = {
  'audio/mpeg': 'mp3', 'audio/wav': 'wav', 'audio/flac': 'flac', 'audio/ogg': 'opus', 'audio/pcm': 'pcm', 'audio/pcmu': 'ulaw', 'audio/pcma': 'alaw',
};

/** The format of a part's audio, that of before if there is no newer one. No field has it, so the media type of the first byte tells. */
export async function fetchPartFormat(id: string, index: number): Promise<Schemas['AudioFormat']> {
  let mediaType = '';
  const params = { path: { id, index }, header: { Range: 'bytes=0-0' }, ...environmentQuery() };
  const call = api.GET('/v1/bff/materials/{id}/chunks/{index}/audio', { params, parseAs: 'text' }).then((result) => {
    mediaType = result.response.headers.get('content-type') ?? '';
    return result;
  });
  await unwrap(call).catch((error: unknown) => {
    // A part that was never converted.
    if (!(error instanceof ApiError) || error.code !== 'chunk_not_ready') throw error;
  });
  return FORMATS[mediaType.split(';')[0]?.trim().toLowerCase() ?? ''] ?? 'mp3';
}

/** Whether anybody may register, or only invited people. */
export const fetchRegistration = (): Promise<Schemas['RegistrationPolicy']> => unwrap(api.GET('/v1/bff/auth/registration'));
