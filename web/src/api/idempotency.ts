// Requests that take effect once, however often they are sent.
import { ApiError } from './error';

export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export const idempotencyHeader = (key: string): { header: { 'Idempotency-Key': string } } => ({ header: { 'Idempotency-Key': key } });

/**
 * Sends a form. If the response is lost, sending the same form again repeats the same body under the same key. A changed form,
 * or one that has been answered, is a new request.
 */
export class IdempotentRequest<Body> {
  #form: string | null = null;
  #pending: { key: string; body: Body } | null = null;

  /** The next one is a new request, whatever became of this one. */
  forget(): void {
    this.#form = null;
  }

  /** `makeBody` is called once for as long as `form` stays the same. */
  async send<Result>(form: unknown, makeBody: () => Body, call: (key: string, body: Body) => Promise<Result>): Promise<Result> {
    const snapshot = JSON.stringify(form);
    if (snapshot !== this.#form || !this.#pending) {
      this.#form = snapshot;
      this.#pending = { key: newIdempotencyKey(), body: makeBody() };
    }
    try {
      const result = await call(this.#pending.key, this.#pending.body);
      this.#form = null;
      return result;
    } catch (error) {
      // A 4xx response changed nothing. After any other failure the request may have taken effect.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) this.#form = null;
      throw error;
    }
  }
}
