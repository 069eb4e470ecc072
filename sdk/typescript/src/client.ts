// The client.
import type { OperationId } from "./generated/operations.js";
import { Http, type ClientOptions, type RequestOptions } from "./http.js";
import { Materials } from "./materials.js";
import { answerOf, type Answer, type Arguments } from "./request.js";
import * as resources from "./resources.js";

/** A client of a Lectern service. */
export class Lectern {
  readonly account: resources.Account;
  readonly credits: resources.Credits;
  readonly ereaders: resources.Ereaders;
  readonly events: resources.Events;
  readonly files: resources.Files;
  readonly keys: resources.Keys;
  readonly lexicons: resources.Lexicons;
  readonly materials: Materials;
  readonly speech: resources.Speech;
  readonly webhooks: resources.Webhooks;
  readonly #http: Http;

  constructor(options: ClientOptions = {}) {
    const http = new Http(options);
    this.#http = http;
    this.account = new resources.Account(http);
    this.credits = new resources.Credits(http);
    this.ereaders = new resources.Ereaders(http);
    this.events = new resources.Events(http);
    this.files = new resources.Files(http);
    this.keys = new resources.Keys(http);
    this.lexicons = new resources.Lexicons(http);
    this.materials = new Materials(http);
    this.speech = new resources.Speech(http);
    this.webhooks = new resources.Webhooks(http);
  }

  /** Calls any operation of the API by its id, also those that have no method of their own. */
  request<Id extends OperationId>(
    id: Id,
    ...[args]: Record<never, never> extends Arguments<Id>
      ? [args?: Arguments<Id> & RequestOptions]
      : [args: Arguments<Id> & RequestOptions]
  ): Promise<Answer<Id>> {
    const { path, query, body, ...rest } = (args ?? {}) as {
      path?: Record<string, string | number>;
      query?: object;
      body?: unknown;
    };
    return answerOf(this.#http, id, { path, query, json: body, ...rest });
  }
}
