// Signing out. What an account uploads must not go on in the name of the next one.
import { logOut } from '../api/client';
import { endSession } from '../api/session.svelte';
import { uploads } from './uploads.svelte';

/** Forgets an account whose session the service has ended already. */
export function leaveAccount(): void {
  uploads.cancelAll();
  endSession();
}

export async function signOut(): Promise<void> {
  uploads.cancelAll();
  await logOut();
  leaveAccount();
}
