// Fails when a first load exceeds its budget: the page's HTML, the application's frame, one page, and all their static imports, as a
// browser gets them (Brotli), with the texts of both in one language. What a page imports after that does not count: dialogs, the player,
// and the parts of a book, which its head asks for last. `--all` lists every page, and `--files` its files, too.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

const LIMIT = 60_000;
// The API reference is one page with a third-party viewer.
const REFERENCE_LIMIT = 220_000;

const root = new URL('../dist/app/', import.meta.url);
const sizeOf = (file) => {
  const compressed = new URL(`${file}.br`, root);
  return existsSync(compressed) ? statSync(compressed).size : brotliCompressSync(readFileSync(new URL(file, root))).length;
};
/** A name with its size. */
const sized = (files) => [...new Set(files)].map((file) => [file, sizeOf(file)]);
const total = (files) => files.reduce((sum, [, size]) => sum + size, 0);

const { files, styles, routes, texts, languages, frame } = JSON.parse(readFileSync(new URL('../dist/pages.json', import.meta.url), 'utf8'));
const pages = routes
  .flatMap(([path, isGuest, [own, css, names]]) =>
    Object.entries(languages).map(([language, hash]) => {
      const scripts = [...own.map((at) => files[at]), ...[0, ...names].map((at) => `${language}-${texts[at]}-${hash}`)].map((name) => `assets/${name}.js`);
      const found = sized(['index.html', ...frame, ...scripts, ...css.map((at) => `assets/${styles[at]}.css`)]);
      return { page: `${path}${isGuest ? ' for guests' : ''} (${language})`, found, size: total(found) };
    }),
  )
  .sort((a, b) => b.size - a.size);
const shows = (name) => process.argv.includes(name);
if (shows('--all') || shows('--files')) for (const { page, found, size } of pages) console.log(`${size} in ${found.length} ${page}${shows('--files') ? `: ${found.map((file) => file.join(' ')).join(', ')}` : ''}`);
const [worst] = pages;
console.log(`first load of ${worst.page}: ${worst.size} bytes in ${worst.found.length} files, Brotli`);
if (worst.size > LIMIT) {
  console.error(`error: the first load is ${worst.size} bytes, over ${LIMIT}`);
  process.exitCode = 1;
}
if (/\/assets\/index-/.test(readFileSync(new URL('docs.html', root), 'utf8'))) {
  console.error('error: the API reference loads the frame of the application');
  process.exitCode = 1;
}
const reference = total(sized(['docs.html', ...readdirSync(new URL('assets/', root)).filter((name) => /^docs-.*\.(js|css)$/.test(name)).map((name) => `assets/${name}`)]));
console.log(`API reference: ${reference} bytes, Brotli`);
if (reference > REFERENCE_LIMIT) {
  console.error(`error: the API reference is ${reference} bytes, over ${REFERENCE_LIMIT}`);
  process.exitCode = 1;
}
