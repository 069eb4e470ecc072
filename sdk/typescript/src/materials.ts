// Materials: books and other long texts. The other operations are in `resources.ts`.
import { APIConnectionError, WaitTimeoutError, retryAfter } from "./errors.js";
import { ENDS, eventsOf, type MaterialEvent } from "./events.js";
import type * as api from "./generated/api.js";
import { sleep, type Incoming, type RequestOptions } from "./http.js";
import type { Pager } from "./paging.js";
import type { QueryOf } from "./request.js";
import { Resource, type ListOptions } from "./resource.js";
import { BinaryStream } from "./streams.js";
import { form, nameOf, type Uploadable } from "./upload.js";

// A proxy or a network that fails silently is noticed after this time: the service sends a comment more often.
const SILENCE = 45_000;
// How often `wait` looks at the material itself, for changes that no event tells of.
const LOOK = 15_000;

export interface UploadFields {
  title?: string;
  language?: string;
  /** By default the name of the `File`. */
  filename?: string;
  /** Called with the number of bytes that are sent and that of all; from the beginning again for another attempt. */
  onProgress?: (sent: number, total: number) => void;
}

export interface WaitOptions {
  /** How long to wait, in milliseconds; without end by default. */
  timeout?: number;
  signal?: AbortSignal;
  /** Called with each event. */
  onEvent?: (event: MaterialEvent) => void;
}

export interface BookOptions extends Omit<QueryOf<"get_material_audio">, "url"> {
  /** How long to wait for the file, in milliseconds; without end by default. */
  timeout?: number;
  signal?: AbortSignal;
  /** Called with how far the file is, 0 to 1. */
  onAssembling?: (progress: number) => void;
}

/** Books and other long texts, and the audio that is made of them. */
export class Materials extends Resource {
  /** A material of a text, or of the document at an address. Give one of the two. */
  create(body: api.CreateMaterialRequest, options?: RequestOptions): Promise<api.Material> {
    return this.json("create_material", { json: body, ...options });
  }

  /** A material of a file. */
  async upload(file: Uploadable, fields: UploadFields = {}, options?: RequestOptions): Promise<api.Material> {
    const { filename, onProgress, title, language } = fields;
    const body = await form(file, filename ?? nameOf(file), { title, language });
    return this.json("create_material", { body, onProgress, ...options });
  }

  list(query: QueryOf<"list_materials"> = {}, options?: ListOptions): Pager<api.Material> {
    return this.pager("list_materials", query, { ...options });
  }

  get(id: string, options?: RequestOptions): Promise<api.Material> {
    return this.json("get_material", { path: { id }, ...options });
  }

  /** Changes what the files say about the book. What is left out does not change; `null` removes. */
  update(id: string, body: api.UpdateMaterialRequest, options?: RequestOptions): Promise<api.Material> {
    return this.json("update_material", { path: { id }, json: body, ...options });
  }

  delete(id: string, options?: RequestOptions): Promise<api.Material> {
    return this.json("delete_material", { path: { id }, ...options });
  }

  /** Begins to speak a material. The whole price is held; see `wait`. */
  convert(id: string, body: api.ConvertRequest, options?: RequestOptions): Promise<api.Conversion> {
    return this.json("convert_material", { path: { id }, json: body, ...options });
  }

  /** Begins nothing new; what is done stays. */
  cancel(id: string, options?: RequestOptions): Promise<api.Material> {
    return this.json("cancel_material", { path: { id }, ...options });
  }

  /**
   * What happens to a material, from its first event on or after `lastEventId`, until it is completed or failed. When the
   * connection breaks, it is opened again.
   */
  async *events(
    id: string,
    { lastEventId, signal }: { lastEventId?: number; signal?: AbortSignal } = {},
  ): AsyncGenerator<MaterialEvent, void, undefined> {
    let seen = lastEventId;
    for (let failures = 0; ; ) {
      const stream = await this.#eventStream(id, seen, signal);
      try {
        for await (const event of eventsOf(stream)) {
          failures = 0;
          seen = event.sequence ?? seen;
          yield event;
          if (ENDS.has(event.type)) return;
        }
        return;
      } catch (error) {
        failures += 1;
        if (!(error instanceof APIConnectionError) || failures > this.http.maxRetries) throw error;
      }
      await sleep(1_000, signal);
    }
  }

  async #eventStream(id: string, seen: number | undefined, signal: AbortSignal | undefined): Promise<BinaryStream> {
    const headers: Record<string, string> = { Accept: "text/event-stream" };
    if (seen !== undefined) headers["Last-Event-ID"] = String(seen);
    return this.binary("follow_material", { path: { id }, headers, signal, timeout: SILENCE });
  }

  /**
   * Waits until the service has finished what it does with a material, and answers the material. After an upload that is
   * until it is `ready` or `failed`; after `convert`, until it is `completed`, `partially_failed`, or `ready` if not all of it
   * was to be spoken.
   */
  async wait(id: string, { timeout, signal, onEvent }: WaitOptions = {}): Promise<api.Material> {
    const ends = Date.now() + (timeout ?? Infinity);
    let seen: number | undefined;
    for (;;) {
      const material = await this.get(id, { signal });
      if (material.status !== "processing" && material.status !== "converting") return material;
      const left = ends - Date.now();
      if (left <= 0) throw new WaitTimeoutError(`${id} is not finished after ${timeout} ms`);
      // Given up after a while, to look at the material.
      const look = new AbortController();
      const stop = () => look.abort();
      const timer = setTimeout(stop, Math.min(LOOK, left));
      signal?.addEventListener("abort", stop, { once: true });
      let broke = false;
      try {
        for await (const event of eventsOf(await this.#eventStream(id, seen, look.signal))) {
          seen = event.sequence ?? seen;
          onEvent?.(event);
          if (event.type.startsWith("material.")) break;
        }
      } catch (error) {
        signal?.throwIfAborted();
        if (!look.signal.aborted && !(error instanceof APIConnectionError)) throw error;
        broke = !look.signal.aborted;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", stop);
      }
      if (broke) await sleep(1_000, signal);
    }
  }

  /** The answer of the whole book's route, once it is no longer "it is being made". */
  async #assembled(id: string, query: object, options: BookOptions, whole: boolean): Promise<Incoming> {
    const { timeout, signal, onAssembling } = options;
    const ends = Date.now() + (timeout ?? Infinity);
    for (;;) {
      const incoming = await this.http.send("get_material_audio", { path: { id }, query, signal, whole });
      if (incoming.response.status !== 202) return incoming;
      const pause = (retryAfter(incoming.response.headers) ?? 1) * 1_000;
      const { progress } = (await incoming.response.json()) as api.Assembling;
      incoming.done();
      onAssembling?.(progress);
      if (Date.now() + pause > ends) throw new WaitTimeoutError(`the file of ${id} is not made after ${timeout} ms`);
      await sleep(pause, signal);
    }
  }

  /** The whole book as one file. Waits until it is made. */
  async audio(id: string, options: BookOptions = {}): Promise<BinaryStream> {
    const { format, granularity, loudness } = options;
    return new BinaryStream(await this.#assembled(id, { format, granularity, loudness }, options, false));
  }

  /** A URL of the whole book that needs no key, valid for 24 hours. Waits until the file is made. */
  async audioUrl(id: string, options: BookOptions = {}): Promise<api.AudioUrl> {
    const { format, granularity, loudness } = options;
    const query = { format, granularity, loudness, url: true };
    const { response } = await this.#assembled(id, query, options, true);
    return (await response.json()) as api.AudioUrl;
  }

  /** The captions of the whole book. */
  async captions(id: string, query: QueryOf<"get_material_captions"> = {}, options?: RequestOptions): Promise<string> {
    const bytes = await (await this.binary("get_material_captions", { path: { id }, query, ...options })).bytes();
    return new TextDecoder().decode(bytes);
  }

  async chapters(id: string, options?: RequestOptions): Promise<api.Chapter[]> {
    return (await this.json("list_chapters", { path: { id }, ...options })).data;
  }

  /** Renames a chapter (`null` removes its title), or leaves it out of the book. */
  updateChapter(
    id: string,
    index: number,
    body: api.UpdateChapterRequest,
    options?: RequestOptions,
  ): Promise<api.Chapter> {
    return this.json("update_chapter", { path: { id, index }, json: body, ...options });
  }

  chunks(id: string, query: QueryOf<"list_chunks"> = {}, options?: ListOptions): Pager<api.Chunk> {
    return this.pager("list_chunks", query, { path: { id }, ...options });
  }

  chunkAudio(id: string, index: number, options?: RequestOptions): Promise<BinaryStream> {
    return this.binary("get_chunk_audio", { path: { id, index }, ...options });
  }

  /** A URL of a chunk's audio that needs no key, valid for 24 hours. */
  chunkAudioUrl(id: string, index: number, options?: RequestOptions): Promise<api.AudioUrl> {
    return this.json("get_chunk_audio", { path: { id, index }, query: { url: true }, ...options });
  }

  chunkText(id: string, index: number, options?: RequestOptions): Promise<api.ChunkText> {
    return this.json("get_chunk_text", { path: { id, index }, ...options });
  }

  /** Corrects a text. It is spoken, and paid, when the chunk is converted the next time. */
  setChunkText(id: string, index: number, text: string, options?: RequestOptions): Promise<api.ChunkText> {
    const headers = { "Content-Type": "text/plain; charset=utf-8" };
    return this.json("set_chunk_text", { path: { id, index }, body: text, headers, ...options });
  }

  chunkTimestamps(id: string, index: number, options?: RequestOptions): Promise<api.ChunkTimestamps> {
    return this.json("get_chunk_timestamps", { path: { id, index }, ...options });
  }

  cover(id: string, options?: RequestOptions): Promise<BinaryStream> {
    return this.binary("get_cover", { path: { id }, ...options });
  }

  /** A JPEG or PNG; which of them, its first bytes say. */
  async setCover(id: string, picture: Uploadable, options?: RequestOptions): Promise<api.Material> {
    const body = new Blob([picture]);
    const first = new Uint8Array(await body.slice(0, 1).arrayBuffer())[0];
    const headers = { "Content-Type": first === 0x89 ? "image/png" : "image/jpeg" };
    return this.json("set_cover", { path: { id }, body, headers, ...options });
  }

  deleteCover(id: string, options?: RequestOptions): Promise<api.Material> {
    return this.json("delete_cover", { path: { id }, ...options });
  }

  /** Who speaks in a material, and by which e-reader they are said. */
  cast(id: string, options?: RequestOptions): Promise<api.Cast> {
    return this.json("get_cast", { path: { id }, ...options });
  }

  /** Until the first conversion. */
  setCast(id: string, body: api.CastRequest, options?: RequestOptions): Promise<api.Cast> {
    return this.json("set_cast", { path: { id }, json: body, ...options });
  }

  /** What is said in the text, and whose it is. */
  quotes(id: string, query: QueryOf<"list_quotes"> = {}, options?: ListOptions): Pager<api.Quote> {
    return this.pager("list_quotes", query, { path: { id }, ...options });
  }

  /** Until the first conversion. */
  setQuotes(id: string, body: api.QuotesRequest, options?: RequestOptions): Promise<api.Quotes> {
    return this.json("set_quotes", { path: { id }, json: body, ...options });
  }

  /** The secret URL of a podcast of the book's chapters; made if there is none. */
  makeFeed(id: string, options?: RequestOptions): Promise<api.BookFeed> {
    return this.json("make_feed", { path: { id }, ...options });
  }

  feed(id: string, options?: RequestOptions): Promise<api.BookFeed> {
    return this.json("get_feed", { path: { id }, ...options });
  }

  /** Revokes the URL. */
  deleteFeed(id: string, options?: RequestOptions): Promise<api.BookFeed> {
    return this.json("delete_feed", { path: { id }, ...options });
  }
}
