// Verifies what the service posts to a webhook, as Standard Webhooks defines (docs/WEBHOOKS.md).
import { Webhook } from "standardwebhooks";

import { LecternError, WebhookVerificationError } from "./errors.js";
import type { EventType, WebhookPayload } from "./generated/api.js";

/** A verified event. */
export interface WebhookEvent {
  /** The same on every attempt: remember it, because an event may arrive twice. */
  id: string;
  type: EventType;
  timestamp: string;
  data: Record<string, unknown>;
}

/**
 * The event of a request, byte for byte as it arrived; throws a `WebhookVerificationError` if it is not to be trusted.
 * `secret` is the `whsec_…` that the endpoint was made with. A message is refused when it is older than five minutes.
 */
export function verify(
  body: string | Uint8Array | ArrayBuffer,
  headers: Headers | Record<string, string | string[] | undefined>,
  secret: string,
): WebhookEvent {
  const entries = headers instanceof Headers ? [...headers.entries()] : Object.entries(headers);
  const given: Record<string, string> = {};
  for (const [name, value] of entries) {
    if (typeof value === "string") given[name.toLowerCase()] = value;
  }
  let webhook;
  try {
    webhook = new Webhook(secret);
  } catch {
    // Without the cause: it may quote the secret.
    throw new LecternError("the secret is not one of a webhook: whsec_ and base64");
  }
  try {
    const text = typeof body === "string" ? body : new TextDecoder("utf-8", { fatal: true }).decode(body);
    const payload = webhook.verify(text, given) as WebhookPayload & { data: Record<string, unknown> };
    return { id: given["webhook-id"] ?? "", type: payload.type, timestamp: payload.timestamp, data: payload.data };
  } catch (error) {
    throw new WebhookVerificationError(error instanceof Error ? error.message : "not verified");
  }
}
