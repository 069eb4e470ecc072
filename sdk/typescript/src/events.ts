// What happens to a material, and how it is told.

/** The events after which the service closes the stream. */
export const ENDS = new Set(["material.completed", "material.failed", "material.deleted"]);

/** Something that happened to a material, as `chunk.completed`. */
export interface MaterialEvent {
  type: string;
  /** Counts the events of a material from 1. Absent for `material.deleted`. */
  sequence?: number;
  /** The same as the `data` of the webhook. */
  data: Record<string, unknown>;
}

/** Makes events of a stream of server-sent events. */
export async function* eventsOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<MaterialEvent, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  let fields: Record<string, string> = {};
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line) {
        const colon = line.indexOf(":");
        // A line that begins with a colon is a comment.
        if (colon === 0) continue;
        const name = colon < 0 ? line : line.slice(0, colon);
        const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
        const before = fields[name];
        fields[name] = name === "data" && before !== undefined ? `${before}\n${value}` : value;
        continue;
      }
      const { event, data, id } = fields as { event?: string; data?: string; id?: string };
      fields = {};
      if (event === undefined || data === undefined) continue;
      const told: MaterialEvent = { type: event, data: JSON.parse(data) as Record<string, unknown> };
      if (id) told.sequence = Number(id);
      yield told;
    }
  }
}
