// The structure of src: imports between its folders form no circle, and only api/ talks to the service.
//
// Negative controls, each seen to fail: an import of state/router in api/events.ts, a call of `fetch` in App.svelte, and a
// `margin-left` in Brand.svelte.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';

const root = new URL('../src/', import.meta.url).pathname;

async function sources(folder = root) {
  const entries = await readdir(folder, { withFileTypes: true });
  const nested = await Promise.all(entries.map((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.(ts|svelte)$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : [];
  }));
  return nested.flat();
}

const files = await Promise.all((await sources()).map(async (path) => ({ path: relative(root, path), text: await readFile(path, 'utf8') })));
/** The top folder of a file; '' for the files that are in none. */
const folderOf = (path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '');

test('imports between folders form no circle', () => {
  const imports = new Map();
  for (const { path, text } of files) {
    const from = folderOf(path);
    if (!imports.has(from)) imports.set(from, new Set());
    for (const [, target] of text.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)) {
      const to = folderOf(join(dirname(path), target));
      if (to !== from) imports.get(from).add(to);
    }
  }
  assert.ok(imports.get('pages').has('components'), 'no imports are found');
  const circles = new Set();
  const visit = (folder, trail) => {
    if (trail.includes(folder)) circles.add(trail.slice(trail.indexOf(folder)).sort().join(' ↔ '));
    else for (const next of imports.get(folder) ?? []) visit(next, [...trail, folder]);
  };
  for (const folder of imports.keys()) visit(folder, []);
  assert.deepEqual([...circles], []);
});

test('only api/ talks to the service', () => {
  const requests = /\bfetch\s*\(|\b(XMLHttpRequest|EventSource|WebSocket|sendBeacon)\b|from 'openapi-fetch'/;
  // The snippets are code for users to copy, and the service worker stands between the pages and the service.
  const found = files.filter(({ path, text }) => path !== 'text/snippets.ts' && !path.startsWith('worker/') && requests.test(text)).map(({ path }) => path);
  assert.ok(found.includes('api/client.ts'), 'no requests are found');
  assert.deepEqual(found.filter((path) => folderOf(path) !== 'api'), []);
});

test('margins, paddings, borders and places are logical, so that pages can be written from right to left', async () => {
  const sheets = [...files.filter(({ path }) => path.endsWith('.svelte')), { path: 'app.css', text: await readFile(join(root, 'app.css'), 'utf8') }];
  const physical = /(?:^|[\s;{])(?:(?:margin|padding|border)-(?:left|right)(?:-\w+)?|left|right|border-(?:top|bottom)-(?:left|right)-radius)\s*:|(?:text-align|float|clear)\s*:\s*(?:left|right)\b/g;
  const found = sheets.flatMap(({ path, text }) => {
    const css = path.endsWith('.css') ? text : (/<style>([^]*)<\/style>/.exec(text)?.[1] ?? '');
    return Array.from(css.replace(/\/\*[^]*?\*\//g, '').matchAll(physical), ([rule]) => `${path}: ${rule.trim()}`);
  });
  assert.deepEqual(found, []);
});
