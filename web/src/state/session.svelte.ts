// Who is signed in. The token is in a cookie that scripts cannot read; here is only what the service says of it.
import type { components } from '../api/schema';
import { go, place } from './router.svelte';

type Me = components['schemas']['WebMe'];

class Session {
  me = $state<Me | null>(null);
  /** Whether the service was asked. */
  known = $state(false);
  /** Whether the session ended while a page was open. The page stays, behind a sign-in, with all that was typed into it. */
  lost = $state(false);

  get csrf(): string | null {
    return this.me?.csrf_token ?? null;
  }
}

export const session = new Session();

let waiting: (() => void)[] = [];

/** Resolves at once, unless the session was lost: then when its owner has signed in again. */
export function signedIn(): Promise<void> {
  return session.lost ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve();
}

/** The session ended while a page was open. */
export function lostSession(): void {
  session.lost = true;
}

/** The same account has a session again: what waited for it goes on. */
export function resume(me: Me): void {
  session.me = me;
  session.lost = false;
  const all = waiting;
  waiting = [];
  for (const go of all) go();
}

/** Nobody is signed in any more; what waited for a session never goes on. */
export function leave(): void {
  session.me = null;
  session.lost = false;
  waiting = [];
}

/** Who the browser's cookie stands for, `null` for nobody. */
export async function whoIs(): Promise<Me | null> {
  const answer = await fetch('/v1/bff/me', { credentials: 'same-origin', cache: 'no-store' });
  return answer.ok ? ((await answer.json()) as Me) : null;
}

/** Takes up a session of the same account that began elsewhere, in another tab; whether there is one. */
export async function takeUp(): Promise<boolean> {
  const me = await whoIs().catch(() => null);
  if (!me || me.account.id !== session.me?.account.id) return false;
  resume(me);
  return true;
}

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('lectern.session') : null;
channel?.addEventListener('message', async (event) => {
  // Another tab signed in or out. As the same account, this one goes on; else it must not show what it shows.
  if (event.data === 'in' && (await takeUp())) return;
  location.reload();
});

/** Informs the other tabs. */
export function sessionChanged(how: 'in' | 'out'): void {
  channel?.postMessage(how);
}

/** The account owes consent. */
export function owesConsent(): void {
  if (place.path !== '/agree') go(`/agree?next=${encodeURIComponent(place.path + place.search)}`, 'replace');
}
