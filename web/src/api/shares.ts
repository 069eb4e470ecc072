// Share links: made and revoked by the owner of a book, and opened by the people who have one.
import { api, environmentQuery, unwrap } from './client';
import type { Schemas } from './types';

export type ShareLink = Schemas['ShareLink'];
export type SharedBook = Schemas['SharedMaterial'];

const params = (id: string) => ({ path: { id }, ...environmentQuery() });

export const fetchShares = async (id: string): Promise<ShareLink[]> => (await unwrap(api.GET('/v1/bff/materials/{id}/shares', { params: params(id) }))).data;

export const makeShare = (id: string, body: Schemas['ShareRequest']): Promise<ShareLink> => unwrap(api.POST('/v1/bff/materials/{id}/shares', { params: params(id), body }));

export const revokeShare = (id: string, share_id: string): Promise<ShareLink> =>
  unwrap(api.DELETE('/v1/bff/materials/{id}/shares/{share_id}', { params: { path: { id, share_id }, ...environmentQuery() } }));

export const openShare = (token: string, password: string): Promise<SharedBook> => unwrap(api.POST('/v1/bff/shares/open', { body: { token, ...(password ? { password } : {}) } }));
