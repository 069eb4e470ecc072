// The place in a book and its bookmarks, which the service keeps for every device: on a real server in a real browser. Each context of the
// browser is a device of its own.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { findFaults } from './axe.js';
import { expectCount, expectText, expectVisible, heading, launch, openVisitor, signIn, signInWithConsent } from './browser.js';
import { stopAll } from './server.js';
import { button, CHAPTERS, eventually, makeBook, pause, player, sleep, startChapter, startToneServer, TITLE } from './tonebook.js';

let browser;
let server;

before(async () => {
  [browser, server] = await Promise.all([launch(), startToneServer(12)]);
});
after(stopAll);

const current = (page) => page.locator('[aria-label="Player"] .what a');

/** An account with a book, on whose page it is. `place` and `bookmarks` are what the service has. */
async function openBook(email) {
  const { visitor, page } = await signInWithConsent(browser, server, email, { path: '/settings' });
  const { id, call } = await makeBook(server, email);
  await page.goto(`/books/${id}`);
  await expectVisible(heading(page, TITLE));
  return { visitor, page, id, call, place: () => call('GET', `/materials/${id}/place`), bookmarks: async () => (await call('GET', `/materials/${id}/bookmarks`)).data };
}
/** Another device of the same account. */
async function openDevice(email, path) {
  const visitor = await openVisitor(browser, server);
  const page = await visitor.context.newPage();
  await page.goto(`/sign-in?next=${encodeURIComponent(path)}`);
  await signIn(page, email);
  await expectVisible(heading(page, TITLE));
  return { visitor, page };
}
/** As if the user went to another tab, and came back. */
const setHidden = (page, isHidden) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);

// Negative control, seen: when each page that is hidden saves its place, also a paused one, the newer one is lost.
test('every device goes on where the listener was last', async () => {
  const { visitor, page, id, place } = await openBook('devices@example.com');
  await startChapter(page, 2);
  await pause(page);
  await eventually(place, ({ chunk_index }) => chunk_index === 1);

  const other = await openDevice('devices@example.com', `/books/${id}`);
  await button(other.page, 'Continue listening').click();
  await expectText(current(other.page), [CHAPTERS[1]]);
  await startChapter(other.page, 3);
  await pause(other.page);
  await eventually(place, ({ chunk_index }) => chunk_index === 2);

  await setHidden(page, true);
  await sleep(500);
  assert.equal((await place()).chunk_index, 2, 'a page that only lay there has won');
  await setHidden(page, false);
  await expectText(current(page), [CHAPTERS[2]]);
  // The first device plays on, and the second one follows when it is looked at, but not while it plays itself.
  await startChapter(page, 4);
  await pause(page);
  await eventually(place, ({ chunk_index }) => chunk_index === 3);
  await startChapter(other.page, 1);
  await setHidden(other.page, false);
  await sleep(500);
  await expectText(current(other.page), [CHAPTERS[0]]);
  await visitor.done();
  await other.visitor.done();
});

test('the place is kept when the page is closed in the middle of a part', async () => {
  const { visitor, page, place } = await openBook('closing@example.com');
  await startChapter(page, 3);
  await page.waitForFunction(() => document.querySelector('audio[data-current]').currentTime > 2);
  await page.goto('about:blank');
  const { chunk_index, position_ms } = await eventually(place, (found) => found.position_ms > 1500);
  assert.equal(chunk_index, 2);
  assert.ok(position_ms < 6000, String(position_ms));
  await visitor.done();
});

test('while a part plays, its place is sent every ten seconds at most', async () => {
  const { visitor, page, place } = await openBook('seldom@example.com');
  let sent = 0;
  page.on('request', (request) => request.method() === 'PUT' && request.url().includes('/place') && (sent += 1));
  await startChapter(page, 1);
  await sleep(8000);
  assert.ok(sent <= 2, `${sent} requests`);
  await pause(page);
  await eventually(place, ({ position_ms }) => position_ms > 7000);
  await visitor.done();
});

test('what this browser kept before is sent once', async () => {
  const { visitor, page, id, call, place, bookmarks } = await openBook('merging@example.com');
  const account = (await call('GET', '/me')).account.id;
  const at = new Date(Date.now() - 60_000).toISOString();
  const kept = {
    places: { [id]: { material_id: id, chunk_index: 2, position_ms: 1500, progress: 0.6, finished: false, updated_at: at } },
    bookmarks: { [id]: [{ id: 'bmk_0123', material_id: id, chunk_index: 1, position_ms: 700, note: 'A lamp', created_at: at }] },
  };
  await page.evaluate(([key, text]) => localStorage.setItem(key, text), [`lectern.places.${account} live`, JSON.stringify(kept)]);
  await page.goto('/books');
  assert.equal((await eventually(place, ({ chunk_index }) => chunk_index === 2)).position_ms, 1500);
  const [bookmark] = await eventually(bookmarks, (list) => list.length === 1);
  assert.deepEqual([bookmark.chunk_index, bookmark.position_ms, bookmark.note], [1, 700, 'A lamp']);
  assert.notEqual(bookmark.id, 'bmk_0123');
  await page.reload();
  await expectText(page.getByRole('article'), ['60% heard']);
  assert.equal((await bookmarks()).length, 1);
  await visitor.done();
});

test('bookmarks have notes, and are the same on every device', async () => {
  const email = 'bookmarks@example.com';
  const { visitor, page, id, bookmarks } = await openBook(email);
  await startChapter(page, 2);
  await pause(page);
  await button(page, 'Open the player').click();
  const dialog = page.getByRole('dialog', { name: 'Now playing' });
  await button(dialog, 'Add a bookmark here').click();
  await dialog.getByRole('button', { name: /^Note of the bookmark at/ }).click();
  assert.deepEqual(await findFaults(page), []);
  await dialog.getByLabel('Note', { exact: true }).fill('  The lamp goes out. <b>x</b> ');
  await button(dialog, 'Save the note').click();
  await expectVisible(dialog.getByText('The lamp goes out. <b>x</b>', { exact: true }));
  const [{ note, chunk_index }] = await bookmarks();
  assert.deepEqual([note, chunk_index], ['The lamp goes out. <b>x</b>', 1]);

  const other = await openDevice(email, `/books/${id}`);
  await button(other.page, 'Continue listening').click();
  await button(other.page, 'Open the player').click();
  await expectVisible(other.page.getByText('The lamp goes out.'));
  // Removed without a connection, it is gone at once, and on the service later.
  await visitor.context.setOffline(true);
  await dialog.getByRole('button', { name: /^Remove the bookmark/ }).click();
  await expectVisible(dialog.getByText('No bookmarks in this book yet.'));
  assert.equal((await bookmarks()).length, 1);
  await button(dialog, 'Add a bookmark here').click();
  await expectCount(dialog.getByRole('button', { name: /^Remove the bookmark/ }), 1);
  // A note needs a connection, and stays in its field.
  await dialog.getByRole('button', { name: /^Note of the bookmark at/ }).click();
  await dialog.getByLabel('Note', { exact: true }).fill('Later');
  await button(dialog, 'Save the note').click();
  await expectVisible(dialog.getByRole('alert'));
  assert.equal(await dialog.getByLabel('Note', { exact: true }).inputValue(), 'Later');
  await visitor.context.setOffline(false);
  await eventually(bookmarks, (list) => list.length === 1 && list[0].note === '');
  await visitor.done();
  await other.visitor.done();
});

test('a full or refused storage loses no place', async () => {
  const { visitor, page, place } = await openBook('storage@example.com');
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  await startChapter(page, 2);
  await pause(page);
  await eventually(place, ({ chunk_index }) => chunk_index === 1);
  await startChapter(page, 3);
  await pause(page);
  await eventually(place, ({ chunk_index }) => chunk_index === 2);
  await visitor.done();
});

test('of two tabs only the one plays that was started last', async () => {
  const { visitor, page, id } = await openBook('tabs@example.com');
  await startChapter(page, 1);
  const second = await visitor.context.newPage();
  await second.goto(`/books/${id}`);
  await expectVisible(heading(second, TITLE));
  await startChapter(second, 3);
  await expectVisible(player(page).getByRole('button', { name: 'Play', exact: true }).locator('visible=true'));
  assert.equal(await page.locator('audio[data-current]').evaluate((audio) => audio.paused), true);
  await pause(second);
  await visitor.done();
});
