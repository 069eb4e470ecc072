// Sockets: docs/SOCKET.md.
import { webSocket } from "#websocket";
import { APIConnectionError, LecternError, errorOfMessage } from "./errors.js";
import type { WordTimestamp } from "./generated/api.js";
import { sleep, type Http } from "./http.js";
import type { WebSocketLike } from "./websocket.js";

/** What the service sends. */
export type SocketEvent =
  /** Audio. All of a socket together is one stream in the format of its start. */
  | { type: "audio"; data: Uint8Array<ArrayBuffer> }
  /** The words of the audio that follows. */
  | { type: "words"; words: WordTimestamp[] }
  /** The answer to each `flush`: all before it was sent, or cancelled. */
  | { type: "flushed" }
  /** The answer to `end`, the last event of a socket. */
  | { type: "done"; characters: number; credits_charged: number };

// A message has at most 64 KiB, and a character needs up to 6 bytes.
const LONGEST = 8_000;

/** An open socket. Iterating over it gives what the service sends, until `done`. */
export class Socket implements AsyncIterable<SocketEvent> {
  readonly #socket: WebSocketLike;
  readonly #waiting: (SocketEvent | Error)[] = [];
  #closed = false;
  #wake: () => void = () => undefined;

  /** Use `client.speech.socket`. */
  constructor(socket: WebSocketLike) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#receive(data));
    socket.addEventListener("close", ({ code }) => {
      if (code !== 1000 && !this.#closed) this.#add(new APIConnectionError(`the socket broke: ${code}`));
      this.#closed = true;
      this.#wake();
    });
  }

  #add(event: SocketEvent | Error): void {
    this.#waiting.push(event);
    this.#wake();
  }

  #receive(data: unknown): void {
    if (typeof data !== "string") return this.#add({ type: "audio", data: new Uint8Array(data as ArrayBuffer) });
    const told = JSON.parse(data) as { type: string; error?: object };
    if (told.type === "error") {
      this.#add(errorOfMessage(told.error ?? {}));
      this.#closed = true;
    } else if (["words", "flushed", "done"].includes(told.type)) {
      this.#add(told as SocketEvent);
    }
  }

  #send(message: object): void {
    if (this.#closed || this.#socket.readyState !== 1) throw new LecternError("the socket is closed");
    this.#socket.send(JSON.stringify(message));
  }

  /** The next piece of the text. Words may be cut anywhere. */
  send(text: string): void {
    for (let start = 0; start < text.length; ) {
      let end = Math.min(start + LONGEST, text.length);
      // Not between the halves of a character.
      if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
      this.#send({ type: "text", text: text.slice(start, end) });
      start = end;
    }
  }

  /** Say all that came, even if its last sentence has not ended. */
  flush(): void {
    this.#send({ type: "flush" });
  }

  /** Stop at once, and forget what was not said. The socket stays open for more text. */
  cancel(): void {
    this.#send({ type: "cancel" });
  }

  /** Say all that came, then close. */
  end(): void {
    this.#send({ type: "end" });
  }

  /** Closes without saying the rest. */
  close(): void {
    this.#closed = true;
    this.#socket.close(1000);
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SocketEvent, void, undefined> {
    for (;;) {
      const event = this.#waiting.shift();
      if (event instanceof Error) throw event;
      if (event) {
        yield event;
        if (event.type === "done") return;
      } else if (this.#closed) {
        return;
      } else {
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    }
  }

  /** Sends all texts, then `end`, and meanwhile gives what the service sends. */
  async *speak(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<SocketEvent, void, undefined> {
    let failure: { error: unknown } | undefined;
    const feed = async () => {
      try {
        for await (const text of texts) {
          // The one who reads is told why it is closed.
          if (this.#closed) return;
          this.send(text);
        }
        if (!this.#closed) this.end();
      } catch (error) {
        failure = { error };
        this.close();
      }
    };
    void feed();
    let ended = false;
    try {
      yield* this;
      ended = true;
    } finally {
      if (!ended) this.close();
    }
    if (failure) throw failure.error;
  }
}

export async function openSocket(http: Http, path: string, start: object): Promise<Socket> {
  const url = http.baseURL.replace(/^http/, "ws") + path;
  const key = http.key();
  for (let attempt = 0; ; attempt++) {
    const WebSocket = await webSocket();
    let opened;
    try {
      opened = new WebSocket(url, ["lectern.v1", `lectern.key.${key}`]);
    } catch {
      // Without the cause: it may quote the key.
      throw new APIConnectionError("the socket could not be opened");
    }
    opened.binaryType = "arraybuffer";
    // It listens from the beginning, so that it misses no message.
    const socket = new Socket(opened);
    if (await isOpen(opened, http.timeout)) {
      opened.send(JSON.stringify({ type: "start", ...start }));
      return socket;
    }
    // No WebSocket says why it was refused. The same request without the upgrade does, and waits where it has to.
    await http.send("open_socket", { maxRetries: Math.max(0, http.maxRetries - attempt) }).then(({ done }) => done(), rethrow);
    if (attempt >= http.maxRetries) throw new APIConnectionError("the socket could not be opened");
    await sleep(500 * 2 ** attempt);
  }
}

function rethrow(error: unknown): void {
  // `bad_request` is the answer when nothing but the upgrade is missing.
  if ((error as { status?: number }).status !== 400) throw error;
}

function isOpen(socket: WebSocketLike, timeout: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve(false);
      socket.close();
    }, timeout);
    const settle = (open: boolean) => () => {
      clearTimeout(timer);
      resolve(open);
    };
    socket.addEventListener("open", settle(true));
    socket.addEventListener("error", settle(false));
    socket.addEventListener("close", settle(false));
  });
}
