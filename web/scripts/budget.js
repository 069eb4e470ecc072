// Fails when a first load exceeds its budget: the application's frame, one page, and all their static imports, as a browser gets them
// (Brotli), with the texts of both in one language. What a page loads when it is needed (dialogs, the player) does not count.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

import { readRoutes } from './texts.js';

/** Of JavaScript and CSS together. */
const LIMIT = 60_000;
// The API reference is one page with a third-party viewer.
const REFERENCE_LIMIT = 220_000;

const root = new URL('../dist/app/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('manifest.json', root), 'utf8'));
const sizeOf = (file) => {
  const compressed = new URL(`${file}.br`, root);
  return existsSync(compressed) ? statSync(compressed).size : brotliCompressSync(readFileSync(new URL(file, root))).length;
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
// The language with the largest texts decides: everybody's first load is to be within the budget.
const LANGUAGES = Object.keys(manifest).flatMap((key) => /^src\/i18n\/messages\/(\w+)\.ts$/.exec(key)?.[1] ?? []).filter((name) => manifest[`src/i18n/messages/${name}.ts`].isDynamicEntry && manifest[`src/i18n/messages/${name}/home.ts`]);
const keyOf = (path) => Object.keys(manifest).find((key) => manifest[key].src === path || key === path) ?? chunkOf(path);
/** A page that other modules share has a chunk without a source of its own; its name is the page's. */
const chunkOf = (path) => Object.keys(manifest).find((key) => manifest[key].name === path.replace(/.*\/(\w+)\.svelte$/, '$1') && manifest[key].isDynamicEntry);
const pages = readRoutes()
  .flatMap(({ path, texts }) => {
    const key = keyOf(`src/${path}`);
    if (!key) throw new Error(`${path} is not in the manifest`);
    return LANGUAGES.map((language) => {
      const seen = new Set();
      const files = ['index.html', key, `src/i18n/messages/${language}.ts`, ...texts.map((name) => `src/i18n/messages/${language}/${name}.ts`)];
      const loads = files.map((file) => load(file, seen));
      const sum = (kind) => loads.reduce((total, one) => total + one[kind], 0);
      return { page: `${path} (${language})`, js: sum('js'), css: sum('css') };
    });
  })
  .sort((a, b) => b.js + b.css - a.js - a.css);
if (process.argv.includes('--all')) for (const { page, js, css } of pages) console.log(`${js + css} (${js} + ${css}) ${page}`);
const worst = pages[0];
console.log(`first load of ${worst.page}: ${worst.js} bytes of JavaScript, ${worst.css} bytes of CSS, Brotli`);
if (worst.js + worst.css > LIMIT) {
  console.error(`error: the first load is ${worst.js + worst.css} bytes, over ${LIMIT}`);
  process.exitCode = 1;
}
const reference = load('docs.html', new Set());
console.log(`API reference: ${reference.js} bytes of JavaScript, ${reference.css} bytes of CSS, Brotli`);
if (reference.js > REFERENCE_LIMIT) {
  console.error(`error: js of the API reference is ${reference.js} bytes, over ${REFERENCE_LIMIT}`);
  process.exitCode = 1;
}
