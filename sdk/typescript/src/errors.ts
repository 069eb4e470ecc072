// The errors of this library: a class for each error code, in families by status, all of them `APIError`s.
import { APIError, type APIErrorFields } from "./api-error.js";
import { byCode, byStatus } from "./generated/errors.js";

export {
  APIConnectionError,
  APIError,
  APITimeoutError,
  LecternError,
  WaitTimeoutError,
  WebhookVerificationError,
} from "./api-error.js";
export * from "./generated/errors.js";

interface Envelope {
  code?: unknown;
  message?: unknown;
  details?: Record<string, unknown>;
  request_id?: string;
}

/** The seconds of `Retry-After`, which a proxy may write as a date. */
export function retryAfter(headers: Headers): number | undefined {
  const text = headers.get("retry-after")?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, (time - Date.now()) / 1000);
}

function made(error: Envelope, status: number, headers?: Headers): APIError {
  const code = typeof error.code === "string" ? error.code : "unknown";
  const message = typeof error.message === "string" ? error.message : `HTTP status ${status}`;
  const fields: APIErrorFields = {
    status,
    code,
    details: error.details,
    requestId: error.request_id ?? headers?.get("x-request-id") ?? undefined,
    retryAfter: headers && retryAfter(headers),
  };
  const family = byStatus[status] ?? (status >= 500 ? byStatus[500] : undefined) ?? APIError;
  return new (byCode[code] ?? family)(message, fields);
}

/** The error for a refusal, also for one that a proxy wrote. */
export function errorOf(status: number, headers: Headers, body: string): APIError {
  let error: Envelope = {};
  try {
    error = (JSON.parse(body) as { error?: Envelope } | null)?.error ?? {};
  } catch {
    // Not of the service.
  }
  return made(error, status, headers);
}

/** The error of an error message on a socket. */
export function errorOfMessage(error: Envelope): APIError {
  return made(error, 0);
}
