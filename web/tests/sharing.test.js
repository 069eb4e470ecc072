// Share links: made on the page of a book, opened by somebody without an account, and revoked. On a real server in a real browser.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { findFaults } from './axe.js';
import { expectVisible, heading, launch, openVisitor, signInWithConsent } from './browser.js';
import { stopAll } from './server.js';
import { button, CHAPTERS, eventually, makeBook, startToneServer, TITLE } from './tonebook.js';

let browser;
let server;

before(async () => {
  [browser, server] = await Promise.all([launch(), startToneServer(3)]);
});
after(stopAll);

/** Makes a link on the page of the book, and returns its address. */
async function share(page, password) {
  const card = page.getByRole('region', { name: 'Share', exact: true });
  await card.getByLabel('Password (optional)').fill(password);
  await card.getByRole('button', { name: 'Make a link' }).click();
  const link = card.getByLabel('Link', { exact: true }).first();
  await expectVisible(link);
  return link.inputValue();
}

test('whoever has the link listens without an account, until it is revoked', async () => {
  const { page } = await signInWithConsent(browser, server, 'sharing@example.com', { path: '/settings' });
  const { id } = await makeBook(server, 'sharing@example.com');
  await page.goto(`/books/${id}`);
  const address = await share(page, 'seven lanterns');
  assert.match(address, /\/listen\/[\w-]{46}$/);

  const visitor = await openVisitor(browser, server);
  const guest = await visitor.context.newPage();
  await guest.goto(address);
  await expectVisible(heading(guest, 'This book has a password'));
  await guest.getByLabel('Password').fill('wrong');
  await button(guest, 'Listen').click();
  await expectVisible(guest.locator('.error', { hasText: 'Wrong password.' }));
  assert.deepEqual(await findFaults(guest), []);
  await guest.getByLabel('Password').fill('seven lanterns');
  await button(guest, 'Listen').click();
  await expectVisible(heading(guest, TITLE));
  assert.deepEqual(await findFaults(guest), []);

  // It plays on from one part to the next, and from a chapter that is chosen.
  const current = () => guest.locator('[aria-current="true"]').innerText();
  await guest.getByRole('button', { name: new RegExp(CHAPTERS[2]) }).click();
  await guest.waitForFunction(() => document.querySelector('audio[data-current]')?.currentTime > 0.1);
  await eventually(current, (text) => text.startsWith(CHAPTERS[3]));
  await guest.getByRole('button', { name: 'Pause', exact: true }).click();

  // The place is kept in this browser.
  await guest.reload();
  await guest.getByLabel('Password').fill('seven lanterns');
  await button(guest, 'Listen').click();
  await eventually(current, (text) => text.startsWith(CHAPTERS[3]));

  await page.getByRole('region', { name: 'Share', exact: true }).getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expectVisible(page.getByText('The link was revoked.'));
  await guest.reload();
  await expectVisible(heading(guest, 'This link does not work'));
});

test('a guessed link and a short password are refused in words', async () => {
  const { page } = await signInWithConsent(browser, server, 'guessing@example.com', { path: '/settings' });
  const { id } = await makeBook(server, 'guessing@example.com');
  await page.goto(`/books/${id}`);
  const card = page.getByRole('region', { name: 'Share', exact: true });
  await card.getByLabel('Password (optional)').fill('short');
  await card.getByRole('button', { name: 'Make a link' }).click();
  await expectVisible(card.getByText('The password needs at least 8 characters.'));
  assert.deepEqual(await findFaults(page), []);
  const visitor = await openVisitor(browser, server);
  const guest = await visitor.context.newPage();
  await guest.goto(`/listen/${'A'.repeat(46)}`);
  await expectVisible(heading(guest, 'This link does not work'));
});
