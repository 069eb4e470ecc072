// Talks to /v1/bff and nothing else. Types come from openapi.json.
import createClient, { type Middleware } from 'openapi-fetch';
import type { components, paths } from './schema';
import { environment } from '../state/environment.svelte';
import { lostSession, owesConsent, session, signedIn, takeUp } from '../state/session.svelte';

export type Schemas = components['schemas'];

/** A failure in words for people. */
export class Failure extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly details: Record<string, unknown> = {},
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message);
  }

  /** What is wrong with a field. */
  field(name: string): string | null {
    const fields = this.details.fields as Record<string, string> | undefined;
    return fields?.[name] ?? null;
  }
}

/** A failure made of an answer's envelope. */
export function failureOf(status: number, body: unknown, retryAfter: string | null): Failure {
  const error = (body as { error?: Partial<Schemas['ErrorBody']> } | null | undefined)?.error;
  const seconds = retryAfter ? Number.parseInt(retryAfter, 10) : Number.NaN;
  return new Failure(
    error?.code ?? 'unreadable',
    error?.message ?? `The service answered with status ${status} and no explanation.`,
    status,
    (error?.details as Record<string, unknown> | undefined) ?? {},
    Number.isFinite(seconds) ? seconds : null,
  );
}

// Routes that are asked without a session, or that ask whether there is one.
const OPEN = /^\/v1\/bff\/(me$|auth\/(?!password$))/;
const prove = (request: Request): Request => {
  if (request.method !== 'GET' && session.csrf) request.headers.set('X-Lectern-CSRF', session.csrf);
  return request;
};

// When the session has ended, a request waits until its owner has signed in again, and is then sent once more.
const spares = new Map<string, Request>();
const guard: Middleware = {
  async onRequest({ request, schemaPath, id }) {
    if (!OPEN.test(schemaPath) && session.me) {
      await signedIn();
      spares.set(id, request.clone());
    }
    return prove(request);
  },
  async onResponse({ response, id }) {
    const spare = spares.get(id);
    spares.delete(id);
    if (response.status !== 401 || !spare) return undefined;
    // Another tab may have signed in anew; then this one has only the old session's word.
    if (!(await takeUp())) {
      lostSession();
      await signedIn();
    }
    return fetch(prove(spare));
  },
  onError({ id }) {
    spares.delete(id);
  },
};

export const api = createClient<paths>({ baseUrl: '/', credentials: 'same-origin' });
api.use(guard);

type Answer<T> = { data?: T; error?: unknown; response: Response };

/** What an answer holds, or a thrown `Failure`. An ended session and owed consent take the whole page elsewhere. */
export async function ask<T>(answer: Promise<Answer<T>>): Promise<T> {
  let got: Answer<T>;
  try {
    got = await answer;
  } catch {
    throw new Failure('unreachable', 'The service cannot be reached. Check your connection and try again.', 0);
  }
  if (got.response.ok) return got.data as T;
  const failure = failureOf(got.response.status, got.error, got.response.headers.get('retry-after'));
  notice(failure);
  throw failure;
}

/** Acts on failures that concern the whole page. */
export function notice(failure: Failure): void {
  if (failure.status === 401 && session.me) lostSession();
  if (failure.code === 'consent_required') owesConsent();
}

/** The query of a call that shows one environment. */
export function query<T extends object>(rest: T = {} as T): { query: T & { environment: 'live' | 'test' } } {
  return { query: { ...rest, environment: environment.now } };
}

/** A path that a player or a link asks for by itself. */
export function pathOf(path: string, rest: Record<string, string> = {}): string {
  return `${path}?${new URLSearchParams({ ...rest, environment: environment.now })}`;
}

/** A key under which a repeated call counts once. */
export function onceKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
