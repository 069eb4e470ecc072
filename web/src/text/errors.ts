// Error codes in words.
import { ApiError } from '../api/error';
import { plural } from './format';

const MESSAGES: Record<string, string> = {
  insufficient_balance: 'You do not have enough credits.',
  api_access_requires_credits: 'A free account has to buy credits once before it can do this in the live environment. The test environment is free.',
  ereader_tier_not_available: "This voice is not available on your account's tier.",
  ereader_not_found: 'This voice is no longer offered.',
  rate_limited: 'Too many attempts in a short time.',
  invalid_credentials: 'Wrong email address or password.',
  email_not_confirmed: 'Your email address is not confirmed yet. Open the link in the email that was just sent to you.',
  invite_invalid: 'This invitation is not valid. It may have expired or already been used. Ask the person who invited you for a new one.',
  invite_required: 'You need an invitation to register. Open the link you were sent.',
  cannot_revoke_last_admin_key: "This is the account's only active key that can manage keys, so it cannot be revoked. Create another key with the admin scope first.",
  idempotency_key_reuse: 'This request was sent before, and its result is no longer available. Check the list to see whether it went through, then try again.',
  purchase_not_pending: 'This purchase is no longer pending. Reload the page to see its status.',
  lexicon_not_found: 'This word list no longer exists.',
  too_many_lexicons: 'You have as many word lists as an account may have. Delete one first.',
  chunk_in_progress: 'This part is being converted right now. Save the text when that is done; what you wrote stays here.',
  notes_locked: 'How notes are read can no longer be changed: a part was converted, or its text was edited. It stays as it was.',
  text_empty: 'The text has nothing to read aloud.',
  internal_error: 'Something went wrong on the server.',
};

/** What to tell the user about an error. Only an `ApiError` has something to say; anything else is a bug in the page. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Something went wrong on this page. Reload it.';
  if (error.code === 'validation_failed') {
    const fields = Object.entries((error.details.fields ?? {}) as Record<string, string>);
    return fields.length ? fields.map(([name, problem]) => `${name}: ${problem}`).join('. ') : error.message;
  }
  return MESSAGES[error.code] ?? error.message;
}

/** `30 seconds`, `5 minutes`. */
export function waitingTime(seconds: number): string {
  if (seconds > 120) return `${Math.ceil(seconds / 60)} minutes`;
  return plural(seconds, 'second');
}
