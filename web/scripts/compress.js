// Writes a Brotli and a gzip variant next to every built file that compresses well. The server sends the one that the browser accepts.
// The argument is a folder of web/dist: `app` for the application, `guide` for the documentation site.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = new URL(`../dist/${process.argv[2] ?? 'app'}`, import.meta.url).pathname;
const listFiles = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? listFiles(join(folder, entry.name)) : [join(folder, entry.name)],
  );
const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)];
// All at once: zlib's threads share the work.
await Promise.all(
  listFiles(root).map(async (file) => {
    if (!/\.(html|js|css|svg|webmanifest)$/.test(file)) return;
    const bytes = readFileSync(file);
    const parameters = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    for (const [extension, compressed] of [
      ['.br', await toBrotli(bytes, { params: parameters })],
      ['.gz', await toGzip(bytes, { level: 9 })],
    ]) {
      if (compressed.length < bytes.length) writeFileSync(file + extension, compressed);
    }
  }),
);
