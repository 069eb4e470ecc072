// Lists of words and how they are said: the API calls them lexicons.
import { api, environmentQuery, unwrap } from './client';
import { idempotencyHeader } from './idempotency';
import type { Schemas } from './types';

export type Lexicon = Schemas['Lexicon'];
type Body = Schemas['LexiconRequest'];

/** All lists, without their words. */
export async function fetchLexicons(): Promise<Lexicon[]> {
  const { data } = await unwrap(api.GET('/v1/bff/lexicons', { params: environmentQuery({ limit: 100 }) }));
  return data;
}

export const fetchLexicon = (id: string): Promise<Lexicon> =>
  unwrap(api.GET('/v1/bff/lexicons/{id}', { params: { path: { id }, ...environmentQuery({ include: 'entries' as const }) } }));

export const createLexicon = (key: string, body: Body): Promise<Lexicon> =>
  unwrap(api.POST('/v1/bff/lexicons', { params: { ...environmentQuery(), ...idempotencyHeader(key) }, body }));

export const replaceLexicon = (id: string, body: Body): Promise<Lexicon> =>
  unwrap(api.PUT('/v1/bff/lexicons/{id}', { params: { path: { id }, ...environmentQuery() }, body }));

export const deleteLexicon = (id: string): Promise<Lexicon> => unwrap(api.DELETE('/v1/bff/lexicons/{id}', { params: { path: { id }, ...environmentQuery() } }));

/** `language`: empty for the file's own. */
export type AboutFile = { name: string; language: string; default: boolean };

/** Sends a file in the W3C's format as it is. */
export function createLexiconFromPls(key: string, file: string, { name, language, default: isDefault }: AboutFile): Promise<Lexicon> {
  const query = { name, default: isDefault, ...(language ? { language } : {}) };
  return unwrap(
    api.POST('/v1/bff/lexicons', {
      params: { ...environmentQuery(query), ...idempotencyHeader(key) },
      headers: { 'Content-Type': 'application/pls+xml' },
      body: file,
      bodySerializer: (text) => text as string,
    }),
  );
}
