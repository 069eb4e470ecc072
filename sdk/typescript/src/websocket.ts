// The WebSocket of browsers, Deno, Bun and Node from 22 on.

export interface WebSocketLike {
  binaryType: string;
  readonly readyState: number;
  send(data: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "open" | "error", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { code: number; reason: string }) => void): void;
}

export type WebSocketConstructor = new (url: string, protocols: string[]) => WebSocketLike;

export function webSocket(): Promise<WebSocketConstructor> {
  return Promise.resolve(WebSocket as unknown as WebSocketConstructor);
}
