// Requests that several pages make.
import { api, environmentQuery, unwrap } from './client';
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
