// Journeys of a developer: secrets that are shown once, keys that are renamed and rolled, endpoints that are edited, and terms that
// are declined.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { expectCount, expectText, expectVisible, heading, launch, openVisitor, signIn, signInWithConsent as signInOn } from './browser.js';
import { Server, stopAll, WebhookReceiver } from './server.js';

let browser;
let server;
before(async () => {
  [browser, server] = await Promise.all([launch(), Server.start()]);
  await server.publish('terms', '2026-01', '# Terms\n\nBe kind to the voices.');
});
after(async () => {
  await browser?.close();
  await stopAll();
});

async function createKey(page, name) {
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create key' }).click();
  return page.getByLabel(`Key “${name}”`).inputValue();
}

// Negative control: without the listener in SecretStep the first Escape closes the dialog, and the secret is lost.
test('a secret that nobody copied is not lost unasked', async () => {
  const { visitor, page } = await signInOn(browser, server, 'secrets@example.com', { path: '/keys' });
  await createKey(page, 'reports');
  const question = page.getByText('You have not copied it yet.');
  for (let press = 0; press < 3; press += 1) {
    await page.keyboard.press('Escape');
    await expectVisible(question);
    await expectVisible(page.getByLabel('Key “reports”'));
  }
  await page.getByRole('button', { name: 'Go back' }).click();
  await expectCount(question, 0);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await expectVisible(question);
  await page.getByRole('button', { name: 'Close without copying' }).click();
  await expectCount(page.getByRole('dialog'), 0);
  // Copied by hand, it may be closed at once.
  await createKey(page, 'by hand');
  await page.getByLabel('Key “by hand”').focus();
  await page.keyboard.press('Control+c');
  await page.keyboard.press('Escape');
  await expectCount(page.getByRole('dialog'), 0);
  await visitor.done();
});

// Negative controls: without `task.busy` in mayClose, Escape closes the dialog and the key is made unseen; without the guard in the router,
// Back leaves the page with the secret on it.
test('a secret that is on its way or not copied survives Escape, Back and a reload', async () => {
  const { visitor, page } = await signInOn(browser, server, 'guarded@example.com', { path: '/settings' });
  await page.getByRole('link', { name: 'Developers' }).click();
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  const asksBeforeLeaving = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
  let answer;
  await page.route('**/v1/bff/keys?*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await new Promise((resolve) => (answer = resolve));
    return route.continue();
  });
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Name').fill('slow');
  assert.equal(await asksBeforeLeaving(), false);
  await page.getByRole('button', { name: 'Create key' }).click();
  await expectVisible(page.getByRole('button', { name: 'Creating…' }));
  assert.ok(await page.getByRole('button', { name: 'Cancel' }).isDisabled());
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Escape');
  await page.evaluate(() => history.back());
  assert.ok(await asksBeforeLeaving());
  await expectVisible(page.getByRole('dialog'));
  answer();
  await expectVisible(page.getByLabel('Key “slow”'));
  assert.ok(await asksBeforeLeaving());
  assert.equal(new URL(page.url()).pathname, '/keys');
  await page.evaluate(() => history.back());
  await expectVisible(page.getByText('You have not copied it yet.'));
  await expectVisible(page.getByLabel('Key “slow”'));
  await page.getByRole('button', { name: 'Close without copying' }).click();
  await expectCount(page.getByRole('dialog'), 0);
  assert.equal(await asksBeforeLeaving(), false);
  await page.goBack();
  await expectVisible(heading(page, 'Developers'));
  await visitor.done();
});

// Negative control: without `environment.hold` the other tab's choice makes this page anew, and the secret is gone.
test('a secret outlives the choice of another environment in another tab, which is followed afterwards', async () => {
  const { visitor, page } = await signInOn(browser, server, 'two-tabs@example.com', { path: '/keys' });
  await createKey(page, 'kept');
  const other = await visitor.context.newPage();
  await other.goto('/keys');
  await other.getByRole('switch', { name: 'Test environment' }).click();
  const band = (tab) => tab.getByText('Test environment: nothing here costs credits');
  await expectVisible(band(other));
  // Events of the storage come in their order: when this one is here, the first tab has heard of the choice.
  const heard = page.evaluate(() => new Promise((resolve) => addEventListener('storage', ({ key }) => key === 'tests.later' && resolve())));
  await page.evaluate(() => undefined);
  await other.evaluate(() => localStorage.setItem('tests.later', 'yes'));
  await heard;
  await expectVisible(page.getByLabel('Key “kept”'));
  await expectCount(band(page), 0);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('button', { name: 'Close without copying' }).click();
  await expectVisible(band(page));
  await expectCount(page.getByRole('dialog'), 0);
  await visitor.done();
});

test('a dialog that cannot be loaded says so, and can be asked for again', async () => {
  const { visitor, page } = await signInOn(browser, server, 'lost@example.com', { path: '/keys' });
  await page.route('**/assets/CreateKeyDialog-*', (route) => route.abort());
  for (let tries = 0; tries < 2; tries += 1) {
    await page.getByRole('button', { name: 'Create a key' }).click();
    await expectVisible(page.getByRole('dialog').getByText('Check your connection and try again.'));
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await expectCount(page.getByRole('dialog'), 0);
  }
  await visitor.done();
});

test('whoever rolls a key that has expired is not asked when it ends', async () => {
  const { visitor, page } = await signInOn(browser, server, 'late@example.com', { path: '/keys' });
  await page.route('**/v1/bff/keys?*', async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const response = await route.fetch();
    const json = await response.json();
    return route.fulfill({ response, json: { ...json, data: json.data.map((key) => ({ ...key, status: 'expired', expires_at: '2026-01-01T00:00:00Z' })) } });
  });
  await createKey(page, 'past');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('button', { name: 'Roll past' }).click();
  await expectVisible(page.getByRole('button', { name: 'Roll key' }));
  await expectCount(page.getByLabel('The old key stops working'), 0);
  await visitor.done();
});

test('a key is renamed and rolled, and the old one works until its end', async () => {
  const { visitor, page } = await signInOn(browser, server, 'roll@example.com', { path: '/keys' });
  const old = await createKey(page, 'nightly');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await expectVisible(page.getByText(`svc_live_…${old.slice(-4)}`));
  await page.getByRole('button', { name: 'Rename nightly' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('hourly');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Roll hourly' }).click();
  await page.getByLabel('The old key stops working').selectOption('3600');
  await page.getByRole('button', { name: 'Roll key' }).click();
  const rolled = await page.getByLabel('Key “hourly”').inputValue();
  await expectVisible(page.getByText(/The old key works until/));
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await expectCount(page.getByRole('button', { name: 'Roll hourly' }), 2);
  // The old key ends today, so its end has a time.
  await expectText(page.locator('tbody tr', { hasText: `svc_live_…${old.slice(-4)}` }).locator('td').nth(5), [':']);
  const status = async (token) => (await server.call('GET', '/v1/saas/me', { token })).status;
  assert.deepEqual([await status(old), await status(rolled)], [200, 200]);
  // The newest is the first.
  await page.getByRole('button', { name: 'Roll hourly' }).first().click();
  await page.getByLabel('The old key stops working').selectOption('0');
  await page.getByRole('button', { name: 'Roll key' }).click();
  await expectVisible(page.getByText(/The old key no longer works/));
  assert.equal(await status(rolled), 401);
  await visitor.done();
});

test('what an endpoint refuses stands at its field, and its address and events can be changed', async () => {
  const local = await Server.start({ LECTERN_WEBHOOKS__ALLOWED_NETWORKS: '127.0.0.0/8' });
  await local.publish('terms', '2026-01', '# Terms');
  const { visitor, page } = await signInOn(browser, local, 'edit@example.com', { path: '/webhooks' });
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const add = async (url) => {
    await page.getByLabel('URL').fill(url);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
  };
  const error = page.getByRole('dialog').getByRole('alert');
  await add('https://10.0.0.1:8443/hook');
  await expectVisible(error.getByText('lectern webhooks listen'));
  assert.equal(await page.getByLabel('URL').getAttribute('aria-invalid'), 'true');
  await add('https://hooks.invalid/hook');
  await expectVisible(error.getByText('This name does not exist on the internet.'));
  await add('https://127.0.0.9:8443/hook');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('link', { name: 'https://127.0.0.9:8443/hook' }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('URL').fill('https://127.0.0.8:8443/other');
  await page.getByRole('checkbox', { name: /chunk\.failed/ }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expectVisible(heading(page, 'https://127.0.0.8:8443/other'));
  await expectVisible(page.getByText(/Events: .*chunk\.failed/));
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('checkbox', { name: /chunk\.completed/ }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expectVisible(page.getByText(/Events: .*chunk\.completed/));
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await expectVisible(page.locator('.badge', { hasText: 'waiting' }));
  await page.getByLabel('Event of deliveries').selectOption('chunk.failed');
  await expectVisible(page.getByText('No deliveries of this kind.'));
  await page.getByLabel('Event of deliveries').selectOption('webhook.test');
  await page.getByLabel('Status of deliveries').selectOption('failed');
  await expectVisible(page.locator('.badge', { hasText: 'waiting' }));
  await visitor.done();
  await local.stop();
});

test('a delivery appears by itself, and shows what was sent', async () => {
  const receiver = await WebhookReceiver.start(server.folder, 200, 'thanks');
  const local = await Server.start({ LECTERN_WEBHOOKS__ALLOWED_NETWORKS: '127.0.0.0/8', LECTERN_WEBHOOKS__EXTRA_CA_FILE: receiver.ca });
  try {
    const email = 'sent@example.com';
    await local.account(email);
    const token = await local.session(email);
    const { body: webhook } = await local.call('POST', '/v1/bff/webhooks', { token, body: { url: receiver.url, events: ['chunk.completed'] } });
    const visitor = await openVisitor(browser, local);
    const page = await visitor.context.newPage();
    await page.goto(`/sign-in?next=/webhooks/${webhook.id}`);
    await signIn(page, email);
    await expectVisible(page.getByText('No deliveries yet.'));
    const { body: delivery } = await local.call('POST', `/v1/bff/webhooks/${webhook.id}/test`, { token, body: {} });
    await page.locator('.badge', { hasText: 'delivered' }).waitFor({ timeout: 40_000 });
    await page.getByRole('button', { name: /^Details/ }).click();
    const dialog = page.getByRole('dialog');
    await expectText(dialog.getByRole('region', { name: /^Payload/ }), ['{"type":"webhook.test",', webhook.id]);
    await dialog.getByText('Headers that were sent').click();
    await expectText(dialog.locator('details pre'), ['content-type: application/json', `webhook-id: ${delivery.event_id}`]);
    await visitor.done();
  } finally {
    await local.stop();
    receiver.stop();
  }
});

test('who does not agree is signed out, and can agree later', async () => {
  const { visitor, page } = await signInOn(browser, server, 'unwilling@example.com', { path: '/settings' });
  await server.publish('terms', '2026-02', '# Terms\n\nBe kind to the voices and to each other.');
  await page.getByRole('link', { name: 'Developers' }).click();
  await expectVisible(heading(page, 'Terms and privacy'));
  await page.getByRole('button', { name: 'Decline and sign out' }).click();
  const dialog = page.getByRole('dialog');
  await expectVisible(dialog.getByText('Your books, audio and credits are kept.'));
  await dialog.getByRole('button', { name: 'Decline and sign out' }).click();
  await expectVisible(heading(page, 'Sign in'));
  await signIn(page, 'unwilling@example.com');
  await page.getByLabel(/I have read and agree to the terms/).check();
  await page.getByRole('button', { name: 'Agree and continue' }).click();
  await expectCount(heading(page, 'Terms and privacy'), 0);
  await visitor.done();
});

// Negative control: when declining ends only the session, the upload goes on in the name of the next account.
test('declining ends the uploads of the account', async () => {
  const { visitor, page } = await signInOn(browser, server, 'uploader@example.com', { path: '/books' });
  await page.route('**/v1/bff/materials?*', () => undefined);
  await page.locator('input[type=file]').setInputFiles({ name: 'otters.txt', mimeType: 'text/plain', buffer: Buffer.from('Otters.') });
  const uploads = page.getByRole('list', { name: 'Uploads' });
  await expectCount(uploads.getByRole('listitem'), 1);
  await server.publish('terms', '2026-03', '# Terms\n\nBe kind to the voices and to the books.');
  await page.getByRole('link', { name: 'Credits' }).click();
  await page.getByRole('button', { name: 'Decline and sign out' }).click();
  const dialog = page.getByRole('dialog');
  await expectVisible(dialog.getByText('1 upload has not finished and will be cancelled.'));
  await dialog.getByRole('button', { name: 'Decline and sign out' }).click();
  await expectVisible(heading(page, 'Sign in'));
  await signIn(page, 'uploader@example.com');
  await page.getByLabel(/I have read and agree to the terms/).check();
  await page.getByRole('button', { name: 'Agree and continue' }).click();
  await page.getByRole('link', { name: 'Books', exact: true }).click();
  await expectVisible(heading(page, 'Books'));
  await expectCount(uploads, 0);
  await visitor.done();
});
