// What the account prefers, beyond this browser.
import type { Language } from '../i18n/language.svelte';
import { api } from './client';
import { session } from './session.svelte';

/** Mails and invoices follow the language of the pages. When they cannot, they follow at the next choice. */
export async function rememberLanguage(language: Language): Promise<void> {
  if (session.me) await api.PATCH('/v1/bff/preferences', { body: { language } }).catch(() => undefined);
}
