// Fails when the first load is heavier than it may be. First load: what the page and everything that it imports before any
// page of its own is looked at weigh, compressed with gzip, the longer of the two forms.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const LIMITS = { js: 150_000, css: 30_000 };
// The reference of the API is one page with a viewer that somebody else keeps.
const REFERENCE = 260_000;

const root = new URL('../dist/app/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('manifest.json', root), 'utf8'));
const weigh = (file) => {
  const short = new URL(`${file}.gz`, root);
  return existsSync(short) ? statSync(short).size : gzipSync(readFileSync(new URL(file, root))).length;
};
const load = (key, seen) => {
  if (seen.has(key)) return { js: 0, css: 0 };
  seen.add(key);
  const chunk = manifest[key];
  const sum = { js: weigh(chunk.file), css: 0 };
  for (const css of chunk.css ?? []) sum.css += weigh(css);
  for (const other of chunk.imports ?? []) {
    const more = load(other, seen);
    sum.js += more.js;
    sum.css += more.css;
  }
  return sum;
};
// Whoever opens a page waits for the frame and for that page; the heaviest of them counts.
let worst = { page: '', js: 0, css: 0 };
for (const page of manifest['index.html'].dynamicImports ?? []) {
  const seen = new Set();
  const [frame, own] = [load('index.html', seen), load(page, seen)];
  const sum = { page, js: frame.js + own.js, css: frame.css + own.css };
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
console.log(`the reference: ${reference.js} bytes of JavaScript, ${reference.css} bytes of CSS, gzip`);
if (reference.js > REFERENCE) {
  console.error(`error: the reference's JavaScript is ${reference.js} bytes, over ${REFERENCE}`);
  process.exitCode = 1;
}
