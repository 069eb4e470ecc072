// What needs a file system: Node, Bun and Deno.
import { createWriteStream, openAsBlob } from "node:fs";
import { readFile, rename, rm } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import type { BinaryStream } from "./streams.js";

/** A file to upload. It is read while it is sent; by Bun before, which loses such files inside of others. */
export async function fileFrom(path: string): Promise<File> {
  const content = "bun" in process.versions ? await readFile(path) : await openAsBlob(path);
  return new File([content], basename(path));
}

/**
 * Writes the bytes of a stream to a file as they come. The file appears when it is whole. `onProgress` is called with the
 * number of bytes written and that of all, if it is known.
 */
export async function saveTo(
  path: string,
  stream: BinaryStream,
  options: { onProgress?: (written: number, total: number | undefined) => void } = {},
): Promise<void> {
  const part = `${path}.part`;
  async function* counted() {
    let written = 0;
    for await (const piece of stream) {
      yield piece;
      written += piece.byteLength;
      options.onProgress?.(written, stream.length);
    }
  }
  try {
    await pipeline(Readable.from(counted()), createWriteStream(part));
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
