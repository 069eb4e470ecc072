// What the head of the page asks for before any module runs (src/early.js, vite/pages.ts): each page takes all of it, and asks for none of it
// again.
//
// Negative controls, seen: with `limit=7` instead of 6 for the books of Home, nobody takes that answer; without the check of `localStorage`
// in early.js a guest asks for the data of the account.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { expectCount, expectVisible, heading, launch, openVisitor, signInWithConsent } from './browser.js';
import { Server, stopAll } from './server.js';

let server;
let browser;
let signedIn;
let book;
let list;
let hook;
before(async () => {
  server = await Server.start({});
  browser = await launch();
  const { visitor, page } = await signInWithConsent(browser, server, 'early@example.com', { credits: 1000 });
  await expectVisible(heading(page, 'Home'));
  const token = await server.session('early@example.com');
  const create = async (path, body) => (await server.call('POST', path, { token, body })).body;
  ({ id: book } = await create('/v1/bff/materials', { text: 'It was night. “Who is there?” Ada asked.', title: 'The Storm', language: 'en' }));
  ({ id: list } = await create('/v1/bff/lexicons', { name: 'Names', language: 'en', entries: [] }));
  ({ id: hook } = await create('/v1/bff/webhooks', { url: 'https://hooks.example.com/lectern', events: ['job.completed'] }));
  signedIn = await visitor.context.storageState();
  await visitor.done();
});
after(stopAll);

/** What the head of a page asks for: the module of the frame is never loaded. */
async function askedByHead(path, storageState) {
  const visitor = await openVisitor(browser, server, storageState ? { storageState } : {});
  const page = await visitor.context.newPage();
  await page.route('**/assets/index-*.js', (route) => route.abort());
  await page.goto(path, { waitUntil: 'load' });
  const asked = await page.evaluate(() => ({
    data: [...globalThis.lecternAnswers.keys()],
    files: Array.from(document.querySelectorAll('link[rel=modulepreload], link[rel=preload]'), ({ href }) => new URL(href).pathname),
  }));
  await visitor.done();
  return asked;
}

/** All that a page asks for, and the early answers that it has not taken. */
async function askedByPage(path, storageState) {
  const visitor = await openVisitor(browser, server, storageState ? { storageState } : {});
  const page = await visitor.context.newPage();
  const asked = [];
  page.on('request', (request) => asked.push(request.url().slice(server.url.length)));
  // They are forgotten some seconds later.
  await page.addInitScript(() => {
    globalThis.forgotten = [];
    const { clear } = Map.prototype;
    Map.prototype.clear = function () {
      if (this === globalThis.lecternAnswers) globalThis.forgotten.push(...this.keys());
      clear.call(this);
    };
  });
  await page.goto(path);
  await expectCount(page.locator('main .loading'), 0);
  await page.waitForLoadState('networkidle', { timeout: 20_000 });
  const untaken = await page.evaluate(() => [...globalThis.forgotten, ...globalThis.lecternAnswers.keys()]);
  await visitor.done();
  return { asked, untaken };
}

const PAGES = ['/', '/books', '/books/ID', '/speak', '/voices', '/pronunciation', '/pronunciation/ID', '/history', '/credits', '/settings', '/developers', '/keys', '/webhooks', '/webhooks/ID'];
const GUEST_PAGES = ['/', '/register', '/sign-in'];
/** Compares what the head of a page asks for with what the page takes. */
async function assertTaken(address, storageState) {
  const head = await askedByHead(address, storageState);
  assert.ok(head.data[0] === '/v1/bff/me' && head.files.length > 3, JSON.stringify(head));
  const { asked, untaken } = await askedByPage(address, storageState);
  assert.deepEqual(untaken, []);
  const times = (url) => asked.filter((other) => other === url).length;
  assert.deepEqual([...head.data, ...head.files].filter((url) => times(url) !== 1), []);
  return head;
}
for (const path of PAGES) {
  test(`${path} asks early for its data and files, and once`, async () => {
    const ids = { '/books/ID': book, '/pronunciation/ID': list, '/webhooks/ID': hook };
    const { data } = await assertTaken(path in ids ? path.replace('ID', ids[path]) : path, signedIn);
    assert.ok(data.length > 1, data.join());
  });
}
for (const path of GUEST_PAGES) test(`${path} asks a guest's data and files early, and once`, () => assertTaken(path, null));

// Negative control, seen: without `clone().arrayBuffer()` in early.js the network stays busy.
test('answers that nobody takes keep no connection', async () => {
  const { asked, untaken } = await askedByPage('/books/mat_00000000000000000000000000000000', signedIn);
  assert.ok(asked.some((url) => url.includes('/chapters?')) && untaken.some((url) => url.includes('/chapters?')), untaken.join());
});

test('a guest asks for nothing of an account, and for who they are', async () => {
  assert.deepEqual((await askedByHead('/books', null)).data, ['/v1/bff/me']);
  const { data, files } = await askedByHead('/', null);
  assert.deepEqual(data, ['/v1/bff/me', '/v1/bff/auth/registration']);
  assert.ok(files.some((file) => file.includes('/Landing-')) && !files.some((file) => file.includes('/Home-')), files.join());
});

// Negative control, seen: without `endEarly` for a PUT the place of before comes back.
test('a place that was kept without a connection is sent first, and stays', async () => {
  const visitor = await openVisitor(browser, server, { storageState: signedIn });
  const page = await visitor.context.newPage();
  const place = { chunk_index: 0, position_ms: 0, finished: false };
  const send = (progress, at) => page.evaluate(([id, body]) => fetch(`/v1/bff/me`).then((me) => me.json()).then(({ csrf_token: token, account }) =>
    fetch(`/v1/bff/materials/${id}/place?environment=live`, { method: 'PUT', headers: { 'Content-Type': 'application/json', 'X-Lectern-CSRF': token }, body: JSON.stringify(body) }).then(({ status }) => [status, account.id])),
  [book, { ...place, progress, updated_at: at }]);
  await page.goto('/voices');
  const [status, account] = await send(0.1, new Date(Date.now() - 60_000).toISOString());
  assert.equal(status, 200);
  const kept = { places: { [book]: { ...place, material_id: book, progress: 0.5, updated_at: new Date().toISOString() } }, bookmarks: {} };
  await page.evaluate(([key, text]) => localStorage.setItem(key, text), [`lectern.places.${account} live`, JSON.stringify(kept)]);
  await page.goto('/');
  await expectVisible(page.getByRole('heading', { name: 'Continue listening' }));
  await page.waitForLoadState('networkidle');
  const saved = await page.evaluate((key) => JSON.parse(localStorage.getItem(key)), `lectern.places.${account} live`);
  assert.equal(saved.places[book].progress, 0.5);
  await visitor.done();
});

test('who has signed out is a guest at the next visit', async () => {
  const { visitor, page } = await signInWithConsent(browser, server, 'leaver@example.com');
  await expectVisible(heading(page, 'Home'));
  assert.equal(await page.evaluate(() => localStorage.getItem('lectern.account')), '1');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/sign-in**');
  assert.equal(await page.evaluate(() => localStorage.getItem('lectern.account')), null);
  await visitor.done();
});
