// Writes a Brotli and a gzip variant next to every built file that compresses well. The server sends the one that the browser accepts.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = new URL('../dist/app', import.meta.url).pathname;
const listFiles = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? listFiles(join(folder, entry.name)) : [join(folder, entry.name)],
  );
for (const file of listFiles(root)) {
  if (!/\.(html|js|css|svg|webmanifest)$/.test(file)) continue;
  const bytes = readFileSync(file);
  const parameters = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  for (const [extension, compressed] of [
    ['.br', brotliCompressSync(bytes, { params: parameters })],
    ['.gz', gzipSync(bytes, { level: 9 })],
  ]) {
    if (compressed.length < bytes.length) writeFileSync(file + extension, compressed);
  }
}
