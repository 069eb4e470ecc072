// Errors in words. What the codes mean is loaded after the first page: errorcodes.ts.
import { ApiError } from '../api/error';
import { currentLanguage, currentLocale, loadTexts } from '../i18n/language.svelte';
import * as m from '../i18n/messages/common';

type Coded = Pick<ApiError, 'code' | 'status' | 'details'>;
let textOfCode: ((error: Coded) => string | undefined) | null = null;

/** Loads the texts of the codes. Until then the service's own words stand for them. */
export async function loadErrorTexts(): Promise<void> {
  ({ textOfCode } = await import('./errorcodes'));
  await loadTexts('errors');
}

/** What to tell the user about an error. Only an `ApiError` has something to say; anything else is a bug in the page. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return m.pageBroken();
  // What is shown follows the language, and the texts once they are loaded.
  currentLanguage();
  if (error.code === 'validation_failed') {
    const fields = Object.entries((error.details.fields ?? {}) as Record<string, string>);
    return fields.length ? fields.map(([name, problem]) => `${name}: ${problem}`).join('. ') : error.message;
  }
  return textOfCode?.(error) || error.message;
}

/** What a code means; undefined if that is not known, or not yet. */
export const codeMessage = (code: string): string | undefined => {
  currentLanguage();
  return textOfCode?.({ code, status: 0, details: {} });
};

/** `30 seconds`, `5 minutes`. */
export function waitingTime(seconds: number): string {
  const [value, unit] = seconds > 120 ? [Math.ceil(seconds / 60), 'minute'] : [seconds, 'second'];
  return new Intl.NumberFormat(currentLocale(), { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}
