// A request that failed, with the service's explanation.
import { unreachable as unreachableText } from '../i18n/messages/common';
import type { Schemas } from './types';

export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** The HTTP status; 0 when there was no response. */
    readonly status: number,
    readonly details: Record<string, unknown> = {},
    readonly retryAfterSeconds: number | null = null,
    /** What the operator finds the request by in the log. */
    readonly requestId: string | null = null,
  ) {
    super(message);
  }

  /** What the service says about one field of the request. */
  field(name: string): string | null {
    const fields = this.details.fields as Record<string, string> | undefined;
    return fields?.[name] ?? null;
  }
}

export const unreachable = (message = unreachableText()): ApiError =>
  new ApiError('unreachable', message, 0);

/** Reads the error envelope of a response. */
export function errorFromResponse(status: number, body: unknown, retryAfter: string | null): ApiError {
  const error = (body as { error?: Partial<Schemas['ErrorBody']> } | null | undefined)?.error;
  const seconds = retryAfter ? Number.parseInt(retryAfter, 10) : Number.NaN;
  return new ApiError(
    error?.code ?? 'unreadable',
    error?.message ?? `The service answered with status ${status} and no explanation.`,
    status,
    (error?.details as Record<string, unknown> | undefined) ?? {},
    Number.isFinite(seconds) ? seconds : null,
    error?.request_id ?? null,
  );
}
