// What the worker answers from the downloaded books of the account. The service is always asked first: what is kept may be old.
import { bookCache, type BookKey, DOWNLOAD_KEY, KEPT_HEADER, keptAudioUrl, ME_CACHE, parseBookCache, recordingOf, VERSION_HEADER } from '../offline/names';

/** A connection that answers nothing for so long counts as none, where there is a kept answer. */
const PATIENCE_MS = 4000;
const ANY = { ignoreVary: true };

/** The service's answer; null if it is not there. */
async function ask(request: Request, isPatient: boolean): Promise<Response | null> {
  const answer = fetch(request).then(
    (response) => ([502, 503, 504].includes(response.status) ? null : response),
    () => null,
  );
  if (isPatient) return answer;
  return Promise.race([answer, new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE_MS))]);
}

function json(body: unknown): Response {
  return new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json', [KEPT_HEADER]: 'true' } });
}
const withMark = async (kept: Response): Promise<Response> => {
  const headers = new Headers(kept.headers);
  headers.set(KEPT_HEADER, 'true');
  return new Response(await kept.blob(), { headers });
};

type Me = { account: { id: string }; csrf_token: string };
async function keptMe(): Promise<Me | null> {
  const kept = await caches.match('/v1/bff/me', { cacheName: ME_CACHE });
  return kept ? ((await kept.json()) as Me) : null;
}

/** The books that the account of the last sign-in has downloaded. */
async function downloads(environment: string | null): Promise<BookKey[]> {
  const account = (await keptMe())?.account.id;
  const keys = (await caches.keys()).flatMap((name) => parseBookCache(name) ?? []);
  return keys.filter((key) => key.account === account && key.environment === environment);
}

export async function answerMe(request: Request, event: ExtendableEvent): Promise<Response> {
  const kept = await keptMe();
  const response = await ask(request, !kept);
  if (!response) return kept ? json(kept) : fetch(request);
  const copy = response.clone();
  event.waitUntil(copy.ok ? keepMe(copy) : copy.status === 401 ? caches.delete(ME_CACHE) : Promise.resolve());
  return response;
}

async function keepMe(response: Response): Promise<void> {
  // The token is of no use offline.
  const me = { ...((await response.json()) as Me), csrf_token: '' };
  const others = (await caches.keys()).filter((name) => (parseBookCache(name)?.account ?? me.account.id) !== me.account.id);
  await Promise.all(others.map((name) => caches.delete(name)));
  const cache = await caches.open(ME_CACHE);
  // A full storage only means that nothing opens offline.
  await cache.put('/v1/bff/me', json(me)).catch(() => undefined);
}

export async function answerVoices(request: Request): Promise<Response> {
  const kept = (await downloads(new URL(request.url).searchParams.get('environment'))).at(-1);
  const found = kept && (await caches.match(request, { cacheName: bookCache(kept), ...ANY }));
  return found ? ((await ask(request, false)) ?? withMark(found)) : fetch(request);
}

/** The list of books offline is what was downloaded of it. */
export const answerMaterials = (request: Request): Promise<Response> => answerList(request, (data) => ({ data, next_cursor: null }));

/** The library offline: what was downloaded, whatever is searched for. The page searches in it. */
export const answerLibrary = (request: Request): Promise<Response> =>
  answerList(request, (books) => ({ data: books.map((material) => ({ material, tags: [], place: null })), next_cursor: null, total: books.length, tags: [], is_kept: true }));

async function answerList(request: Request, answer: (books: object[]) => object): Promise<Response> {
  const environment = new URL(request.url).searchParams.get('environment');
  const keys = await downloads(environment);
  const response = await ask(request, !keys.length);
  if (response || !keys.length) return response ?? fetch(request);
  const kept = keys.map((key) => caches.match(`/v1/bff/materials/${encodeURIComponent(key.id)}?environment=${environment}`, { cacheName: bookCache(key), ...ANY }));
  const books = (await Promise.all(kept)).map((found) => found?.json() as Promise<{ created_at: string }> | undefined);
  const data = (await Promise.all(books)).filter((book) => book !== undefined);
  return json(answer(data.sort((a, b) => b.created_at.localeCompare(a.created_at))));
}

export async function answerMaterial(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const [, , , , part = '', ...rest] = url.pathname.split('/');
  const id = decodeURIComponent(part);
  const key = (await downloads(url.searchParams.get('environment'))).find((one) => one.id === id);
  if (!key) return fetch(request);
  const index = rest[0] === 'chunks' && rest[2] === 'audio' && url.searchParams.get('url') === 'true' ? Number(rest[1]) : null;
  if (index !== null) return audioUrl(key, index, await ask(request, false));
  const found = await caches.match(request, { cacheName: bookCache(key), ...ANY });
  // What is not kept may take its time: a file of the whole book is made when it is asked for.
  if (!found) return fetch(request);
  const response = await ask(request, false);
  // The book was deleted on another device.
  if (response?.status === 404 && !rest.length) await caches.delete(bookCache(key));
  return response ?? withMark(found);
}

/** The kept audio if it is the recording that the service has, or if the service cannot be asked. */
async function audioUrl(key: BookKey, index: number, response: Response | null): Promise<Response> {
  const address = keptAudioUrl(key, index);
  const kept = await caches.match(address, { cacheName: bookCache(key), ...ANY });
  const version = kept?.headers.get(VERSION_HEADER);
  if (response && !response.ok) return response;
  const answer = (await response?.clone().json()) as { audio_url: string } | undefined;
  const isSame = version && (!answer || recordingOf(answer.audio_url) === version);
  if (isSame) return json({ audio_url: `${address}?${new URLSearchParams({ v: version })}`, expires_at: '9999-12-31T23:59:59Z' });
  return response ?? Response.error();
}

export async function answerKeptAudio(pathname: string): Promise<Response> {
  if (pathname === DOWNLOAD_KEY) return new Response(null, { status: 404 });
  const [, , environment = ''] = pathname.split('/');
  for (const key of await downloads(environment)) {
    const kept = await caches.match(pathname, { cacheName: bookCache(key), ...ANY });
    if (kept) return kept;
  }
  return new Response(null, { status: 404 });
}

/** The book was deleted, so its download goes too. */
export async function forgetMaterial(url: URL): Promise<void> {
  const id = decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
  for (const key of await downloads(url.searchParams.get('environment'))) if (key.id === id) await caches.delete(bookCache(key));
}
