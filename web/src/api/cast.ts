// The speakers of a book and their voices.
import { api, environmentQuery, unwrap } from './client';
import type { Schemas } from './types';

export type Speaker = Required<Omit<Schemas['CastSpeaker'], 'ereader_id'>> & { ereader_id: string | null };

/** `quotes` and `confidence` may be missing in requests only. */
const complete = ({ speakers }: Schemas['Cast']): Speaker[] =>
  speakers.map(({ name, ereader_id = null, quotes = 0, confidence = 0 }) => ({ name, ereader_id, quotes, confidence }));

export const fetchCast = async (id: string): Promise<Speaker[]> =>
  complete(await unwrap(api.GET('/v1/bff/materials/{id}/cast', { params: { path: { id }, ...environmentQuery() } })));

export type Quote = Schemas['Quote'];
/** Whose quotes: all when nothing is said, or a speaker's, or those without a speaker. */
export type Whose = { speaker?: string; unattributed?: boolean };

/** Some quotes of a book in the order of its text, and where the next ones begin. */
export async function fetchQuotes(id: string, whose: Whose, limit: number, cursor: string | null): Promise<{ quotes: Quote[]; next: string | null }> {
  const query = { ...whose, limit, ...(cursor ? { cursor } : {}) };
  const { data, next_cursor = null } = await unwrap(api.GET('/v1/bff/materials/{id}/quotes', { params: { path: { id }, ...environmentQuery(query) } }));
  return { quotes: data, next: next_cursor };
}

/** Says whose a quote is; with null, the narrator reads it. */
export async function assignQuote(id: string, { chunk_index, start, text }: Quote, speaker: string | null): Promise<Quote> {
  const body = { quotes: [{ chunk_index, start, text, speaker }] };
  const { quotes } = await unwrap(api.PATCH('/v1/bff/materials/{id}/quotes', { params: { path: { id }, ...environmentQuery() }, body }));
  return quotes[0] as Quote;
}

/** Gives speakers voices of their own; all others are the narrator's then. Returns all speakers. */
export const replaceCast = async (id: string, voices: [name: string, voiceId: string][]): Promise<Speaker[]> => {
  const speakers = voices.map(([name, ereader_id]) => ({ name, ereader_id }));
  return complete(await unwrap(api.PUT('/v1/bff/materials/{id}/cast', { params: { path: { id }, ...environmentQuery() }, body: { speakers } })));
};
