// What a form sends counts once, however often it is sent: again after a lost answer, it goes under the same key and word for
// word; changed, or after an answer, it is something new.
import { Failure, onceKey } from '../api/client';

export class Once<Body> {
  #said: string | null = null;
  #sending: { key: string; body: Body } | null = null;

  /** Sends what `form` says. `make` writes the body, once for as long as the form says the same. */
  async send<Answer>(form: unknown, make: () => Body, call: (key: string, body: Body) => Promise<Answer>): Promise<Answer> {
    const said = JSON.stringify(form);
    if (said !== this.#said || !this.#sending) {
      this.#said = said;
      this.#sending = { key: onceKey(), body: make() };
    }
    try {
      const answer = await call(this.#sending.key, this.#sending.body);
      this.#said = null;
      return answer;
    } catch (error) {
      // A refusal leaves no trace behind. Anything else may have been done all the same.
      if (error instanceof Failure && error.status >= 400 && error.status < 500) this.#said = null;
      throw error;
    }
  }
}
