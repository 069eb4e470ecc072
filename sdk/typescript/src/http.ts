// Sends requests, and sends them again. What the requests are is in `resources.ts` and `materials.ts`.
import { APIConnectionError, APIError, APITimeoutError, LecternError, errorOf, retryAfter } from "./errors.js";
import { operations, type OperationId } from "./generated/operations.js";
import { VERSION } from "./version.js";

export interface ClientOptions {
  /** By default the environment's `LECTERN_API_KEY`, where there is an environment. */
  apiKey?: string | undefined;
  /** The service's address without a path; by default the environment's `LECTERN_BASE_URL`. */
  baseURL?: string | undefined;
  /** How many milliseconds the service may send nothing; 60,000 by default. */
  timeout?: number | undefined;
  /** How often a request is sent again when it failed for reasons that pass; 3 by default. */
  maxRetries?: number | undefined;
  /** If the service asks for a longer wait than this, in milliseconds, the error is thrown at once; 60,000 by default. */
  maxRetryWait?: number | undefined;
  /** Another `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}

export interface RequestOptions {
  /** Gives the request up. */
  signal?: AbortSignal | undefined;
  /** Instead of the client's. */
  timeout?: number | undefined;
  /** Instead of the client's. */
  maxRetries?: number | undefined;
  /** Instead of one that is made, where the operation accepts one. */
  idempotencyKey?: string | undefined;
}

/** What can be sent several times. */
export type Body = string | Blob | Uint8Array<ArrayBuffer>;

export interface Outgoing extends RequestOptions {
  /** Instead of the operation's path. */
  url?: string | undefined;
  path?: Record<string, string | number> | undefined;
  query?: object | undefined;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is. */
  body?: Body | undefined;
  headers?: Record<string, string> | undefined;
  onProgress?: ((sent: number, total: number) => void) | undefined;
  /** Read the answer to its end, and send again when it breaks off. */
  whole?: boolean | undefined;
}

/** The answer to one attempt, and its time limit. */
export interface Incoming {
  response: Response;
  /** Begins the time limit anew. */
  idle(): void;
  /** Stops the time limit, while nobody waits for more. */
  pause(): void;
  /** Ends the time limit. */
  done(): void;
}

// Where there is no process, nothing is read from an environment.
function environment(name: string): string | undefined {
  const found = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process;
  return found?.env?.[name] || undefined;
}

export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    function abort() {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    }
    signal?.addEventListener("abort", abort, { once: true });
  });
}

// Errors of a connection that was never there, as Node and Bun name them: nothing was sent.
const NEVER_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT", "ConnectionRefused"]);

function neverSent(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return NEVER_SENT.has(code ?? "") || NEVER_SENT.has(cause?.code ?? "");
}

/** What a failure was, without what a library may quote of the request. */
function reason(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  return cause?.code ?? cause?.message ?? message ?? "unknown";
}

export class Http {
  readonly baseURL: string;
  readonly timeout: number;
  readonly maxRetries: number;
  readonly maxRetryWait: number;
  // Private to the language, so that no inspection shows it.
  readonly #key: string | undefined;
  readonly #fetch: typeof globalThis.fetch;

  constructor(options: ClientOptions) {
    const base = options.baseURL ?? environment("LECTERN_BASE_URL");
    if (!base) throw new LecternError("baseURL is missing: pass it, or set LECTERN_BASE_URL to the service's address");
    let url;
    try {
      url = new URL(base);
    } catch {
      url = undefined;
    }
    if (!url || !/^https?:$/.test(url.protocol) || !/^\/*$/.test(url.pathname)) {
      throw new LecternError("baseURL must be the service's address without a path, as https://speech.example.com");
    }
    const key = options.apiKey ?? environment("LECTERN_API_KEY");
    // Checked here, because browsers would quote the key in their complaint.
    if (key && !/^[\w!#$%&'*+.^`|~-]+$/.test(key)) throw new LecternError("apiKey has characters that no key has");
    this.baseURL = url.origin;
    this.#key = key;
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.timeout = options.timeout ?? 60_000;
    this.maxRetries = options.maxRetries ?? 3;
    this.maxRetryWait = options.maxRetryWait ?? 60_000;
  }

  key(): string {
    if (!this.#key) throw new LecternError("apiKey is missing: pass it, or set LECTERN_API_KEY");
    return this.#key;
  }

  /** How long to wait before sending again, in milliseconds; `undefined` for not at all. */
  #backoff(attempt: number): number {
    return Math.min(8_000, 500 * 2 ** attempt) * (1 - Math.random() / 4);
  }

  #afterResponse(id: OperationId, response: Response, attempt: number): number | undefined {
    if (response.status === 429 || response.status === 503) {
      // Refused before anything was done, so any request may be sent again.
      const asked = retryAfter(response.headers);
      if (asked === undefined) return this.#backoff(attempt);
      return asked * 1000 <= this.maxRetryWait ? asked * 1000 : undefined;
    }
    return [500, 502, 504].includes(response.status) && canRepeat(id) ? this.#backoff(attempt) : undefined;
  }

  /** The answer of an operation that succeeded, with the body still to be read. */
  async send(id: OperationId, outgoing: Outgoing): Promise<Incoming> {
    const operation = operations[id];
    const headers: Record<string, string> = { ...outgoing.headers };
    if (!operation.open) headers["Authorization"] = `Bearer ${this.key()}`;
    // The same for each attempt, so that the service does it once.
    if (operation.idempotent) headers["Idempotency-Key"] = outgoing.idempotencyKey ?? newIdempotencyKey();
    // Browsers do not let it be set.
    if (environment("PATH")) headers["User-Agent"] = `lectern-typescript/${VERSION}`;
    let body = outgoing.body;
    if (outgoing.json !== undefined) {
      body = JSON.stringify(outgoing.json);
      headers["Content-Type"] = "application/json";
    }
    const url = outgoing.url ?? this.baseURL + target(operation.path, outgoing.path ?? {}, outgoing.query ?? {});
    const retries = outgoing.maxRetries ?? this.maxRetries;
    for (let attempt = 0; ; attempt++) {
      let wait: number | undefined;
      let incoming: Incoming | undefined;
      try {
        incoming = await this.#attempt(url, operation.method, headers, body, outgoing);
        const { response } = incoming;
        if (response.ok || response.status === 304) {
          if (!outgoing.whole) return incoming;
          const bytes = await response.arrayBuffer();
          incoming.done();
          const { status, headers } = response;
          return { ...incoming, response: new Response(bytes.byteLength ? bytes : null, { status, headers }) };
        }
        wait = attempt < retries ? this.#afterResponse(id, response, attempt) : undefined;
        const text = await response.text();
        incoming.done();
        if (wait === undefined) throw errorOf(response.status, response.headers, text);
      } catch (error) {
        incoming?.done();
        if (error instanceof APIError || outgoing.signal?.aborted) throw error;
        const again = attempt < retries && (canRepeat(id) || neverSent(error));
        if (!again) {
          if (error instanceof APITimeoutError) throw error;
          throw new APIConnectionError(`${id}: ${reason(error)}`, { cause: error });
        }
        wait = this.#backoff(attempt);
      }
      await sleep(wait ?? 0, outgoing.signal);
    }
  }

  async #attempt(
    url: string,
    method: string,
    headers: Record<string, string>,
    body: Body | undefined,
    outgoing: Outgoing,
  ): Promise<Incoming> {
    const limit = outgoing.timeout ?? this.timeout;
    const abort = new AbortController();
    const giveUp = () => abort.abort(outgoing.signal?.reason);
    outgoing.signal?.throwIfAborted();
    outgoing.signal?.addEventListener("abort", giveUp, { once: true });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const pause = () => clearTimeout(timer);
    const idle = () => {
      pause();
      timer = setTimeout(() => abort.abort(new APITimeoutError("no answer within the time limit")), limit);
    };
    const done = () => {
      pause();
      outgoing.signal?.removeEventListener("abort", giveUp);
    };
    idle();
    try {
      const { onProgress } = outgoing;
      let response;
      if (onProgress && body instanceof Blob) {
        const told = (sent: number, total: number) => {
          idle();
          onProgress(sent, total);
        };
        response = await this.#upload(url, method, headers, body, told, abort.signal);
      } else {
        response = await this.#fetch(url, { method, headers, body: body ?? null, signal: abort.signal, redirect: "error" });
      }
      idle();
      return { response, idle, pause, done };
    } catch (error) {
      done();
      throw abort.signal.aborted ? abort.signal.reason : error;
    }
  }

  /** Only XMLHttpRequest tells browsers how far an upload is. Elsewhere the body is counted as it is read. */
  #upload(
    url: string,
    method: string,
    headers: Record<string, string>,
    body: Blob,
    progress: (sent: number, total: number) => void,
    signal: AbortSignal,
  ): Promise<Response> {
    if (typeof XMLHttpRequest !== "undefined") return uploadByXhr(url, method, headers, body, progress, signal);
    let sent = 0;
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        sent += piece.byteLength;
        progress(sent, body.size);
        controller.enqueue(piece);
      },
    });
    const streamed: RequestInit & { duplex: "half" } = {
      method,
      headers: { ...headers, "Content-Type": body.type },
      body: body.stream().pipeThrough(counting as unknown as ReadableWritablePair<Uint8Array<ArrayBuffer>>),
      duplex: "half",
      signal,
      redirect: "error",
    };
    return this.#fetch(url, streamed);
  }
}

function uploadByXhr(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: Blob,
  progress: (sent: number, total: number) => void,
  signal: AbortSignal,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) {
      if (name !== "User-Agent") request.setRequestHeader(name, value);
    }
    request.responseType = "arraybuffer";
    request.upload.onprogress = (event) => progress(event.loaded, event.total);
    request.onload = () => {
      const answered = new Headers();
      for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
        const colon = line.indexOf(":");
        if (colon > 0) answered.append(line.slice(0, colon), line.slice(colon + 1).trim());
      }
      resolve(new Response(request.response as ArrayBuffer, { status: request.status, headers: answered }));
    };
    request.onerror = () => reject(new TypeError("the upload failed"));
    request.onabort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(body);
  });
}

/** Whether sending it twice has the effect of sending it once. */
function canRepeat(id: OperationId): boolean {
  const { idempotent, method } = operations[id];
  return idempotent || method !== "POST";
}

function newIdempotencyKey(): string {
  // `crypto.randomUUID` is missing on pages without TLS.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `ts_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function target(path: string, values: Record<string, string | number>, query: object): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined || value === "") throw new LecternError(`${name} is missing`);
    return encodeURIComponent(value);
  });
  const given = Object.entries(query).filter(([, value]) => value !== undefined) as [string, string | number | boolean][];
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length ? `${filled}?${search}` : filled;
}
