// Fails when a first load exceeds its budget. A first load is the application's frame, one page, and all their static imports,
// compressed with gzip.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const LIMITS = { js: 150_000, css: 30_000 };
// The API reference is one page with a third-party viewer.
const REFERENCE_LIMIT = 260_000;

const root = new URL('../dist/app/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('manifest.json', root), 'utf8'));
const sizeOf = (file) => {
  const compressed = new URL(`${file}.gz`, root);
  return existsSync(compressed) ? statSync(compressed).size : gzipSync(readFileSync(new URL(file, root))).length;
};
/** The size of a chunk and its static imports, without the chunks in `seen`. */
const load = (key, seen) => {
  if (seen.has(key)) return { js: 0, css: 0 };
  seen.add(key);
  const chunk = manifest[key];
  const sum = { js: sizeOf(chunk.file), css: 0 };
  for (const css of chunk.css ?? []) sum.css += sizeOf(css);
  for (const name of chunk.imports ?? []) {
    const imported = load(name, seen);
    sum.js += imported.js;
    sum.css += imported.css;
  }
  return sum;
};
// The heaviest page counts.
let worst = { page: '', js: 0, css: 0 };
for (const page of manifest['index.html'].dynamicImports ?? []) {
  const seen = new Set();
  const [frame, content] = [load('index.html', seen), load(page, seen)];
  const sum = { page, js: frame.js + content.js, css: frame.css + content.css };
  if (sum.js > worst.js) worst = sum;
}
console.log(`first load of ${worst.page}: ${worst.js} bytes of JavaScript, ${worst.css} bytes of CSS, gzip`);
for (const kind of ['js', 'css']) {
  if (worst[kind] > LIMITS[kind]) {
    console.error(`error: ${kind} of the first load is ${worst[kind]} bytes, over ${LIMITS[kind]}`);
    process.exitCode = 1;
  }
}
const reference = load('docs.html', new Set());
console.log(`API reference: ${reference.js} bytes of JavaScript, ${reference.css} bytes of CSS, gzip`);
if (reference.js > REFERENCE_LIMIT) {
  console.error(`error: js of the API reference is ${reference.js} bytes, over ${REFERENCE_LIMIT}`);
  process.exitCode = 1;
}
