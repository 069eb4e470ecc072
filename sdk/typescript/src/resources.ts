// The operations of `/v1/saas`, by what they are about; those of materials are in `materials.ts`. Fields have the
// API's names.
import type * as api from "./generated/api.js";
import { operations } from "./generated/operations.js";
import type { RequestOptions } from "./http.js";
import type { Pager } from "./paging.js";
import type { Answer, QueryOf } from "./request.js";
import { Resource, type ListOptions } from "./resource.js";
import { openSocket, type Socket } from "./socket.js";
import { AudioStream, BinaryStream } from "./streams.js";

/** The account that the key belongs to. */
export class Account extends Resource {
  /** The account, and what the key may do. */
  me(options?: RequestOptions): Promise<api.Me> {
    return this.json("get_me", { ...options });
  }

  /** Registers an account. Needs no key. */
  register(body: api.RegisterRequest, options?: RequestOptions): Promise<api.Registration> {
    return this.json("register", { json: body, ...options });
  }

  /** Signs in. Needs no key. The session's token is for the web application, not for this client. */
  login(body: api.LoginRequest, options?: RequestOptions): Promise<api.Login> {
    return this.json("login", { json: body, ...options });
  }
}

/** Credits, and what they were spent on. */
export class Credits extends Resource {
  balance(options?: RequestOptions): Promise<api.Balance> {
    return this.json("get_balance", { ...options });
  }

  /** The ledger, newest first. */
  transactions(query: QueryOf<"list_transactions"> = {}, options?: ListOptions): Pager<api.Transaction> {
    return this.pager("list_transactions", query, { ...options });
  }

  /** Characters, credits and requests, by day, e-reader or key. */
  usage(query: QueryOf<"get_usage"> = {}, options?: RequestOptions): Promise<api.Usage> {
    return this.json("get_usage", { query, ...options });
  }
}

/** The voices. */
export class Ereaders extends Resource {
  list(query: QueryOf<"list_ereaders"> = {}, options?: ListOptions): Pager<api.Ereader> {
    return this.pager("list_ereaders", query, { ...options });
  }

  get(slug: string, options?: RequestOptions): Promise<api.Ereader> {
    return this.json("get_ereader", { path: { slug }, ...options });
  }

  /** A sample of the voice, as MP3. */
  sample(slug: string, query: QueryOf<"get_ereader_sample"> = {}, options?: RequestOptions): Promise<BinaryStream> {
    return this.binary("get_ereader_sample", { path: { slug }, query, ...options });
  }
}

/** The events of the last 30 days, whether or not a webhook received them. */
export class Events extends Resource {
  list(query: QueryOf<"list_events"> = {}, options?: ListOptions): Pager<api.Event> {
    return this.pager("list_events", query, { ...options });
  }
}

/** What needs no key: audio by its URL, podcast feeds, the document of the API. */
export class Files extends Resource {
  /** The audio at an `audio_url`, or a feed's file. The key is not sent there. */
  open(url: string, options?: RequestOptions): Promise<BinaryStream> {
    return this.binary(url.includes("/feeds/") ? "get_feed_file" : "get_media", { url, ...options });
  }

  /** The document of the API. */
  openapi(options?: RequestOptions): Promise<Answer<"get_openapi">> {
    return this.json("get_openapi", { ...options });
  }
}

/** API keys. They need a key with the scope `admin`. */
export class Keys extends Resource {
  /** Makes a key. Its secret is `key`, and is shown this once. */
  create(body: api.CreateKeyRequest, options?: RequestOptions): Promise<api.NewApiKey> {
    return this.json("create_key", { json: body, ...options });
  }

  list(query: QueryOf<"list_keys"> = {}, options?: ListOptions): Pager<api.ApiKey> {
    return this.pager("list_keys", query, { ...options });
  }

  /** Renames a key. */
  update(id: string, body: api.UpdateKeyRequest, options?: RequestOptions): Promise<api.ApiKey> {
    return this.json("update_key", { path: { id }, json: body, ...options });
  }

  /** Replaces a key. The new secret is `key`, and is shown this once; the previous key ends as `previous` says. */
  roll(id: string, body: api.RollKeyRequest = {}, options?: RequestOptions): Promise<api.RolledApiKey> {
    return this.json("roll_key", { path: { id }, json: body, ...options });
  }

  revoke(id: string, options?: RequestOptions): Promise<api.ApiKey> {
    return this.json("revoke_key", { path: { id }, ...options });
  }
}

/** How words are said. */
export class Lexicons extends Resource {
  create(body: api.LexiconRequest, options?: RequestOptions): Promise<api.Lexicon> {
    return this.json("create_lexicon", { json: body, ...options });
  }

  /** A lexicon from a file in the W3C's Pronunciation Lexicon Specification. */
  createFromPls(
    pls: string | Uint8Array<ArrayBuffer>,
    query: QueryOf<"create_lexicon"> = {},
    options?: RequestOptions,
  ): Promise<api.Lexicon> {
    const headers = { "Content-Type": "application/pls+xml" };
    return this.json("create_lexicon", { body: pls, headers, query, ...options });
  }

  list(query: QueryOf<"list_lexicons"> = {}, options?: ListOptions): Pager<api.Lexicon> {
    return this.pager("list_lexicons", query, { ...options });
  }

  /** `{ include: "entries" }` answers the entries, too. */
  get(id: string, query: QueryOf<"get_lexicon"> = {}, options?: RequestOptions): Promise<api.Lexicon> {
    return this.json("get_lexicon", { path: { id }, query, ...options });
  }

  replace(id: string, body: api.LexiconRequest, options?: RequestOptions): Promise<api.Lexicon> {
    return this.json("replace_lexicon", { path: { id }, json: body, ...options });
  }

  replaceFromPls(
    id: string,
    pls: string | Uint8Array<ArrayBuffer>,
    query: QueryOf<"replace_lexicon"> = {},
    options?: RequestOptions,
  ): Promise<api.Lexicon> {
    const headers = { "Content-Type": "application/pls+xml" };
    return this.json("replace_lexicon", { path: { id }, body: pls, headers, query, ...options });
  }

  delete(id: string, options?: RequestOptions): Promise<api.Lexicon> {
    return this.json("delete_lexicon", { path: { id }, ...options });
  }
}

/** Texts of up to 5,000 characters, spoken at once; and sockets for text that comes piece by piece. */
export class Speech extends Resource {
  /** Speaks a text. The audio is at `audio_url`, for 24 hours: see `client.files.open`. */
  synthesize(body: api.SynthesizeRequest, options?: RequestOptions): Promise<api.Synthesis> {
    return this.json("synthesize", { json: body, ...options });
  }

  /** Speaks a text, and gives the audio while it is being spoken. */
  async stream(body: api.StreamRequest, options?: RequestOptions): Promise<AudioStream> {
    return new AudioStream(await this.http.send("stream", { json: body, ...options }));
  }

  /** A socket for text that comes piece by piece. docs/SOCKET.md says when speech begins, and what it costs. */
  socket(start: Omit<api.StreamRequest, "text">): Promise<Socket> {
    return openSocket(this.http, operations.open_socket.path, start);
  }
}

/** Endpoints that receive events. They need a key with the scope `admin`. See also `webhooks.verify`. */
export class Webhooks extends Resource {
  /** The answer has the `secret`, which is shown this once. */
  create(body: api.CreateWebhookRequest, options?: RequestOptions): Promise<api.NewWebhook> {
    return this.json("create_webhook", { json: body, ...options });
  }

  list(query: QueryOf<"list_webhooks"> = {}, options?: ListOptions): Pager<api.Webhook> {
    return this.pager("list_webhooks", query, { ...options });
  }

  get(id: string, options?: RequestOptions): Promise<api.Webhook> {
    return this.json("get_webhook", { path: { id }, ...options });
  }

  /** What is left out does not change; `description: null` removes it. */
  update(id: string, body: api.UpdateWebhookRequest, options?: RequestOptions): Promise<api.Webhook> {
    return this.json("update_webhook", { path: { id }, json: body, ...options });
  }

  delete(id: string, options?: RequestOptions): Promise<api.Webhook> {
    return this.json("delete_webhook", { path: { id }, ...options });
  }

  /** A new secret. The old one stays valid for 24 hours. */
  rotateSecret(id: string, options?: RequestOptions): Promise<api.RotatedWebhook> {
    return this.json("rotate_webhook_secret", { path: { id }, ...options });
  }

  /** Sends a `webhook.test` at once. */
  test(id: string, options?: RequestOptions): Promise<api.Delivery> {
    return this.json("test_webhook", { path: { id }, ...options });
  }

  deliveries(id: string, query: QueryOf<"list_deliveries"> = {}, options?: ListOptions): Pager<api.Delivery> {
    return this.pager("list_deliveries", query, { path: { id }, ...options });
  }

  /** A delivery with each of its attempts. */
  delivery(id: string, deliveryId: string, options?: RequestOptions): Promise<api.DeliveryDetail> {
    return this.json("get_delivery", { path: { id, delivery_id: deliveryId }, ...options });
  }

  /** Sends it again now. */
  retryDelivery(id: string, deliveryId: string, options?: RequestOptions): Promise<api.Delivery> {
    return this.json("retry_delivery", { path: { id, delivery_id: deliveryId }, ...options });
  }
}
