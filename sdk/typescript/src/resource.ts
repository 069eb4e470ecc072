// What the operations of all resources need.
import type { OperationId } from "./generated/operations.js";
import type { Http, Outgoing, RequestOptions } from "./http.js";
import { Pager, type Page } from "./paging.js";
import { answerOf, type Answer } from "./request.js";
import { BinaryStream } from "./streams.js";

export type ListOptions = Omit<RequestOptions, "idempotencyKey">;

export class Resource {
  protected readonly http: Http;

  constructor(http: Http) {
    this.http = http;
  }

  protected json<Id extends OperationId>(id: Id, outgoing: Outgoing): Promise<Answer<Id>> {
    return answerOf(this.http, id, outgoing);
  }

  protected pager<T>(id: OperationId, query: object, outgoing: Outgoing): Pager<T> {
    const { cursor } = query as { cursor?: string };
    const fetch = (at: string | undefined) =>
      answerOf(this.http, id, { ...outgoing, query: { ...query, cursor: at } }) as Promise<Page<T>>;
    return new Pager<T>(fetch, cursor);
  }

  protected async binary(id: OperationId, outgoing: Outgoing): Promise<BinaryStream> {
    return new BinaryStream(await this.http.send(id, outgoing));
  }
}
