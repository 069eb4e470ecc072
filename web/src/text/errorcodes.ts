// The error codes that pages meet, in words. For the others the service's own message is shown.
import type { ApiError } from '../api/error';
import * as texts from '../i18n/messages/errors';

const isKnown = (code: string): code is keyof typeof texts => Object.hasOwn(texts, code);

export const textOfCode = ({ code, status, details }: Pick<ApiError, 'code' | 'status' | 'details'>): string | undefined =>
  isKnown(code) ? texts[code]({ status, origin: globalThis.location?.origin, size: String(details.size), most: String(details.most) }) : undefined;
