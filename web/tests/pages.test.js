// Every page, light at 360 pixels and dark at 1280 (with ALL_PAGES, both in both): axe-core finds no violations and nothing is wider than the screen. A screenshot
// of each is saved in web/artifacts.
//
// Negative controls: seen to fail with two landmarks of one name on /agree, and with a hidden field wider than the screen on
// /settings.
import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';

import { findFaults } from './axe.js';
import { expectVisible, launch, openVisitor } from './browser.js';
import { showManyVoices } from './manyvoices.js';
import { createLists, pronunciationPages } from './pronunciation.pages.js';
import { PASSWORD, Server, stopAll } from './server.js';

const ARTIFACTS = new URL('../artifacts/', import.meta.url).pathname;
const BOOK = new URL('../../docs/examples/the-lantern-keeper.epub', import.meta.url).pathname;
const LONG = 'An extraordinarily long title of a book that nobody could ever want to read aloud in one breath, '.repeat(4).trim();

let browser;
let server;
let storageStates;
let material;
let webhook;
let words;

const rich = 'rich@example.com';
const fresh = 'fresh@example.com';
const others = { owing: 'owing@example.com', newly: 'newly@example.com', asking: 'asking@example.com', ended: 'ended@example.com' };

before(async () => {
  await mkdir(ARTIFACTS, { recursive: true });
  [browser, server] = await Promise.all([launch(), Server.start({ LECTERN_WEBHOOKS__ALLOWED_NETWORKS: '127.0.0.0/8' })]);
  await server.account(rich, 250_000, 'free');
  await server.account(fresh, 0);
  const token = await server.session(rich);
  const bff = (method, path, body) => server.call(method, `/v1/bff${path}`, { token, body });
  const { body: readers } = await bff('GET', '/ereaders');
  const heart = readers.data.find((reader) => reader.slug === 'heart').id;
  await server.admin('voices', 'samples');
  for (const text of ['Hello.', 'The ships came home.']) await bff('POST', '/tts:synthesize', { text, ereader_id: heart });
  await bff('POST', '/materials', { text: 'Some words.', title: LONG });
  await bff('POST', '/materials', { text: 'Some words.', title: `Immeasurably${'long'.repeat(122)}` });
  await bff('POST', '/materials', { text: 'كان يا ما كان في قديم الزمان رجل يعيش في قرية صغيرة قرب البحر. '.repeat(5), title: 'كتاب الحكايات. '.repeat(40).slice(0, 500) });
  const form = new FormData();
  form.append('file', new Blob([await readFile(BOOK)]), 'the-lantern-keeper.epub');
  const uploaded = await fetch(`${server.url}/v1/bff/materials`, { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body: form });
  material = (await uploaded.json()).id;
  const until = async (status) => {
    for (let tries = 0; tries < 400; tries += 1) {
      const { body } = await bff('GET', `/materials/${material}`);
      if (body.status === status) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`the material is not ${status}`);
  };
  await until('ready');
  await bff('POST', `/materials/${material}/convert`, { ereader_id: heart });
  await until('completed');
  words = await createLists(bff, LONG.slice(0, 100));
  await bff('POST', '/keys', { name: LONG.slice(0, 100), scopes: ['read', 'write', 'admin'] });
  await bff('POST', '/purchases', { pack_id: '100000' });
  // Nothing listens there, so the page shows a failed delivery.
  const endpoint = { url: 'https://127.0.0.9:8443/lectern', events: ['chunk.completed', 'material.completed'], description: 'Nightly import' };
  webhook = (await bff('POST', '/webhooks', endpoint)).body.id;
  await bff('POST', `/webhooks/${webhook}/test`, {});
  await server.publish('terms', '2026-01', '# Terms\n\nOne.\n\n- a list\n- of **two**\n\nBe kind to the voices.');
  for (const email of Object.values(others)) await server.account(email, 0);
  await server.admin('consent', 'accept', '--account', others.owing);
  await server.publish('terms', '2026-02', '# Terms\n\nOne.\n\n- a list\n- of **three**\n\n4. four\n5. five\n\nBe kind to the voices.\n\n| a | b |\n|---|---|\n| 1 | 2 |');
  for (const email of [rich, fresh, others.asking, others.ended]) await server.admin('consent', 'accept', '--account', email);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  storageStates = { rich: await signInAndSave(rich), fresh: await signInAndSave(fresh) };
  for (const [name, email] of Object.entries(others)) storageStates[name] = await signInAndSave(email, name === 'owing' || name === 'newly' ? 'Terms and privacy' : 'Home');
});
after(stopAll);

async function signInAndSave(email, firstPage = 'Home') {
  const visitor = await openVisitor(browser, server);
  const page = await visitor.context.newPage();
  await page.goto('/sign-in');
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expectVisible(page.getByRole('heading', { name: firstPage }));
  const storage = await visitor.context.storageState();
  await visitor.done();
  return storage;
}

const click = (name) => async (page) => page.getByRole('button', { name }).first().click();

/** The name of a screenshot, the path, the signed-in user, and what to do on the page first. */
const pages = [
  ['sign-in', '/sign-in', null],
  ['sign-in-refused', '/sign-in', null, async (page) => {
    await page.getByLabel('Email address').fill('nobody@example.com');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expectVisible(page.getByRole('alert'));
  }],
  ['register-closed', '/register', null, async (page) => expectVisible(page.getByText('You need an invitation to register'))],
  ['register-signed-in', '/register', 'rich', async (page) => expectVisible(page.getByText('You are signed in as'))],
  ['register-invited', async () => `/register?invite=${(await server.admin('invite', 'create', '--email', 'invited@example.com')).invite_token}`, null, async (page) => {
    await expectVisible(page.getByText('You have been invited as'));
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await expectVisible(page.getByText(/all requirements met/));
  }],
  ['register-refused', '/register?invite=inv_0', null, async (page) => expectVisible(page.getByRole('alert'))],
  ['confirm', '/confirm?token=x', null],
  ['confirm-used', '/confirm?token=x', null, async (page) => {
    await page.getByRole('button', { name: 'Confirm my address' }).click();
    await expectVisible(page.getByText('has already been used'));
  }],
  ['forgot', '/forgot', null],
  ['reset', '/reset?token=x', null],
  ['nothing', '/nothing-here', null, async (page) => expectVisible(page.getByText('Page not found'))],
  ['reference', '/docs', null, async (page) => expectVisible(page.locator('rapi-doc.drawn').getByText(/Synthesize speech|tts:synthesize/).locator('visible=true'))],
  ['reference-operation', '/docs#post-/v1/saas/keys', null, async (page) => expectVisible(page.getByText('Creates a key with some').locator('visible=true'))],
  ['landing', '/', null],
  ['gallery', '/gallery', null],
  ['agree', '/agree', 'rich'],
  ['agree-owed', '/agree', 'owing', async (page) => {
    await page.getByText('Read the full terms of use').click();
    await page.getByLabel(/I have read and agree to the terms/).check();
  }],
  ['agree-first', '/agree', 'newly'],
  ['home', '/', 'rich'],
  ['home-first', '/', 'fresh'],
  ['speak', '/speak', 'rich'],
  ['speak-heard', '/speak', 'rich', async (page) => {
    await page.getByRole('button', { name: 'Speak', exact: true }).click();
    await expectVisible(page.locator('.spoken-text'));
  }],
  ['speak-stopped', '/speak', 'rich', async (page) => {
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('The ships came home in the evening, one after the other. '.repeat(60));
    await page.getByRole('button', { name: 'Speak', exact: true }).click();
    await expectVisible(page.locator('.spoken-text'));
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expectVisible(page.getByText(/^Stopped/));
  }],
  ['speak-long', '/speak', 'rich', async (page) => {
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('The ships came home. '.repeat(300));
    await expectVisible(page.getByRole('button', { name: 'Make a book of it' }));
  }],
  ['speak-refused', '/speak', 'fresh', async (page) => {
    await page.getByRole('button', { name: 'Speak', exact: true }).click();
    await expectVisible(page.getByRole('alert'));
  }],
  ['history', '/history', 'rich'],
  ['history-empty', '/history', 'fresh'],
  ['history-spoken', '/speak', 'rich', async (page) => {
    await page.getByRole('button', { name: 'Speak', exact: true }).click();
    await expectVisible(page.locator('.spoken-text'));
    const menu = page.getByRole('button', { name: 'Menu' });
    if (await menu.isVisible()) await menu.click();
    await page.getByRole('link', { name: 'History' }).click();
    await page.locator('summary', { hasText: 'The harbour' }).first().click();
    await expectVisible(page.locator('.spoken-text').first());
  }],
  ['developers', '/developers', 'rich'],
  ['voices', '/voices', 'rich'],
  ['voices-say', '/voices', 'rich', async (page) => {
    await page.getByRole('button', { name: 'Say my text with Heart' }).click();
    await page.getByLabel('Your text').fill('The ships came home.');
    await page.getByRole('button', { name: 'Speak', exact: true }).click();
    await expectVisible(page.locator('.spoken-text'));
  }],
  ['voices-many', '/voices', 'rich', async (page) => {
    await showManyVoices(page);
    await page.getByRole('button', { name: 'Compare Voice 3', exact: true }).click();
    await expectVisible(page.getByText('Press Compare on a second voice'));
  }],
  ['voices-none', '/voices', 'rich', async (page) => {
    await showManyVoices(page);
    await page.getByRole('search').getByLabel('Language', { exact: true }).selectOption('ja');
    await page.getByLabel('Engine').selectOption('hibari');
    await expectVisible(page.getByRole('button', { name: /^Without language/ }));
  }],
  ['voices-compared', '/voices?compare=heart,voice-3', 'rich', async (page) => {
    await showManyVoices(page);
    await page.getByLabel('Your text').fill('The ships came home.');
    await page.getByRole('button', { name: 'Speak with both' }).click();
    await expectVisible(page.locator('.spoken-text'));
    await expectVisible(page.getByRole('alert'));
  }],
  ['speak-many', '/speak', 'rich', async (page) => {
    await showManyVoices(page);
    await page.getByRole('button', { name: 'Change' }).click();
    await expectVisible(page.getByRole('radio', { name: /^Voice 3/ }));
  }],
  ['books', '/books', 'rich', async (page) => {
    await expectVisible(page.getByRole('link', { name: 'Immeasurably' }));
    await page.getByLabel('List', { exact: true }).check({ force: true });
    // Negative control: when long words do not break, they push the other columns out of the table.
    assert.equal(await page.locator('.scroll').evaluate((box) => box.scrollWidth - box.clientWidth), 0);
  }],
  ['books-covers', '/books', 'rich', async (page) => expectVisible(page.getByRole('article'))],
  ['books-empty', '/books', 'fresh'],
  ['books-uploading', '/books', 'fresh', async (page) => {
    await page.route('**/v1/bff/materials?environment=live', (route) => (route.request().method() === 'POST' ? undefined : route.continue()));
    const file = (name) => ({ name, mimeType: '', buffer: Buffer.from('x') });
    await page.getByLabel('File to upload').setInputFiles([file(`${'long-name-'.repeat(12)}.epub`), file('second.txt')]);
    await page.getByRole('button', { name: 'Paste text' }).click();
    await expectVisible(page.getByText('Waiting', { exact: true }));
  }],
  ['books-refused', '/books', 'fresh', async (page) => {
    await page.getByLabel('File to upload').setInputFiles({ name: 'book.epub', mimeType: '', buffer: Buffer.from([0, 1, 2, 255]) });
    await expectVisible(page.getByRole('alert'));
  }],
  ['book', () => `/books/${material}`, 'rich', async (page) => {
    await page.getByRole('button', { name: /^Play/ }).first().click();
    await expectVisible(page.locator('.spoken-text'));
  }],
  ['player-open', () => `/books/${material}`, 'rich', async (page) => {
    await page.getByRole('button', { name: /^Play/ }).first().click();
    await page.getByRole('button', { name: 'Open the player' }).click();
    await page.getByRole('button', { name: 'Add a bookmark here' }).click();
    await expectVisible(page.getByRole('button', { name: /^Play from / }));
    await page.getByRole('dialog').getByText('3 chapters').click();
  }],
  ['player-stays', () => `/books/${material}`, 'rich', async (page) => {
    await page.getByRole('button', { name: /^(Listen|Continue listening)$/ }).click();
    await page.waitForFunction(() => document.querySelector('audio[data-current]')?.currentTime > 0.3);
    await page.getByRole('button', { name: 'Pause', exact: true }).locator('visible=true').first().click();
    await page.getByRole('link', { name: 'Home' }).locator('visible=true').first().click();
    await expectVisible(page.getByRole('heading', { name: 'Continue listening' }));
  }],
  ['book-ready', '/books', 'rich', async (page) => {
    await page.getByRole('link', { name: 'An extraordinarily' }).click();
    await expectVisible(page.getByRole('button', { name: 'Convert', exact: true }));
  }],
  ['book-foreign', '/books', 'rich', async (page) => {
    await page.getByRole('link', { name: 'كتاب' }).click();
    await expectVisible(page.getByText(/does not speak .*Arabic/));
  }],
  ['book-dear', '/books', 'rich', async (page) => {
    await page.route('**/v1/bff/credits/balance?*', (route) => route.fulfill({ json: { balance: 7, held: 0, available: 7, has_purchased_credits: false } }));
    await page.getByRole('link', { name: 'An extraordinarily' }).click();
    await expectVisible(page.getByText(/You need [\d,]+ more credits/));
  }],
  ['book-at-most', '/books', 'rich', async (page) => {
    await page.route('**/v1/bff/credits/balance?*', (route) => route.fulfill({ json: { balance: 7, held: 0, available: 7, has_purchased_credits: false } }));
    await page.getByRole('link', { name: 'كتاب' }).click();
    await page.getByLabel(/Convert it anyway/).check();
    await expectVisible(page.getByText(/You may need up to/));
  }],
  ['book-unknown', '/books/mat_0', 'rich', async (page) => expectVisible(page.getByRole('alert'))],
  ...pronunciationPages(() => ({ material, words })),
  ['keys', '/keys', 'rich'],
  ['keys-make', '/keys', 'rich', click('Create a key')],
  ['keys-revoke', '/keys', 'rich', click(/^Revoke/)],
  ['webhooks-empty', '/webhooks', 'fresh'],
  ['webhooks', '/webhooks', 'rich'],
  ['webhooks-make', '/webhooks', 'rich', click('Add endpoint')],
  ['webhook', () => `/webhooks/${webhook}`, 'rich', async (page) => expectVisible(page.locator('.badge', { hasText: 'waiting' }))],
  ['webhook-edit', () => `/webhooks/${webhook}`, 'rich', click('Edit')],
  ['webhook-delivery', () => `/webhooks/${webhook}`, 'rich', click(/^Details/)],
  ['credits', '/credits', 'rich', async (page) => {
    await page.getByRole('button', { name: /^Show 3 parts/ }).click();
    await expectVisible(page.locator('tr.part'));
  }],
  ['credits-empty', '/credits', 'fresh'],
  ['credits-refused', '/credits', 'asking', async (page) => {
    // Requests purchases until one is refused. In the next theme the first one is.
    const requestButton = page.getByRole('button', { name: /: 100,000 credits/ });
    const isPurchase = (response) => response.request().method() === 'POST' && response.url().endsWith('/purchases');
    for (let status = 201; status === 201; ) [status] = await Promise.all([page.waitForResponse(isPurchase).then((response) => response.status()), requestButton.click()]);
    await expectVisible(page.getByText('You have ten unpaid purchases'));
  }],
  ['credits-withdraw', '/credits', 'rich', click(/^Withdraw/)],
  ['credits-stranger', '/credits?purchase=pur_0', 'rich', async (page) => expectVisible(page.getByText('does not belong to this account'))],
  ['session-ended', '/keys', 'ended', async (page) => {
    await page.context().clearCookies();
    const menu = page.getByRole('button', { name: 'Menu' });
    if (await menu.isVisible()) await menu.click();
    await page.getByRole('link', { name: 'Credits' }).click();
    await expectVisible(page.getByText('Your session has ended'));
  }],
  ['unreachable', '/keys', 'rich', async (page) => {
    await page.route('**/v1/bff/me', (route) => route.fulfill({ status: 503, headers: { 'Retry-After': '2' }, json: { error: { code: 'service_unavailable', message: 'The service cannot answer now.', request_id: 'req_0' } } }));
    await page.reload();
    await expectVisible(page.getByRole('heading', { name: 'The service is not available right now' }));
  }],
  ['settings', '/settings', 'rich'],
  ['menu', '/', 'rich', async (page) => {
    const menu = page.getByRole('button', { name: 'Menu' });
    if (await menu.isVisible()) await menu.click();
  }],
  ['test-environment', '/keys', 'rich', async (page) => {
    await page.getByRole('switch').click();
    await expectVisible(page.getByText('Test environment: nothing here costs credits'));
  }],
];

// Both widths and both color schemes; all four pairs only on request (`./test --all`): each takes minutes.
const variants = [['light', 360], ['dark', 1280], ...(process.env.ALL_PAGES ? [['light', 1280], ['dark', 360]] : [])];
for (const [colorScheme, width] of variants) {
  // Several at a time: most of the time of each is waiting.
  test(`every page, ${colorScheme}, ${width} pixels`, { concurrency: 4 }, async (t) => {
    await Promise.all(pages.map(([name, path, user, prepare]) =>
      t.test(name, async () => {
        const options = { colorScheme, reducedMotion: 'reduce', viewport: { width, height: 900 }, ...(user ? { storageState: storageStates[user] } : {}) };
        const visitor = await openVisitor(browser, server, options);
        const page = await visitor.context.newPage();
        await page.goto(typeof path === 'function' ? await path() : path);
        await expectVisible(page.getByRole('heading', { level: 1 }));
        await page.waitForLoadState('networkidle');
        await page.locator('.loading').first().waitFor({ state: 'detached' });
        await prepare?.(page);
        // A full-page screenshot shows sticky headers where the page is scrolled to.
        await page.evaluate(() => scrollTo(0, 0));
        await page.screenshot({ path: `${ARTIFACTS}${name}-${colorScheme}-${width}.png`, fullPage: true });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${name} is ${overflow} pixels wider than the screen`);
        assert.deepEqual(await findFaults(page), []);
        await visitor.done();
      }),
    ));
  });
}
