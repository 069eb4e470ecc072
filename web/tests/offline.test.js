// Installed pages and downloaded books: on a real server in a real browser, with the real service worker. The voice is a tone.
import assert from 'node:assert/strict';
import { createServer, request as send } from 'node:http';
import { after, before, test } from 'node:test';

import { findFaults } from './axe.js';
import { expectText, expectVisible, heading, launch, openVisitor, signIn, signInWithConsent } from './browser.js';
import { stopAll, stopLater } from './server.js';
import { button, eventually, makeBook, pause, sleep, startChapter, startToneServer, TITLE } from './tonebook.js';

let browser;
let server;

before(async () => {
  [browser, server] = await Promise.all([launch(), startToneServer(2)]);
});
after(stopAll);

const WITH_WORKER = { serviceWorkers: 'allow' };
/** The worker fetches all pages first, which takes a busy machine a while. */
const isControlled = (page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null, null, { timeout: 60_000 });
const caches = (page) => page.evaluate(async () => (await globalThis.caches.keys()).filter((name) => name.startsWith('lectern-book')));

/** The page of such a book, with the service worker in charge. */
async function openBook(email) {
  const { visitor, page } = await signInWithConsent(browser, server, email, { path: '/settings', options: WITH_WORKER });
  const book = await makeBook(server, email);
  await isControlled(page);
  await page.goto(`/books/${book.id}`);
  await expectVisible(button(page, 'Download for offline'));
  return { visitor, page, ...book };
}
const noFaults = async (page, what) => assert.deepEqual(await findFaults(page), [], what);

test('the pages can be installed', async () => {
  const visitor = await openVisitor(browser, server, WITH_WORKER);
  const page = await visitor.context.newPage();
  await page.goto('/');
  await isControlled(page);
  const answers = await page.evaluate(async () => {
    const fetched = async (path) => {
      const response = await fetch(path);
      return [response.status, response.headers.get('content-type'), response.headers.get('cache-control')];
    };
    const manifest = await (await fetch(document.querySelector('link[rel=manifest]').href)).json();
    const icons = await Promise.all(
      manifest.icons.filter(({ type }) => type === 'image/png').map(async ({ src, sizes }) => {
        const bitmap = await createImageBitmap(await (await fetch(src)).blob());
        return [sizes, `${bitmap.width}x${bitmap.height}`];
      }),
    );
    return { worker: await fetched('/sw.js'), manifest: await fetched('/manifest.webmanifest'), touch: await fetched('/apple-touch-icon.png'), icons, purposes: manifest.icons.map(({ purpose }) => purpose) };
  });
  assert.deepEqual(answers.worker, [200, 'text/javascript; charset=utf-8', 'no-cache']);
  assert.deepEqual(answers.manifest.slice(0, 2), [200, 'application/manifest+json']);
  assert.deepEqual(answers.touch.slice(0, 2), [200, 'image/png']);
  assert.deepEqual(answers.icons.map(([sizes]) => sizes), ['192x192', '512x512', '512x512']);
  for (const [sizes, real] of answers.icons) assert.equal(real, sizes);
  assert.ok(answers.purposes.includes('maskable'));
  const devtools = await visitor.context.newCDPSession(page);
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  assert.deepEqual(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito'), []);
  await visitor.done();
});

// Negative control, seen: when the worker does not answer for the list of books, there is no book offline.
test('a downloaded book plays offline, its place is sent later, and signing out removes it', async () => {
  const { visitor, page, id, call } = await openBook('offline@example.com');
  await button(page, 'Download for offline').click();
  await expectVisible(page.getByText(/^Plays offline/));
  await noFaults(page, 'a downloaded book');
  assert.equal((await caches(page)).length, 1);
  await page.goto('/books?show=downloaded');
  await expectVisible(page.getByText('Downloaded', { exact: true }).locator('visible=true'));

  await visitor.context.setOffline(true);
  await page.reload();
  await expectVisible(page.getByText('You are offline.'));
  await noFaults(page, 'the library offline');
  // The page searches in what it has.
  const search = page.getByLabel('Search books by title, author, series or tag');
  await search.fill('no such book');
  await expectVisible(page.getByText('No book matches.'));
  await search.fill(TITLE.toUpperCase());
  await expectVisible(page.getByText('1 book found.'));
  await page.getByRole('link', { name: TITLE }).first().click();
  await expectVisible(heading(page, TITLE));
  await startChapter(page, 3);
  await expectVisible(page.locator('.spoken-text'));
  // The parts change offline as well.
  await expectText(page.locator('[aria-label="Player"] .what a'), ['Home']);
  await pause(page);
  await noFaults(page, 'a book offline');
  // What needs the service says so, and loses nothing.
  await page.getByRole('link', { name: 'Speak' }).first().click();
  await expectVisible(page.getByText(/cannot be reached/));
  assert.notEqual((await call('GET', `/materials/${id}/place`)).chunk_index, 3);

  await visitor.context.setOffline(false);
  await page.waitForFunction(() => navigator.onLine);
  await eventually(() => call('GET', `/materials/${id}/place`), ({ chunk_index }) => chunk_index === 3);
  await page.goto('/settings');
  await button(page, 'Sign out').locator('visible=true').first().click();
  await page.waitForURL(/sign-in/);
  await sleep(300);
  assert.deepEqual(await caches(page), []);
  await visitor.done();
});

test('a full storage is told, and what is there can be removed', async () => {
  const { visitor, page } = await openBook('full@example.com');
  const devtools = await visitor.context.newCDPSession(page);
  const used = await page.evaluate(async () => (await navigator.storage.estimate()).usage);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: used + 60_000 });
  await button(page, 'Download for offline').click();
  await expectVisible(page.getByRole('alert').filter({ hasText: 'The storage of this browser is full' }));
  await noFaults(page, 'a full storage');
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: server.url });
  await button(page, 'Continue the download').click();
  await expectVisible(page.getByText(/^Plays offline/));
  await page.getByRole('button', { name: 'Remove the download' }).click();
  await noFaults(page, 'the question before a download is removed');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expectVisible(button(page, 'Download for offline'));
  assert.deepEqual(await caches(page), []);
  await visitor.done();
});

test('a download that lost its connection goes on when it is back', async () => {
  const { visitor, page } = await openBook('paused@example.com');
  await visitor.context.setOffline(true);
  // The browser's switch does not reach a worker that runs already.
  const [worker] = visitor.context.serviceWorkers();
  await worker.evaluate(() => {
    self.connected = self.fetch;
    self.fetch = () => Promise.reject(new TypeError('offline'));
  });
  await button(page, 'Download for offline').click();
  await expectVisible(page.getByText(/Connection lost: 0 of/));
  await noFaults(page, 'a paused download');
  await worker.evaluate(() => (self.fetch = self.connected));
  await visitor.context.setOffline(false);
  await expectVisible(page.getByText(/^Plays offline/));
  await visitor.done();
});

test('another account never sees what was downloaded', async () => {
  const { visitor, page } = await openBook('first@example.com');
  await button(page, 'Download for offline').click();
  await expectVisible(page.getByText(/^Plays offline/));
  await server.account('second@example.com');
  await server.admin('consent', 'accept', '--account', 'second@example.com');
  // The session ends elsewhere, so nobody signs out here.
  await visitor.context.clearCookies();
  await page.goto('/sign-in');
  await signIn(page, 'second@example.com');
  await page.waitForURL((url) => url.pathname === '/');
  await sleep(500);
  assert.deepEqual(await caches(page), []);
  await visitor.done();
});

/** Stands before the server, and makes another version of the pages of it. */
async function upgradable() {
  const state = { isNew: false, brand: null };
  const { hostname, port } = new URL(server.url);
  const proxy = createServer((incoming, outgoing) => {
    if (state.isAway) return outgoing.writeHead(503).end();
    if (incoming.url.startsWith('/brand/')) {
      const isCurrent = incoming.url === `/brand/${state.brand}.css`;
      return outgoing.writeHead(isCurrent ? 200 : 404, { 'content-type': 'text/css' }).end(isCurrent ? `:root { --accent: ${state.color}; }` : '');
    }
    const headers = { ...incoming.headers, 'accept-encoding': 'identity' };
    const upstream = send({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      const pieces = [];
      answer.on('data', (piece) => pieces.push(piece));
      answer.on('end', () => {
        let body = Buffer.concat(pieces);
        if (state.brand && /text\/html/.test(answer.headers['content-type'])) body = Buffer.from(body.toString().replace('</head>', `<link rel="stylesheet" href="/brand/${state.brand}.css" /></head>`));
        if (state.isNew && incoming.url === '/sw.js') body = Buffer.from(body.toString().replace(/version:"[0-9a-f]+"/, 'version:"ffffffffffff"'));
        // Of the version before, nothing is served any more.
        if (state.isNew && /^\/assets\/Voices-/.test(incoming.url)) return outgoing.writeHead(404).end();
        const { 'content-length': _, 'transfer-encoding': __, etag: ___, ...rest } = answer.headers;
        outgoing.writeHead(answer.statusCode, rest).end(body);
      });
    });
    upstream.on('error', () => outgoing.destroy());
    incoming.pipe(upstream);
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  stopLater({ stop: () => proxy.closeAllConnections?.() ?? proxy.close() });
  state.url = `http://127.0.0.1:${proxy.address().port}`;
  state.close = () => {
    proxy.closeAllConnections();
    proxy.close();
  };
  return state;
}

test('a newer version takes over without breaking an open page', async () => {
  const proxy = await upgradable();
  const visitor = await openVisitor(browser, { url: proxy.url }, WITH_WORKER);
  await server.account('upgrade@example.com');
  await server.admin('consent', 'accept', '--account', 'upgrade@example.com');
  await sleep(1100);
  const page = await visitor.context.newPage();
  await page.goto('/sign-in');
  await signIn(page, 'upgrade@example.com');
  await expectVisible(heading(page, 'Home'));
  await isControlled(page);
  const shells = () => page.evaluate(async () => (await globalThis.caches.keys()).filter((name) => name.startsWith('lectern-shell-')));
  assert.equal((await shells()).length, 1);
  proxy.isNew = true;
  await page.evaluate(async () => {
    const changed = new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
    await (await navigator.serviceWorker.getRegistration()).update();
    await changed;
  }).catch(() => assert.fail('the newer worker does not take over'));
  assert.deepEqual((await shells()).at(-1), 'lectern-shell-ffffffffffff');
  await page.getByRole('link', { name: 'Voices' }).first().click();
  await expectVisible(heading(page, 'Voices'));
  await visitor.done();
  proxy.close();
});

// Negative control: with the page of the installation alone, the second brand is not shown offline, and the first one's files are gone.
test('offline the pages have the brand of the last visit', async () => {
  const proxy = await upgradable();
  [proxy.brand, proxy.color] = ['first', 'rgb(1, 1, 1)'];
  const visitor = await openVisitor(browser, { url: proxy.url }, WITH_WORKER);
  const page = await visitor.context.newPage();
  const accent = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent').trim());
  await page.goto('/sign-in');
  await isControlled(page);
  [proxy.brand, proxy.color] = ['second', 'rgb(2, 2, 2)'];
  await page.reload();
  await expectVisible(heading(page, 'Sign in'));
  assert.equal(await accent(), 'rgb(2, 2, 2)');
  const kept = () => page.evaluate(async () => (await (await globalThis.caches.open('lectern-brand')).keys()).map(({ url }) => new URL(url).pathname).sort().join(' '));
  await eventually(kept, (names) => names === '/ /brand/second.css');
  proxy.isAway = true;
  await page.reload();
  assert.equal(await accent(), 'rgb(2, 2, 2)');
  await expectVisible(page.locator('h1'));
  await visitor.done();
  proxy.close();
});
