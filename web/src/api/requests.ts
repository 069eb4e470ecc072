// Requests that several pages make.
import { api, environmentQuery, unwrap } from './client';
import type { Schemas } from './types';

export const fetchBalance = (): Promise<Schemas['Balance']> => unwrap(api.GET('/v1/bff/credits/balance', { params: environmentQuery() }));

export async function fetchEreaders(): Promise<Schemas['Ereader'][]> {
  return (await unwrap(api.GET('/v1/bff/ereaders', { params: environmentQuery({ limit: 100 }) }))).data;
}
