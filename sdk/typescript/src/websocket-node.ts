// Node 20 has no WebSocket of its own.
import type { WebSocketConstructor } from "./websocket.js";

export async function webSocket(): Promise<WebSocketConstructor> {
  const own = globalThis.WebSocket as unknown as WebSocketConstructor | undefined;
  return own ?? ((await import("ws")).WebSocket as unknown as WebSocketConstructor);
}
