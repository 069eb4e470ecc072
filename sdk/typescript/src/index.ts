/** The client of Lectern, the text-to-speech service that you run yourself. */
export { Lectern } from "./client.js";
export {
  APIConnectionError,
  APIError,
  APITimeoutError,
  LecternError,
  WaitTimeoutError,
  WebhookVerificationError,
} from "./api-error.js";
export * as errors from "./errors.js";
export * as webhooks from "./webhooks.js";
export { operations, type OperationId } from "./generated/operations.js";
export type * from "./generated/api.js";
export type { ClientOptions, RequestOptions } from "./http.js";
export type { MaterialEvent } from "./events.js";
export type { Page, Pager } from "./paging.js";
export type { Answer, Arguments } from "./request.js";
export type { BookOptions, UploadFields, WaitOptions } from "./materials.js";
export type { Socket, SocketEvent } from "./socket.js";
export type { AudioStream, BinaryStream } from "./streams.js";
export type { Uploadable } from "./upload.js";
export { VERSION } from "./version.js";
