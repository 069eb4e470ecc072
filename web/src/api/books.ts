// What makes a book: its chapters, texts, details and cover, its files, and its podcast feed.
import { api, environmentQuery, environmentUrl, unwrap } from './client';
import type { Schemas } from './types';

type Material = Schemas['Material'];
const materialParams = (id: string) => ({ path: { id }, ...environmentQuery() });

export const fetchMaterial = (id: string): Promise<Material> => unwrap(api.GET('/v1/bff/materials/{id}', { params: materialParams(id) }));

/** All parts of a book. */
export async function fetchParts(id: string): Promise<Schemas['Chunk'][]> {
  const all: Schemas['Chunk'][] = [];
  let cursor: string | null | undefined = null;
  do {
    const query: { limit: number; cursor?: string } = { limit: 1000, ...(cursor ? { cursor } : {}) };
    const page: Schemas['Page_Chunk'] = await unwrap(api.GET('/v1/bff/materials/{id}/chunks', { params: { path: { id }, ...environmentQuery(query) } }));
    all.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor);
  return all;
}

export const fetchChapters = async (id: string): Promise<Schemas['Chapter'][]> =>
  (await unwrap(api.GET('/v1/bff/materials/{id}/chapters', { params: materialParams(id) }))).data;

export const updateChapter = (id: string, index: number, body: Schemas['UpdateChapterRequest']): Promise<Schemas['Chapter']> =>
  unwrap(api.PATCH('/v1/bff/materials/{id}/chapters/{index}', { params: { path: { id, index }, ...environmentQuery() }, body }));

export const updateMaterial = (id: string, body: Schemas['UpdateMaterialRequest']): Promise<Material> =>
  unwrap(api.PATCH('/v1/bff/materials/{id}', { params: materialParams(id), body }));

export const cancelConversion = (id: string): Promise<Material> => unwrap(api.POST('/v1/bff/materials/{id}/cancel', { params: materialParams(id) }));

/** Replaces the text of a part. */
export async function setPartText(id: string, index: number, text: string): Promise<void> {
  const params = { path: { id, index }, ...environmentQuery() };
  const asItIs = { bodySerializer: (body: string) => body, headers: { 'Content-Type': 'text/plain' } };
  await unwrap(api.PUT('/v1/bff/materials/{id}/chunks/{index}/text', { params, body: text, ...asItIs }));
}

/** The cover as it is now, whatever the browser keeps of an earlier one. */
export const fetchCover = (id: string): Promise<Blob> =>
  unwrap(api.GET('/v1/bff/materials/{id}/cover', { params: materialParams(id), parseAs: 'blob', cache: 'no-cache' })) as Promise<Blob>;

export function setCover(id: string, picture: File): Promise<Material> {
  const asItIs = { bodySerializer: () => picture, headers: { 'Content-Type': picture.type || 'image/jpeg' } };
  // The type of a body of bytes is a string.
  return unwrap(api.PUT('/v1/bff/materials/{id}/cover', { params: materialParams(id), body: '', ...asItIs }));
}

export const removeCover = (id: string): Promise<Material> => unwrap(api.DELETE('/v1/bff/materials/{id}/cover', { params: materialParams(id) }));

export const fetchFeed = (id: string): Promise<Schemas['BookFeed']> => unwrap(api.GET('/v1/bff/materials/{id}/feed', { params: materialParams(id) }));
export const makeFeed = (id: string): Promise<Schemas['BookFeed']> => unwrap(api.POST('/v1/bff/materials/{id}/feed', { params: materialParams(id) }));
export const revokeFeed = (id: string): Promise<Schemas['BookFeed']> => unwrap(api.DELETE('/v1/bff/materials/{id}/feed', { params: materialParams(id) }));

/** Which file of a whole book. */
export type BookFileQuery = { format: Schemas['BookFormat']; granularity?: Schemas['Granularity']; loudness?: Schemas['BookLoudness'] };

/** The URL of a file of a whole book, which the service names after the book. */
export const bookFileUrl = (id: string, query: BookFileQuery): string => environmentUrl(`/v1/bff/materials/${encodeURIComponent(id)}/audio`, query);
export const captionsUrl = (id: string, format: string): string => environmentUrl(`/v1/bff/materials/${encodeURIComponent(id)}/captions`, { format });

export type Making = { isMade: boolean; progress: number; retryAfterSeconds: number };

/** Asks for a file of a whole book, which the service begins to make at the first call. It answers within some 20 seconds. */
export async function askForBookFile(id: string, query: BookFileQuery): Promise<Making> {
  let retryAfterSeconds = 0;
  const params = { path: { id }, ...environmentQuery({ ...query, url: true }) };
  const call = api.GET('/v1/bff/materials/{id}/audio', { params, parseAs: 'json' }).then((result) => {
    retryAfterSeconds = Number(result.response.headers.get('retry-after')) || 5;
    return result;
  });
  const answer = (await unwrap(call)) as unknown as Schemas['AudioUrl'] | Schemas['Assembling'];
  return 'progress' in answer ? { isMade: false, progress: answer.progress, retryAfterSeconds } : { isMade: true, progress: 1, retryAfterSeconds: 0 };
}
