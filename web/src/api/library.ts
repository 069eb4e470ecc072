// The library: the books of the account by words, tags and how far they were heard.
import { api, environmentQuery, unwrap } from './client';
import type { paths } from './schema';
import type { Schemas } from './types';

export type LibraryBook = Schemas['LibraryBook'];
/** `is_kept`: an answer of this browser's own, without a connection. */
export type LibraryPage = Schemas['LibraryPage'] & { is_kept?: boolean };
type Parameters = NonNullable<paths['/v1/bff/library']['get']['parameters']['query']>;
export type LibraryQuery = Pick<Parameters, 'q' | 'tag' | 'show' | 'sort'>;

export const fetchLibrary = (query: LibraryQuery & { limit: number; cursor?: string }): Promise<LibraryPage> =>
  unwrap(api.GET('/v1/bff/library', { params: environmentQuery(query) }));

export const fetchTags = async (id: string): Promise<string[]> => (await unwrap(api.GET('/v1/bff/materials/{id}/tags', { params: { path: { id }, ...environmentQuery() } }))).tags;

export const setTags = async (id: string, tags: string[]): Promise<string[]> =>
  (await unwrap(api.PUT('/v1/bff/materials/{id}/tags', { params: { path: { id }, ...environmentQuery() }, body: { tags } }))).tags;

/** All tags of the library, in order. */
export const fetchAllTags = async (): Promise<string[]> => (await fetchLibrary({ limit: 1 })).tags.map(({ tag }) => tag);
