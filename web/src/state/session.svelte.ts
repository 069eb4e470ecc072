// Who is signed in. The token is in a cookie that scripts cannot read; here is only what the service says of it.
import type { components } from '../api/schema';
import { go, place } from './router.svelte';

type Me = components['schemas']['WebMe'];

class Session {
  me = $state<Me | null>(null);
  /** Whether the service was asked. */
  known = $state(false);
  /** Why somebody has to sign in again. */
  lost = $state(false);

  get csrf(): string | null {
    return this.me?.csrf_token ?? null;
  }
}

export const session = new Session();

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('lectern.session') : null;
channel?.addEventListener('message', (event) => {
  // Another tab signed out, or in as somebody else: what this one shows is not theirs any more.
  if (event.data === 'changed') location.reload();
});

/** Tells the other tabs. */
export function sessionChanged(): void {
  channel?.postMessage('changed');
}

const here = (): string => encodeURIComponent(place.path + place.search);

/** The session ended while a page was open. */
export function lostSession(): void {
  session.me = null;
  session.lost = true;
  go(`/sign-in?next=${here()}`, 'replace');
}

/** The account owes consent. */
export function owesConsent(): void {
  if (place.path !== '/agree') go(`/agree?next=${here()}`, 'replace');
}
