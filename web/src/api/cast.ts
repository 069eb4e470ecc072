// The speakers of a book and their voices.
import { api, environmentQuery, unwrap } from './client';
import type { Schemas } from './types';

export type Speaker = Required<Omit<Schemas['CastSpeaker'], 'ereader_id'>> & { ereader_id: string | null };

/** `quotes` and `confidence` may be missing in requests only. */
const complete = ({ speakers }: Schemas['Cast']): Speaker[] =>
  speakers.map(({ name, ereader_id = null, quotes = 0, confidence = 0 }) => ({ name, ereader_id, quotes, confidence }));

export const fetchCast = async (id: string): Promise<Speaker[]> =>
  complete(await unwrap(api.GET('/v1/bff/materials/{id}/cast', { params: { path: { id }, ...environmentQuery() } })));

/** Gives speakers voices of their own; all others are the narrator's then. Returns all speakers. */
export const replaceCast = async (id: string, voices: [name: string, voiceId: string][]): Promise<Speaker[]> => {
  const speakers = voices.map(([name, ereader_id]) => ({ name, ereader_id }));
  return complete(await unwrap(api.PUT('/v1/bff/materials/{id}/cast', { params: { path: { id }, ...environmentQuery() }, body: { speakers } })));
};
