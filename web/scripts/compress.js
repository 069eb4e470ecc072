// Writes a Brotli and a gzip form next to every built file that gets smaller by it; the server sends the one that the browser accepts.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = new URL('../dist/app', import.meta.url).pathname;
const files = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? files(join(folder, entry.name)) : [join(folder, entry.name)],
  );
for (const file of files(root)) {
  if (!/\.(html|js|css|svg)$/.test(file)) continue;
  const bytes = readFileSync(file);
  const parameters = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  for (const [ending, short] of [
    ['.br', brotliCompressSync(bytes, { params: parameters })],
    ['.gz', gzipSync(bytes, { level: 9 })],
  ]) {
    if (short.length < bytes.length) writeFileSync(file + ending, short);
  }
}
