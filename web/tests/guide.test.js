// The guide at /docs/guide/: links of the built site, search, and each kind of page in both themes and widths with axe.
//
// The files of web/dist/guide are read for the links; pages come from the service, under its policy. Seen to fail
// for real: a link to an anchor that was not there, comments in code of too little contrast, and a button inside a button.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, before, test } from 'node:test';

import { findFaults } from './axe.js';
import { expectVisible, launch, openVisitor } from './browser.js';
import { Server, stopAll } from './server.js';

const BASE = '/docs/guide/';
const root = new URL('../dist/guide/', import.meta.url).pathname;

/** What a binary may carry of the site, compressed with Brotli. */
const LIMIT = 2_000_000;

let server;
let browser;
before(async () => {
  assert.ok(existsSync(join(root, 'index.html')), 'the guide is not built: cd docs/site && npm ci && npm run build');
  server = await Server.start();
  browser = await launch();
});
after(stopAll);

const files = (folder) => readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? files(join(folder, entry.name)) : [join(folder, entry.name)]));
const pages = () => files(root).filter((file) => file.endsWith('.html'));
const idsOf = (html) => new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => decodeURIComponent(id)));

test('every link leads to a page, a place in it, or a file of the service', () => {
  const contents = new Map(pages().map((file) => [relative(root, file), readFileSync(file, 'utf8')]));
  const ids = new Map([...contents].map(([path, html]) => [path, idsOf(html)]));
  const broken = [];
  let checked = 0;
  for (const [path, html] of contents) {
    for (const [, href] of html.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
      const url = new URL(href.replaceAll('&amp;', '&'), `http://guide${BASE}${path}`);
      if (url.host !== 'guide') continue;
      checked += 1;
      if (!url.pathname.startsWith(BASE)) {
        if (!['/', '/docs', '/openapi.json'].includes(url.pathname)) broken.push(`${path}: ${href} is not of the guide`);
        continue;
      }
      const target = decodeURIComponent(url.pathname.slice(BASE.length)).replace(/(^|\/)$/, '$1index.html');
      if (!ids.has(target)) broken.push(`${path}: ${href} leads nowhere`);
      else if (url.hash && !ids.get(target).has(decodeURIComponent(url.hash.slice(1)))) broken.push(`${path}: ${href} is no place in ${target}`);
    }
  }
  assert.ok(checked > 1000, `${checked} links are found`);
  assert.deepEqual(broken, []);
});

test('pages have no scripts inside, and are compressed', () => {
  let bytes = 0;
  for (const file of files(root)) {
    if (file.endsWith('.br') || file.endsWith('.complete')) continue;
    bytes += statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
    if (!file.endsWith('.html')) continue;
    const inline = readFileSync(file, 'utf8').match(/<script(?![^>]*\ssrc=)[^>]*>/g) ?? [];
    assert.deepEqual(inline, [], relative(root, file));
    assert.ok(existsSync(`${file}.br`), relative(root, file));
  }
  assert.ok(bytes < LIMIT, `the guide takes ${bytes} bytes`);
});

test('folders, unknown pages and compression are answered as a browser needs it', async () => {
  const get = (path, headers = {}) => fetch(server.url + path, { redirect: 'manual', headers });
  const index = await get(BASE, { 'Accept-Encoding': 'br' });
  assert.equal(index.status, 200);
  assert.match(index.headers.get('content-security-policy'), /^default-src 'none'; script-src 'self';/);
  assert.equal(index.headers.get('content-encoding'), 'br');
  assert.equal((await get(BASE, { 'Accept-Encoding': 'br', 'If-None-Match': index.headers.get('etag') })).status, 304);
  assert.equal((await get('/docs/guide')).headers.get('location'), 'guide/');
  assert.equal((await get(`${BASE}adr`)).headers.get('location'), 'adr/');
  assert.equal((await get(`${BASE}adr/`)).status, 200);
  assert.equal((await get(`${BASE}nothing.html`, { Accept: 'text/html' })).headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal((await (await get(`${BASE}nothing.html`)).json()).error.code, 'not_found');
  const script = /src="([^"]+\.js)"/.exec(await (await get(BASE)).text())[1];
  assert.match((await get(script)).headers.get('cache-control'), /immutable/);
});

test('the search finds a word', async () => {
  const visitor = await openVisitor(browser, server);
  const page = await visitor.context.newPage();
  await page.goto(BASE);
  await page.getByRole('button', { name: /search/i }).first().click();
  await page.locator('#localsearch-input').fill('Idempotency-Key');
  const found = page.getByRole('option').first();
  await expectVisible(found);
  await found.click();
  await page.waitForURL((url) => url.pathname.startsWith(BASE) && url.pathname !== BASE);
  await expectVisible(page.getByRole('heading', { level: 1 }));
  await visitor.done();
});

test('a link in a page leads to the next one without an error', async () => {
  const visitor = await openVisitor(browser, server);
  const page = await visitor.context.newPage();
  await page.goto(BASE);
  await page.getByRole('main').getByRole('link', { name: 'First speech' }).click();
  await expectVisible(page.getByRole('heading', { level: 1, name: 'First speech' }));
  await page.getByRole('main').getByRole('link', { name: 'The interactive reference' }).click();
  await page.waitForURL((url) => url.pathname === '/docs');
  await visitor.done();
});

// One of each kind: index, tutorial, how-to with wide tables, generated reference, long explanation, decision, and the page for
// addresses that do not exist.
const KINDS = ['', 'tutorials/home-assistant.html', 'operations/install.html', 'reference/settings.html', 'errors.html', 'architecture.html', 'adr/0053-the-guide-is-made-by-vitepress.html', 'nothing.html'];
for (const colorScheme of ['light', 'dark']) {
  for (const width of [360, 1280]) {
    test(`each kind of page, ${colorScheme}, ${width} pixels`, async () => {
      const found = [];
      for (const path of KINDS) {
        const visitor = await openVisitor(browser, server, { colorScheme, reducedMotion: 'reduce', viewport: { width, height: 900 } });
        const page = await visitor.context.newPage();
        await page.goto(BASE + path);
        await page.waitForLoadState('networkidle');
        await expectVisible(page.getByRole('heading', { level: 1 }));
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (overflow > 0) found.push(`${path} is ${overflow} pixels wider than the screen`);
        found.push(...(await findFaults(page)).map((fault) => `${path}: ${fault}`));
        await visitor.done();
      }
      assert.deepEqual(found, []);
    });
  }
}
