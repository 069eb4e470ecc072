// The typed client of /v1/bff. It sends the CSRF token, and when the session has expired it waits for a new one and repeats the
// request.
import createClient, { type Middleware } from 'openapi-fetch';
import { fetchEarly } from './early';
import { environment, type Environment } from './environment.svelte';
import { type ApiError, errorFromResponse, unreachable } from './error';
import type { paths } from './schema';
import { adoptSession, expireSession, session, whenSignedIn } from './session.svelte';

// Routes that need no session, and the one that says whether there is one.
const PUBLIC = /^\/v1\/bff\/(me$|auth\/(?!password$))/;

function withCsrfToken(request: Request): Request {
  if (request.method !== 'GET' && session.csrfToken) request.headers.set('X-Lectern-CSRF', session.csrfToken);
  return request;
}

/** Copies of requests in flight, to be sent again after a new sign-in. */
const copies = new Map<string, Request>();
const authenticate: Middleware = {
  async onRequest({ request, schemaPath, id }) {
    if (!PUBLIC.test(schemaPath) && session.me) {
      await whenSignedIn();
      // A change needs the token of the session, which nobody keeps.
      if (session.isKept && request.method !== 'GET') await adoptSession();
      copies.set(id, request.clone());
    }
    return withCsrfToken(request);
  },
  async onResponse({ response, id }) {
    const copy = copies.get(id);
    copies.delete(id);
    if (response.status !== 401 || !copy) return undefined;
    await renewSession();
    return fetch(withCsrfToken(copy));
  },
  onError({ id }) {
    copies.delete(id);
  },
};

/** After a 401: adopts the session of another tab, or waits until the user has signed in again. */
export async function renewSession(): Promise<void> {
  if (await adoptSession()) return;
  expireSession();
  await whenSignedIn();
}

export const api = createClient<paths>({ baseUrl: '/', credentials: 'same-origin', fetch: fetchEarly });
api.use(authenticate);

type Result<T> = { data?: T; error?: unknown; response: Response };

/** The body of a successful response. Throws an `ApiError` for every other outcome. */
export async function unwrap<T>(call: Promise<Result<T>>): Promise<T> {
  let result: Result<T>;
  try {
    result = await call;
  } catch {
    throw unreachable();
  }
  if (result.response.ok) return result.data as T;
  const error = errorFromResponse(result.response.status, result.error, result.response.headers.get('retry-after'));
  handleAccountError(error);
  throw error;
}

/** Ends the session on the service. Never rejects: the caller then forgets the account in this browser, whatever the service says. */
export async function logOut(): Promise<void> {
  await unwrap(api.POST('/v1/bff/auth/logout')).catch(() => undefined);
}

let onConsentRequired: () => void = () => undefined;
/** Sets what happens when the service refuses a request until the account agrees to new documents. */
export function setConsentHandler(handler: () => void): void {
  onConsentRequired = handler;
}

/** Acts on errors that concern the whole application and not one form. */
export function handleAccountError(error: ApiError): void {
  if (error.status === 401 && session.me) expireSession();
  if (error.code === 'consent_required') onConsentRequired();
}

/** The query of a request in the current environment. */
export function environmentQuery<T extends object>(query: T = {} as T): { query: T & { environment: Environment } } {
  return { query: { ...query, environment: environment.current } };
}

/** The URL of a route in the current environment, for links and media elements. */
export function environmentUrl(path: string, query: Record<string, string> = {}): string {
  return `${path}?${new URLSearchParams({ ...query, environment: environment.current })}`;
}
