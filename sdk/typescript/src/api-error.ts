// The errors that all others derive from. Those for each error code are generated.

/** Anything that goes wrong in this library. */
export class LecternError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The service could not be reached, or the connection broke. */
export class APIConnectionError extends LecternError {}

/** The service did not answer within the time limit. */
export class APITimeoutError extends APIConnectionError {}

/** What was waited for did not happen within the time limit. It goes on at the service. */
export class WaitTimeoutError extends LecternError {}

/** The message does not come from the service, or it is too old. */
export class WebhookVerificationError extends LecternError {}

export interface APIErrorFields {
  status: number;
  code: string;
  details?: Record<string, unknown> | undefined;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
}

/** The service refused a request. `code` says why; docs/ERRORS.md lists all codes. */
export class APIError extends LecternError {
  /** The HTTP status. 0 for an error on a socket. */
  readonly status: number;
  /** The stable identifier to match on. */
  readonly code: string;
  /** Details that depend on the code. */
  readonly details: Record<string, unknown>;
  /** Quote it when you ask for help. */
  readonly requestId: string | undefined;
  /** When to try again, in seconds from then, if the service said so. */
  readonly retryAfter: number | undefined;

  constructor(message: string, fields: APIErrorFields) {
    super(`${message} (${fields.code}${fields.requestId ? `, ${fields.requestId}` : ""})`);
    this.status = fields.status;
    this.code = fields.code;
    this.details = fields.details ?? {};
    this.requestId = fields.requestId;
    this.retryAfter = fields.retryAfter;
  }
}
