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
