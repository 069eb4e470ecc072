// Money: an amount besides the packs, its invoice, automatic purchases with a card, and the operator's own name. On a real server in a
// real browser, with a fake Stripe.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { findFaults } from './axe.js';
import { expectVisible, heading, launch, openVisitor, signIn } from './browser.js';
import { FakeStripe, Server, stopAll } from './server.js';
import { eventually } from './tonebook.js';

let browser;
let server;
let stripe;

before(async () => {
  stripe = await FakeStripe.start();
  const settings = {
    ...stripe.settings,
    LECTERN_INVOICES__SELLER: 'Lesepult GmbH,Musterweg 1,10115 Berlin',
    LECTERN_INVOICES__TAX_PERCENT: '19',
    LECTERN_BRAND__NAME: 'Lesepult & Söhne',
    LECTERN_BRAND__COLOR: '#ffcc00',
    LECTERN_BRAND__SUPPORT: 'help@example.com',
  };
  [browser, server] = await Promise.all([launch(), Server.start(settings)]);
});
after(stopAll);

async function openCredits(email) {
  await server.account(email, 0);
  await server.admin('consent', 'accept', '--account', email);
  const visitor = await openVisitor(browser, server, { allowedOrigins: [stripe.base] });
  const page = await visitor.context.newPage();
  await page.goto('/sign-in?next=/credits');
  await signIn(page, email);
  await expectVisible(heading(page, 'Credits'));
  return { visitor, page };
}
const available = (page) => page.locator('.figure', { hasText: 'Available' }).locator('dd').innerText();

test('an amount is bought at the price that is shown, and its invoice is a PDF', async () => {
  const { visitor, page } = await openCredits('amount@example.com');
  const amount = page.getByLabel('Another amount of credits');
  const refusal = page.getByText('This amount is not for sale.');
  await amount.fill('150,500');
  await expectVisible(refusal);
  await amount.fill('150,000.00');
  await expectVisible(page.getByText('Enter a whole number of at least 1.'));
  assert.equal(await refusal.count(), 0);
  // A refusal that comes late is about an earlier amount. Negative control: without the turns it stands beside the price.
  let answerLate;
  await page.route('**/v1/bff/credits/price?credits=150600', async (route) => {
    await new Promise((resolve) => (answerLate = resolve));
    await route.continue();
  });
  const asked = page.waitForRequest('**/v1/bff/credits/price?credits=150600');
  await amount.fill('150,600');
  await asked;
  await amount.fill('150,000');
  await expectVisible(page.getByText('€7.50'));
  const late = page.waitForResponse('**/v1/bff/credits/price?credits=150600');
  answerLate();
  await (await late).finished();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  assert.equal(await refusal.count(), 0);
  await expectVisible(page.getByText('€7.50'));
  assert.deepEqual(await findFaults(page), []);

  const details = page.getByRole('region', { name: 'Billing details' });
  await details.getByLabel('Name').fill('Ada Ltd');
  await details.getByLabel('Address').fill('1 Example Street\nLondon');
  await details.getByRole('button', { name: 'Save' }).click();
  await expectVisible(details.getByText('Saved.'));
  await details.getByLabel(/^Tax number/).fill('DE1');
  assert.equal(await details.getByText('Saved.').count(), 0);

  await page.getByRole('button', { name: /: 150,000 credits/ }).click();
  await page.getByRole('link', { name: 'Pay', exact: true }).click();
  await expectVisible(page.getByText('Thank you. 150,000 credits have been added'));
  // Negative control: a link alone saves what the service says as the file.
  await page.route('**/invoice', (route) => route.fulfill({ status: 500, json: { error: { code: 'internal_error', message: 'No.', request_id: 'req_0' } } }));
  await page.getByRole('link', { name: /^Invoice/ }).click();
  await expectVisible(page.getByRole('alert').getByText('request req_0'));
  await page.unroute('**/invoice');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /^Invoice/ }).click()]);
  assert.equal(download.suggestedFilename(), 'LEC-000001.pdf');
  const shown = await readFile(await download.path());
  assert.equal(shown.subarray(0, 5).toString(), '%PDF-');

  // The operator has the same for its books.
  const listed = await server.admin('invoices', 'list');
  assert.deepEqual([listed.number, listed.name, listed.buyer.name, listed.gross_minor, listed.tax_minor], [1, 'LEC-000001', 'Ada Ltd', 750, 120]);
  const folder = await mkdtemp(join(tmpdir(), 'invoices-'));
  assert.deepEqual(await server.admin('invoices', 'export', folder), { written: 1, left: 0, last_number: 1 });
  assert.deepEqual(await server.admin('invoices', 'export', folder), { written: 0, left: 1, last_number: 1 });
  assert.equal((await readFile(join(folder, 'LEC-000001.pdf'))).subarray(0, 5).toString(), '%PDF-');
  await rm(folder, { recursive: true });
  await visitor.done();
});

test('credits are bought with a card when few are left, until the owner turns it off', async () => {
  const { visitor, page } = await openCredits('automatic@example.com');
  const card = page.getByRole('region', { name: 'Automatic purchases' });
  await card.getByRole('button', { name: 'Add a card' }).click();
  await page.getByRole('link', { name: 'Back' }).click();
  await expectVisible(page.getByText('You left the page without adding a card.'));
  await card.getByRole('button', { name: 'Add a card' }).click();
  await page.getByRole('link', { name: 'Keep the card' }).click();
  await expectVisible(card.getByText('Card: visa 4242'));
  await card.getByLabel(/^Limit per month/).fill('1');
  await card.getByRole('button', { name: 'Turn on' }).click();
  await expectVisible(card.getByText('The limit must be at least the price of these credits.'));
  assert.deepEqual(await findFaults(page), []);
  await card.getByLabel(/^Limit per month/).fill('5');
  await card.getByRole('button', { name: 'Turn on' }).click();
  await expectVisible(card.getByText('100,000 credits are bought when fewer than 20,000 credits are left.'));
  await eventually(async () => {
    await page.reload();
    await expectVisible(page.locator('.figure').first());
    return available(page);
  }, (text) => text === '100,000');
  await expectVisible(page.locator('.badge', { hasText: 'automatic' }));
  await expectVisible(card.getByText('Spent automatically this month: €5.00.'));
  await card.getByRole('button', { name: 'Turn off' }).click();
  await expectVisible(card.getByText('Automatic purchases are turned off.'));
  await card.getByRole('button', { name: 'Remove the card' }).click();
  await expectVisible(card.getByText('No card yet.'));
  await visitor.done();
});

// Negative control: when the poll fills in the fields, as before, the limit is 20 again.
test('what is typed stays while the page waits for the card', async () => {
  const { visitor, page } = await openCredits('typing@example.com');
  let polls = 0;
  await page.route('**/v1/bff/credits/top-up', async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const response = await route.fetch();
    polls += 1;
    return route.fulfill({ response, json: { ...(await response.json()), card: polls < 3 ? 'visa 1111' : 'visa 4242' } });
  });
  await page.goto('/credits?card=kept&usage=key');
  const card = page.getByRole('region', { name: 'Automatic purchases' });
  const limit = card.getByLabel(/^Limit per month/);
  await limit.fill('7 apples');
  await card.getByRole('button', { name: 'Turn on' }).click();
  const error = card.getByText('Enter a sum, such as 20 or 20.50.');
  await expectVisible(error);
  await expectVisible(card.getByText('Card: visa 4242'));
  assert.equal(await limit.inputValue(), '7 apples');
  await expectVisible(error);
  assert.equal(new URL(page.url()).search, '?usage=key');
  await visitor.done();
});

test('mails are chosen in the settings', async () => {
  const { visitor, page } = await openCredits('mails@example.com');
  await page.goto('/settings');
  const box = page.getByLabel(/When my credits fall below/);
  await box.uncheck();
  await page.reload();
  await expectVisible(box);
  assert.equal(await box.isChecked(), false);
  assert.equal(await page.getByLabel(/When a book that took/).isChecked(), true);
  assert.deepEqual(await findFaults(page), []);
  await visitor.done();
});

// Negative control: before, only a sign-in and a visit of the settings told the service the language.
test('mails are in the language that is chosen in the menu', async () => {
  const { visitor, page } = await openCredits('language@example.com');
  const token = await server.session('language@example.com');
  const language = async () => (await server.call('GET', '/v1/bff/preferences', { token })).body.language;
  await eventually(language, (found) => found === 'en');
  await page.getByLabel('Language').selectOption('de');
  await eventually(language, (found) => found === 'de');
  await visitor.done();
});

test('the pages have the name and colour of the operator, and can be read', async () => {
  const visitor = await openVisitor(browser, server);
  const page = await visitor.context.newPage();
  await page.goto('/');
  await expectVisible(page.getByText('Lesepult & Söhne', { exact: true }).first());
  assert.match(await page.title(), /Lesepult & Söhne/);
  assert.deepEqual(await findFaults(page), []);
  await page.goto('/docs');
  await expectVisible(page.getByRole('link', { name: 'Back to Lesepult & Söhne' }));
  await page.goto('/sign-in');
  await expectVisible(heading(page, 'Sign in'));
  for (const scheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.reload();
    await expectVisible(heading(page, 'Sign in'));
    assert.deepEqual(await findFaults(page), [], scheme);
  }
  const accent = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent').trim());
  assert.notEqual(accent, '#8ad5c6');
  await visitor.done();
});
