// Writes a Brotli variant next to every built file of the types that the binary holds in that form alone (crates/http/src/pages/files.rs).
// The argument is a folder of web/dist: `app` for the application, `guide` for the documentation site.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const root = new URL(`../dist/${process.argv[2] ?? 'app'}`, import.meta.url).pathname;
const listFiles = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? listFiles(join(folder, entry.name)) : [join(folder, entry.name)],
  );
const toBrotli = promisify(brotliCompress);
// All at once: zlib's threads share the work.
await Promise.all(
  listFiles(root).map(async (file) => {
    if (!/\.(css|html|js|json|svg|webmanifest)$/.test(file)) return;
    const bytes = readFileSync(file);
    const parameters = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(`${file}.br`, await toBrotli(bytes, { params: parameters }));
  }),
);
