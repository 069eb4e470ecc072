// Answers that are read piece by piece.
import { APIConnectionError, APITimeoutError } from "./errors.js";
import type { Incoming } from "./http.js";

/** The bytes of an answer, as they come. Read it to its end, or cancel it. */
export class BinaryStream implements AsyncIterable<Uint8Array> {
  readonly headers: Headers;
  /** The bytes, for what takes such a stream. It can be read once. */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;

  constructor(incoming: Incoming) {
    this.headers = incoming.response.headers;
    this.body = timed(incoming);
  }

  get contentType(): string {
    return this.headers.get("content-type") ?? "";
  }

  /** The number of bytes, if it is known before they have come. */
  get length(): number | undefined {
    const text = this.headers.get("content-length");
    return text === null ? undefined : Number(text);
  }

  get requestId(): string | undefined {
    return this.headers.get("x-request-id") ?? undefined;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
    // Not every runtime can iterate over a stream.
    const reader = this.body.getReader();
    let ended = false;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        yield value;
      }
      ended = true;
    } finally {
      if (!ended) await reader.cancel().catch(() => undefined);
    }
  }

  /** All bytes. */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const pieces = [];
    let length = 0;
    for await (const piece of this) {
      pieces.push(piece);
      length += piece.byteLength;
    }
    const all = new Uint8Array(length);
    let place = 0;
    for (const piece of pieces) {
      all.set(piece, place);
      place += piece.byteLength;
    }
    return all;
  }

  /** All bytes, as what `URL.createObjectURL` takes for an `<audio>`. */
  async blob(): Promise<Blob> {
    return new Blob([await this.bytes()], { type: this.contentType });
  }

  async cancel(): Promise<void> {
    await this.body.cancel();
  }
}

/** Speech as it is spoken. */
export class AudioStream extends BinaryStream {
  get synthesisId(): string | undefined {
    return this.headers.get("lectern-synthesis-id") ?? undefined;
  }

  /** The number of characters that are paid for. */
  get characters(): number {
    return Number(this.headers.get("lectern-characters") ?? 0);
  }

  /** The price of the whole text. */
  get credits(): number {
    return Number(this.headers.get("lectern-credits") ?? 0);
  }

  /** Whether an earlier request with the same Idempotency-Key was spoken. */
  get replayed(): boolean {
    return this.headers.get("idempotent-replayed") === "true";
  }
}

/** The body of an answer, with the time limit between its pieces and errors of this library. */
function timed({ response, idle, pause, done }: Incoming): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>> | null)?.getReader();
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      idle();
      try {
        const piece = await reader?.read();
        if (!piece || piece.done) {
          done();
          controller.close();
        } else {
          // Who reads slowly has the time for it.
          pause();
          controller.enqueue(piece.value);
        }
      } catch (error) {
        done();
        controller.error(broken(error));
      }
    },
    async cancel(reason) {
      done();
      await reader?.cancel(reason);
    },
  });
}

function broken(error: unknown): unknown {
  if (error instanceof APITimeoutError) return error;
  if (error instanceof Error && error.name === "AbortError") return error;
  return new APIConnectionError("the connection broke", { cause: error });
}
