// Calls any operation by its id, with types from openapi.json.
import type { operations as Declared } from "./generated/api.js";
import type { OperationId } from "./generated/operations.js";
import type { Http, Outgoing } from "./http.js";

type PathOf<Id extends OperationId> = Exclude<Declared[Id]["parameters"]["path"], undefined>;
export type QueryOf<Id extends OperationId> = Exclude<Declared[Id]["parameters"]["query"], undefined>;
type BodyOf<Id extends OperationId> = Declared[Id] extends { requestBody: { content: { "application/json": infer Body } } }
  ? Body
  : never;
type SuccessOf<Id extends OperationId> = Declared[Id]["responses"][keyof Declared[Id]["responses"] & (200 | 201 | 202)];
type ContentOf<Success> = Success extends { content: infer Content }
  ? Content extends { "application/json": infer Json }
    ? Json
    : Uint8Array<ArrayBuffer>
  : Uint8Array<ArrayBuffer>;

/** What an operation answers; bytes if that is not JSON. */
export type Answer<Id extends OperationId> = ContentOf<SuccessOf<Id>>;

type Empty = Record<never, never>;
/** What an operation is called with. */
export type Arguments<Id extends OperationId> = ([PathOf<Id>] extends [never] ? Empty : { path: PathOf<Id> }) &
  ([QueryOf<Id>] extends [never] ? Empty : Empty extends QueryOf<Id> ? { query?: QueryOf<Id> } : { query: QueryOf<Id> }) &
  ([BodyOf<Id>] extends [never] ? Empty : { body: BodyOf<Id> }) & { headers?: Record<string, string> };

/** The answer of an operation, read to its end. */
export async function answerOf<Id extends OperationId>(http: Http, id: Id, outgoing: Outgoing): Promise<Answer<Id>> {
  const { response } = await http.send(id, { ...outgoing, whole: true });
  const json = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  return (json ? await response.json() : new Uint8Array(await response.arrayBuffer())) as Answer<Id>;
}
