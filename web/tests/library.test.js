// The library: tags, and a search that the service answers. On a real server in a real browser.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { findFaults } from './axe.js';
import { expectCount, expectVisible, heading, launch, signInWithConsent } from './browser.js';
import { Server, stopAll } from './server.js';
import { eventually } from './tonebook.js';

let browser;
let server;

before(async () => {
  [browser, server] = await Promise.all([launch(), Server.start()]);
});
after(stopAll);

test('books are found by words and by tags of their own', async () => {
  const email = 'shelves@example.com';
  const { visitor, page } = await signInWithConsent(browser, server, email, { path: '/settings' });
  const token = await server.session(email);
  const call = async (method, path, body) => (await server.call(method, `/v1/bff${path}`, { token, body })).body;
  const ids = [];
  for (const [title, author] of [['Volume 10', 'Émile Zola'], ['A lamp', 'Zadie Byron'], ['Volume 2', 'Ada Byron']]) {
    const { id } = await call('POST', '/materials', { text: 'The lamp was lit.', title, language: 'en' });
    await call('PATCH', `/materials/${id}`, { author });
    ids.push(id);
  }

  await page.goto(`/books/${ids[0]}`);
  const card = page.getByRole('region', { name: 'Tags' });
  for (const tag of ['Bedtime', 'Course 3']) {
    await card.getByLabel('Add a tag').fill(tag);
    await card.getByRole('button', { name: 'Add', exact: true }).click();
    await expectVisible(card.getByRole('link', { name: tag }));
  }
  await card.getByRole('button', { name: 'Remove the tag Course 3' }).click();
  await expectCount(card.getByRole('listitem'), 1);
  assert.deepEqual(await findFaults(page), []);

  const expectTitles = (titles) => eventually(() => page.locator('.shelf a > .title').allInnerTexts(), (found) => found.join() === titles.join());
  await card.getByRole('link', { name: 'Bedtime' }).click();
  await expectVisible(heading(page, 'Books'));
  await expectTitles(['Volume 10']);
  const tag = page.getByRole('button', { name: 'Bedtime 1' });
  assert.equal(await tag.getAttribute('aria-pressed'), 'true');
  assert.deepEqual(await findFaults(page), []);
  await tag.click();
  await expectTitles(['Volume 2', 'A lamp', 'Volume 10']);

  const search = page.getByLabel('Search books by title, author, series or tag');
  await search.fill('EMILE vol');
  await expectTitles(['Volume 10']);
  await expectVisible(page.getByText('1 book found.'));
  await search.fill('bedtime');
  await expectTitles(['Volume 10']);
  await search.fill('no such book');
  await expectVisible(page.getByText('No book matches.'));
  await search.fill('');
  await page.getByLabel('Sort').selectOption('title');
  await expectTitles(['A lamp', 'Volume 2', 'Volume 10']);
  await page.getByLabel('Sort').selectOption('author');
  await expectTitles(['Volume 2', 'Volume 10', 'A lamp']);
  await page.reload();
  await expectTitles(['Volume 2', 'Volume 10', 'A lamp']);
  await visitor.done();
});

test('several books are deleted at once, and one that fails stays selected', async () => {
  const email = 'tidy@example.com';
  const { visitor, page } = await signInWithConsent(browser, server, email, { path: '/settings' });
  const token = await server.session(email);
  const ids = [];
  for (const title of ['First', 'Second', 'Third']) ids.push((await server.call('POST', '/v1/bff/materials', { token, body: { text: 'The lamp was lit.', title } })).body.id);
  await page.getByRole('link', { name: 'Books', exact: true }).click();
  await page.getByLabel('List', { exact: true }).check({ force: true });
  await page.getByLabel('Select First').check();
  await page.getByLabel('Select Third').check();
  await expectVisible(page.getByText('2 books selected'));
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 });
    assert.deepEqual(await findFaults(page), [], `${width} px`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width} px: it scrolls sideways`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  // The list begins with the newest.
  await page.route(`**/v1/bff/materials/${ids[0]}?*`, (route) => route.fulfill({ status: 503, json: { error: { code: 'service_unavailable', message: 'Not now.', request_id: 'req_0' } } }));
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 2 books?' });
  await expectVisible(dialog.getByText('Third'));
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expectVisible(page.getByRole('dialog', { name: 'Delete 1 book?' }).getByRole('alert'));
  await page.unroute(`**/v1/bff/materials/${ids[0]}?*`);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expectCount(page.getByRole('dialog'), 0);
  await expectCount(page.locator('tbody tr'), 1);
  await expectVisible(page.getByRole('link', { name: 'Second' }));
  await visitor.done();
});

test('a page is shared by the bookmark or from a telephone, and whoever is not signed in keeps it', async () => {
  const email = 'sharer@example.com';
  const { visitor, page } = await signInWithConsent(browser, server, email, { path: '/books' });
  await page.getByRole('button', { name: 'Web address' }).click();
  const bookmark = page.getByRole('link', { name: 'Read aloud' });
  const script = await bookmark.getAttribute('href');
  assert.deepEqual(await findFaults(page), []);
  await bookmark.click();
  await expectVisible(heading(page, 'Books'));
  // Who cannot drag it copies it with the keyboard or a finger.
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy the bookmark' }).focus();
  await page.keyboard.press('Enter');
  await expectVisible(page.getByRole('button', { name: 'Copied' }));
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), script);

  const address = (tab) => tab.getByRole('textbox', { name: 'Web address' });
  await page.goto(`/books?${new URLSearchParams({ title: 'An article', text: 'https://example.com/article' })}`);
  assert.equal(await address(page).inputValue(), 'https://example.com/article');
  await page.goto(`/books?${new URLSearchParams({ text: 'The lamp was lit.' })}`);
  assert.equal(await page.getByRole('textbox', { name: 'Text', exact: true }).inputValue(), 'The lamp was lit.');
  await visitor.done();

  // As the browser runs it on another page, without the policy of ours.
  const guest = await browser.newContext();
  const other = await guest.newPage();
  await other.route('https://example.com/**', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>An article</h1>' }));
  await other.goto('https://example.com/a?b=1&c=ü');
  const [opened] = await Promise.all([guest.waitForEvent('page'), other.evaluate((code) => void (0, eval)(code), script.replace('javascript:', ''))]);
  await expectVisible(heading(opened, 'Sign in'));
  const back = new URL(opened.url()).searchParams;
  assert.match([...back.values()].join(), /^\/books\?url=https%3A%2F%2Fexample\.com%2Fa%3Fb%3D1%26c%3D%25C3%25BC$/);
  await guest.close();
});
