// Who is signed in. Scripts cannot read the session cookie; this holds what the service reports about it.
import { isPersonal, KEPT_HEADER } from '../offline/names';
import { endEarly } from './early';
import { unreachable } from './error';
import type { Schemas } from './types';

type Me = Schemas['WebMe'];

const STORAGE_KEY = 'lectern.account';
/** Keeps whether somebody is signed in, so that early.js asks at the next visit for what their page needs. */
export function remember(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(STORAGE_KEY, '1');
    else localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Without storage pages come a little later.
  }
}

class Session {
  #me = $state<Me | null>(null);
  /** Whether the service has said who is signed in. */
  isLoaded = $state(false);
  /** Whether the session ended while a page was open. The page stays mounted under a sign-in dialog, so typed text is kept. */
  isExpired = $state(false);
  /** Whether the service could not be asked, so that this is who was signed in last. */
  isKept = $state(false);

  get me(): Me | null {
    return this.#me;
  }
  set me(me: Me | null) {
    // What the first page has asked for as who was signed in then.
    if (this.isLoaded) endEarly();
    this.#me = me;
    if (me) remember(true);
  }

  get csrfToken(): string | null {
    return this.me?.csrf_token ?? null;
  }

  get tier(): Schemas['Tier'] {
    return this.me?.account.tier ?? 'free';
  }
}

export const session = new Session();

let waiting: (() => void)[] = [];

/** Resolves once there is a session: at once, or after the user of an expired one has signed in again. */
export function whenSignedIn(): Promise<void> {
  return session.isExpired ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve();
}

export function expireSession(): void {
  session.isExpired = true;
}

/** Continues an expired session with a new one of the same account. */
export function resumeSession(me: Me): void {
  session.me = me;
  [session.isExpired, session.isKept] = [false, false];
  const resolvers = waiting;
  waiting = [];
  for (const resolve of resolvers) resolve();
}

/** Forgets the session. Requests that wait for it are never sent. */
export function clearSession(): void {
  session.me = null;
  session.isExpired = false;
  remember(false);
  waiting = [];
}

/** Who the browser's cookie stands for; `null` if nobody. */
export async function fetchMe(): Promise<Me | null> {
  const response = await fetch('/v1/bff/me', { credentials: 'same-origin', cache: 'no-store' }).catch(() => {
    throw unreachable();
  });
  if (response.headers.has(KEPT_HEADER)) throw unreachable();
  return response.ok ? ((await response.json()) as Me) : null;
}

/** Continues with a session of the same account that was started in another tab. Returns whether there is one. */
export async function adoptSession(): Promise<boolean> {
  const me = await fetchMe().catch(() => null);
  if (!me || me.account.id !== session.me?.account.id) return false;
  resumeSession(me);
  return true;
}

/** The field that was typed into last. */
let typedInto: HTMLInputElement | null = null;
globalThis.document?.addEventListener?.('input', ({ target }) => {
  if ((target as Element).matches('textarea, [type=text]')) typedInto = target as HTMLInputElement;
});

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('lectern.session') : null;
channel?.addEventListener('message', async (event) => {
  // Another tab signed in or out. Unless it is the same account, this tab must not keep showing what it shows.
  if (event.data === 'in' && (await adoptSession())) return;
  // Who signed out may sign in again: a text that was typed here waits for that under the sign-in dialog.
  if (event.data === 'out' && session.me && typedInto?.isConnected && typedInto.value) expireSession();
  else location.reload();
});

/** Tells the other tabs that somebody has signed in. */
export function announceSignIn(): void {
  channel?.postMessage('in');
  // The service worker learns from the answer whose downloads may stay.
  fetchMe().catch(() => undefined);
}

/** Forgets the session in every tab, and what was kept of the account for offline use. */
export function endSession(): void {
  clearSession();
  globalThis.caches?.keys().then((names) => names.filter(isPersonal).forEach((name) => caches.delete(name)));
  channel?.postMessage('out');
}
