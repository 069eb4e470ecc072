// User journeys, on a real server in a real browser.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { expectCount, expectText, expectVisible, heading, launch, openVisitor, signIn, signInWithConsent as signInOn } from './browser.js';
import { FlakyProxy, freePort, PASSWORD, WebhookReceiver, Server, stopAll, FakeStripe } from './server.js';

const BOOK = new URL('../../docs/examples/the-lantern-keeper.epub', import.meta.url).pathname;
let browser;
let server;

before(async () => {
  [browser, server] = await Promise.all([launch(), Server.start()]);
});
after(stopAll);

test('from an invitation to hearing a chapter and seeing what it cost', async () => {
  const email = 'newcomer@example.com';
  await server.publish('terms', '2026-01', '# Terms\n\nBe kind to the voices.');
  const invited = await server.admin('invite', 'create', '--email', email, '--credits', '50000');
  const visitor = await openVisitor(browser, server);
  const page = await visitor.context.newPage();

  await page.goto(`/register?invite=${invited.invite_token}`);
  await expectVisible(page.getByText(`You have been invited as ${email}`));
  assert.ok(!page.url().includes(invited.invite_token), 'the token is still in the address bar');
  await page.getByLabel('Password', { exact: true }).fill('newcomer1');
  await expectVisible(page.getByText(/requirements not met/));
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await expectVisible(page.getByText(/all requirements met/));
  await page.getByRole('button', { name: 'Register' }).click();
  await expectVisible(heading(page, 'Check your email'));

  await page.goto(await server.link(email, 'confirm'));
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await expectVisible(page.getByText('Your email address is confirmed'));
  await signIn(page, email);

  await expectVisible(heading(page, 'Terms and privacy'));
  await page.getByLabel(/I have read and agree to the terms/).check();
  await page.getByRole('button', { name: 'Agree and continue' }).click();
  await expectVisible(heading(page, 'Home'));
  await expectVisible(page.getByText('50,000'));

  await page.getByRole('link', { name: 'Speak', exact: true }).click();
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Naïve otters swim 👩‍🚀.');
  await expectVisible(page.getByText('22 of 5,000 characters'));
  await expectVisible(page.getByText('22 credits').first());
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await expectVisible(heading(page, 'Speak'));
  await expectVisible(page.locator('.spoken-text mark'));
  await expectVisible(page.getByText(/22 characters, 22 credits/));

  await page.getByRole('link', { name: 'Books', exact: true }).click();
  // The first page of a new account takes files as well.
  await expectVisible(heading(page, 'Books'));
  await page.getByLabel('File to upload').setInputFiles(BOOK);
  await expectVisible(page.getByText('Ready to convert'));
  assert.match(await page.title(), /^The Lantern Keeper/);
  // What the user knows before paying.
  await expectVisible(page.locator('dd', { hasText: /English/ }));
  await expectVisible(page.locator('dd', { hasText: /^About 1 min/ }));
  await expectVisible(page.locator('dd', { hasText: '1,204 credits; you have 49,978' }));
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await page.locator('.badge', { hasText: 'Completed' }).first().waitFor({ timeout: 60_000 });
  await listen(page);

  for (const [name, begins] of [['Captions (VTT)', 'WEBVTT'], ['M4B audiobook', '\0\0\0']]) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('region', { name: 'Download the book' }).locator('a, button', { hasText: name }).click()]);
    const bytes = await readFile(await download.path());
    assert.equal(bytes.toString('latin1').slice(0, begins.length), begins, name);
  }

  await page.getByRole('link', { name: 'Credits' }).click();
  await expectVisible(heading(page, 'Credits'));
  const line = page.locator('tr', { hasText: 'The Lantern Keeper' });
  await expectVisible(line.getByText('-1,204'));
  await line.getByRole('button', { name: /^Show 3 parts/ }).click();
  await expectCount(page.locator('tr.part'), 3);
  await page.getByLabel('Type', { exact: true }).selectOption('speech');
  await expectVisible(page.getByText('Speech, 1 request'));
  await expectCount(line, 0);
  await page.getByLabel('Type', { exact: true }).selectOption('');
  const [ledger] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download as CSV' }).click()]);
  assert.match(await readFile(await ledger.path(), 'utf8'), /^id,created_at,kind,credits,balance_after,reference\r\n/);
  const usage = page.getByRole('region', { name: 'Usage', exact: true });
  await usage.getByRole('radio', { name: 'Book' }).check({ force: true });
  await expectVisible(usage.getByRole('link', { name: /Lantern/ }));
  await page.getByRole('link', { name: 'History' }).click();
  await expectVisible(heading(page, 'History'));
  await visitor.done();
  await server.admin('consent', 'accept', '--account', email);
});

/**
 * Plays a part and the next one. Negative controls, each seen on an earlier version: the next part does not start by itself when
 * it is ready late; speed and volume are reset in the next part.
 */
async function listen(page) {
  const audio = page.locator('audio[data-current]');
  const setAudio = (change) => audio.evaluate((audio, change) => Object.assign(audio, change), change);
  const playback = () => audio.evaluate((audio) => [audio.playbackRate, Math.round(audio.volume * 100), audio.paused]);
  const textOfPart = (number) => page.getByRole('region', { name: `Text of part ${number}` });
  // Until this route is removed, the second part is still being converted.
  const pretendConverting = async (route) => {
    const answer = await route.fetch();
    const json = await answer.json();
    if (json.data) json.data[1] = { ...json.data[1], status: 'converting', duration_ms: null };
    else Object.assign(json, { status: 'converting', chunks_completed: 2 });
    await route.fulfill({ response: answer, json });
  };
  const requests = /materials\/mat_[^/]+(\/chunks)?\?/;
  await page.route(requests, pretendConverting);
  await page.reload();
  await page.getByRole('button', { name: /^Play/ }).first().click();
  await expectVisible(page.locator('.spoken-text mark'));
  await page.getByLabel('Speed').selectOption('1.5');
  await setAudio({ volume: 0.3 });
  await audio.evaluate((audio) => (audio.currentTime = audio.duration - 0.2));
  await expectVisible(page.getByText('next part is being prepared'));
  await page.unroute(requests, pretendConverting);
  await expectVisible(textOfPart(2));
  await expectVisible(page.locator('.spoken-text mark'));
  assert.deepEqual(await playback(), [1.5, 30, false]);
  await page.reload();
  await page.getByRole('button', { name: /^Play/ }).first().click();
  await expectVisible(page.locator('.spoken-text mark'));
  assert.deepEqual(await playback(), [1.5, 30, false]);
  assert.equal(await page.locator('.spoken-text').getAttribute('dir'), 'auto');
  assert.equal(await page.locator('.spoken-text').getAttribute('lang'), 'en-GB');
}

test('the demo leads from the printed invitation to a converted chapter in the browser alone', async () => {
  const demo = await Server.start({}, ['--demo']);
  const visitor = await openVisitor(browser, demo);
  const page = await visitor.context.newPage();

  await page.goto(await demo.waitForOutput(/http:\S+\/register\?invite=\S+/));
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Register' }).click();
  await expectVisible(heading(page, 'Check your email'));
  await page.goto(await demo.waitForOutput(/http:\S+\/confirm\?token=\S+/));
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await expectVisible(page.getByText('Your email address is confirmed'));
  await signIn(page, 'guest@lectern.example');

  await expectVisible(heading(page, 'Terms and privacy'));
  const boxes = page.getByLabel(/I have read/);
  await expectVisible(boxes);
  for (const box of await boxes.all()) await box.check();
  await page.getByRole('button', { name: 'Agree and continue' }).click();
  await expectVisible(heading(page, 'Home'));
  await page.getByRole('link', { name: 'Books', exact: true }).click();
  // The first page of a new account takes files as well.
  await expectVisible(heading(page, 'Books'));
  await page.getByLabel('File to upload').setInputFiles(BOOK);
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await page.getByRole('button', { name: /^Play/ }).first().click({ timeout: 60_000 });
  await expectVisible(page.locator('.spoken-text mark'));
  await page.locator('.badge', { hasText: 'Completed' }).first().waitFor({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Credits' }).click();
  await expectText(page.getByRole('region', { name: 'Usage', exact: true }), ['1,204 credits from']);
  await visitor.done();
  await demo.stop();
});

test('a new version of the terms must be agreed to, is shown with its changes, and unblocks the keys', async () => {
  const { visitor, page, invited } = await signInWithConsent('consent@example.com');
  const me = () => server.call('GET', '/v1/saas/me', { token: invited.live_key });
  assert.equal((await me()).status, 200);
  await server.publish('terms', '2026-02', '# Terms\n\nBe kind to the voices and to each other.\n\n<script>alert(1)</script> [x](javascript:alert(2))');
  assert.equal((await me()).body.error.code, 'consent_required');
  await page.getByRole('link', { name: 'Developers' }).click();
  await expectVisible(heading(page, 'Terms and privacy'));
  await expectVisible(page.locator('ins', { hasText: 'and to each other' }));
  await expectVisible(page.locator('del', { hasText: 'Be kind to the voices.' }));
  await page.getByText('Read the full terms of use').click();
  const fullText = page.getByRole('region', { name: 'Text of the terms of use' });
  await expectVisible(fullText.getByText('Be kind to the voices and to each other.'));
  assert.equal(await page.locator('.paper script, .paper a').count(), 0, 'the document was rendered as HTML');
  await page.getByLabel(/I have read and agree to the terms/).check();
  await page.getByRole('button', { name: 'Agree and continue' }).click();
  await expectVisible(heading(page, 'Developers'));
  assert.equal((await me()).status, 200);
  await visitor.done();
});

const signInWithConsent = (email, rest) => signInOn(browser, server, email, rest);

test('the link in the email resets a forgotten password once', async () => {
  const email = 'forgetful@example.com';
  await server.account(email);
  const visitor = await openVisitor(browser, server);
  const page = await visitor.context.newPage();
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  // Both pages have a field labeled Email address.
  await expectVisible(heading(page, 'Reset your password'));
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expectVisible(page.getByText('an email with a link is on its way'));
  const link = await server.link(email, 'reset');
  const setPassword = async () => {
    await page.goto(link);
    await page.getByLabel('New password').fill('eleven green bottles on a wall');
    await page.getByRole('button', { name: 'Set password' }).click();
  };
  await setPassword();
  await expectVisible(page.getByText('Your password has been changed'));
  await setPassword();
  await expectVisible(page.getByText(/has already been used/));
  await page.getByRole('link', { name: 'Request a new link' }).click();
  await page.goto('/sign-in');
  await signIn(page, email);
  await expectVisible(page.getByText('Wrong email address or password.'));
  await visitor.done();
});

test('a used invitation and a used confirmation link say so', async () => {
  const email = 'twice@example.com';
  const invited = await server.account(email);
  const visitor = await openVisitor(browser, server);
  const page = await visitor.context.newPage();
  await page.goto(`/register?invite=${invited.invite_token}`);
  await expectVisible(page.getByText('This invitation is not valid'));
  const link = await server.link(email, 'confirm');
  const confirm = page.getByRole('button', { name: 'Confirm my address' });
  for (const message of ['Your email address is confirmed', 'has already been used']) {
    await page.goto(link);
    await confirm.click();
    await expectVisible(page.getByText(new RegExp(message)));
  }
  await expectCount(confirm, 0, 'a used link still has its button');
  // A signed-in user can go back to the account, or sign out.
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signIn(page, email);
  await expectVisible(heading(page, 'Terms and privacy'));
  const other = await server.admin('invite', 'create', '--email', 'third@example.com');
  await page.goto(`/register?invite=${other.invite_token}`);
  await expectVisible(page.getByText(`You are signed in as ${email}`));
  await page.getByRole('button', { name: 'Sign out and use the invitation' }).click();
  await expectVisible(page.getByText('You have been invited as third@example.com'));
  // Without an invitation there is no form to fill in.
  await page.goto('/register');
  await expectVisible(page.getByText('You need an invitation to register'));
  await expectCount(page.locator('form'), 0);
  await visitor.done();
});

// Negative control: without the header X-Lectern-CSRF the request is refused.
test('a key is created, shown once, used and revoked; the last admin key cannot be revoked', async () => {
  const { visitor, page } = await signInWithConsent('keys@example.com', { path: '/keys' });
  await page.getByRole('switch').click();
  await expectVisible(page.getByText('Test environment: nothing here costs credits'));
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Name').fill('   ');
  assert.ok(await page.getByRole('button', { name: 'Create key' }).isDisabled(), 'a name of spaces is accepted');
  await page.getByLabel('Name').fill('<b>reports</b>');
  await page.getByLabel(/synthesize, upload/).uncheck();
  await page.getByLabel('Expires').selectOption('30');
  await page.getByRole('button', { name: 'Create key' }).click();
  const secret = await page.getByLabel(/^Key “/).inputValue();
  assert.match(secret, /^svc_test_[0-9A-Za-z]{49}$/);
  assert.equal((await server.call('GET', '/v1/saas/me', { token: secret })).status, 200);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await expectCount(page.getByLabel(/^Key “/), 0);
  const values = await page.locator('input, textarea').evaluateAll((fields) => fields.map((field) => field.value));
  assert.ok(![await page.content(), ...values].some((text) => text.includes(secret)), 'the secret is still in the page');
  const revoke = async (name) => {
    await page.getByRole('button', { name: `Revoke ${name}` }).click();
    await page.getByRole('button', { name: 'Revoke key', exact: true }).click();
  };
  await revoke('<b>reports</b>');
  await expectVisible(page.locator('.badge', { hasText: 'revoked' }));
  assert.equal((await server.call('GET', '/v1/saas/me', { token: secret })).body.error.code, 'api_key_revoked');
  await revoke('First test key');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('switch').click();
  await revoke('First live key');
  await expectVisible(page.getByText("only active key that can manage keys"));
  await visitor.done();
});

test('after the session ends, signing in leads back to the same page', async () => {
  const email = 'expired@example.com';
  const { visitor, page } = await signInWithConsent(email, { path: '/keys' });
  await expectVisible(heading(page, 'Keys'));
  const token = await server.session(email);
  const { body } = await server.call('GET', '/v1/bff/sessions', { token });
  for (const session of body.data.filter((one) => !one.current)) {
    await server.call('DELETE', `/v1/bff/sessions/${session.id}`, { token });
  }
  await page.getByRole('link', { name: 'Voices' }).click();
  await expectVisible(page.getByText('Your session has ended'));
  await signIn(page, email);
  await expectVisible(heading(page, 'Voices'));
  await visitor.done();
});

// Negative control: when the page is unmounted as the session ends, the message and the text are missing.
test('typed text survives the end of a session, in every tab', async () => {
  const email = 'typist@example.com';
  const { visitor, page } = await signInWithConsent(email, { path: '/speak' });
  const other = await visitor.context.newPage();
  await other.goto('/keys');
  await other.getByRole('button', { name: 'Create a key' }).click();
  await other.getByLabel('Name').fill('half a na');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Four otters.');
  const token = await server.session(email);
  const { body } = await server.call('GET', '/v1/bff/sessions', { token });
  for (const session of body.data.filter((one) => !one.current)) await server.call('DELETE', `/v1/bff/sessions/${session.id}`, { token });
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await expectVisible(page.getByText('Your session has ended'));
  const covered = () => [100, 640, 1200].every((x) => [20, 450, 880].every((y) => document.elementFromPoint(x, y)?.closest('dialog')));
  assert.ok(await page.evaluate(covered), 'part of the page is visible');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expectVisible(page.getByText('Wrong email address or password.'));
  await signIn(page, email);
  // The pending request continues by itself.
  await expectVisible(page.getByText(/12 characters, 12 credits/));
  assert.equal(await page.getByRole('textbox', { name: 'Text', exact: true }).inputValue(), 'Four otters.');
  // The other tab has adopted the new session, and kept its own text.
  assert.equal(await other.getByLabel('Name').inputValue(), 'half a na');
  await other.getByRole('button', { name: 'Create key' }).click();
  assert.match(await other.getByLabel('Key “half a na”').inputValue(), /^svc_live_/);
  await visitor.done();
});

// Negative control: when the other tab is reloaded at once, the text is gone.
test('a text that was typed waits under the sign-in dialog when another tab signs out', async () => {
  const email = 'other-environment@example.com';
  const { visitor, page } = await signInWithConsent(email, { path: '/speak' });
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Five otters.');
  const other = await visitor.context.newPage();
  await other.goto('/settings');
  await other.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await expectVisible(heading(other, 'Sign in'));
  await expectVisible(page.getByText('Your session has ended'));
  await signIn(page, email);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: 'Text', exact: true }).press('Control+Enter');
  await expectVisible(page.getByText(/12 characters, 12 credits/));
  await visitor.done();
});

test('another user visitor signs in over a page sees nothing of it', async () => {
  const email = 'before@example.com';
  const { visitor, page } = await signInWithConsent(email, { path: '/speak' });
  await server.account('after@example.com');
  await server.admin('consent', 'accept', '--account', 'after@example.com');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('A secret of mine.');
  const token = await server.session(email);
  const { body } = await server.call('GET', '/v1/bff/sessions', { token });
  for (const session of body.data.filter((one) => !one.current)) await server.call('DELETE', `/v1/bff/sessions/${session.id}`, { token });
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await expectVisible(page.getByText('Your session has ended'));
  await signIn(page, 'after@example.com');
  await expectVisible(heading(page, 'Home'));
  assert.ok(!(await page.content()).includes(email) && !(await page.content()).includes('A secret of mine.'));
  await visitor.done();
});

// Negative control: when every error counts as signed out, the sign-in page appears instead.
test('an error of the service does not count as signed out', async () => {
  const { visitor, page } = await signInWithConsent('unsure@example.com', { path: '/keys' });
  const error = { code: 'service_unavailable', message: 'The service cannot answer now.', request_id: 'req_0' };
  await page.route('**/v1/bff/me', (route) => route.fulfill({ status: 503, headers: { 'Retry-After': '2' }, json: { error } }));
  await page.reload();
  await expectVisible(heading(page, 'The service is not available right now'));
  await page.unroute('**/v1/bff/me');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expectVisible(heading(page, 'Keys'));
  await visitor.done();
});

test('ending the current session in the settings ends it in every tab', async () => {
  const { visitor, page } = await signInWithConsent('ender@example.com', { path: '/settings' });
  const other = await visitor.context.newPage();
  await other.goto('/keys');
  await expectVisible(heading(other, 'Keys'));
  await page.locator('li', { hasText: 'This session' }).getByRole('button', { name: /^Sign out/ }).click();
  await expectVisible(heading(page, 'Sign in'));
  await expectVisible(heading(other, 'Sign in'));
  await visitor.done();
});

// Negative control: when the server answers `invalid_credentials` to another origin, nothing says where to sign in.
test('where the browser cannot keep a session, the sign-in page says why', async () => {
  const remoteBrowser = await launch('--host-resolver-rules=MAP lectern.test 127.0.0.1');
  const port = await freePort();
  const named = await Server.start({ LECTERN_HTTP__LISTEN: `127.0.0.1:${port}`, LECTERN_HTTP__PUBLIC_URL: `http://lectern.test:${port}` });
  try {
    for (const [target, message] of [[server, `the address of this service is ${server.url}`], [named, 'your browser did not keep the session']]) {
      const email = 'far@example.com';
      await target.account(email);
      const base = `http://lectern.test:${new URL(target.url).port}`;
      const visitor = await openVisitor(remoteBrowser, target, { baseURL: base, allowedOrigins: [base] });
      const page = await visitor.context.newPage();
      await page.goto('/sign-in');
      await expectVisible(page.getByText('is not encrypted'));
      await signIn(page, email);
      await page.getByRole('alert').filter({ hasText: message }).waitFor();
      await visitor.done();
    }
  } finally {
    await remoteBrowser.close();
    await named.stop();
  }
});

// Negative control: it fails when `safeNext` returns its argument.
test('signing in leads only to pages of the application, and signing out leaves no trace of the account', async () => {
  const email = 'out@example.com';
  await server.account(email);
  await server.admin('consent', 'accept', '--account', email);
  const visitor = await openVisitor(browser, server);
  const page = await visitor.context.newPage();
  for (const next of ['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)', '/v1/saas/me', '/x/../v1/bff/me']) {
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
    await signIn(page, email);
    await expectVisible(heading(page, 'Home'));
    assert.equal(new URL(page.url()).origin + new URL(page.url()).pathname, `${server.url}/`, next);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expectVisible(heading(page, 'Sign in'));
  }
  await page.goBack();
  await expectVisible(heading(page, 'Sign in'));
  assert.ok(!(await page.content()).includes(email), 'the back button shows the account');
  await visitor.done();
});

test('tabs share the environment and the session', async () => {
  const { visitor, page } = await signInWithConsent('tabs@example.com', { path: '/developers' });
  const other = await visitor.context.newPage();
  await other.goto('/keys');
  await expectVisible(heading(other, 'Keys'));
  await page.getByRole('switch').click();
  await expectVisible(other.getByText('Keys for the test environment'));
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expectVisible(heading(other, 'Sign in'));
  await visitor.done();
});

test('on a slow network a page first says that it is loading', async () => {
  const { visitor, page } = await signInWithConsent('slow@example.com');
  const proxy = await visitor.context.newCDPSession(page);
  await proxy.send('Network.enable');
  await proxy.send('Network.emulateNetworkConditions', { offline: false, latency: 700, downloadThroughput: 30_000, uploadThroughput: 30_000 });
  await page.getByRole('link', { name: 'Credits', exact: true }).click();
  // Negative control: without the time limit the old page stays until the new one has loaded.
  await heading(page, 'Home').waitFor({ state: 'detached', timeout: 600 });
  await page.getByRole('status').filter({ hasText: 'Loading' }).first().waitFor({ state: 'attached' });
  await expectVisible(page.getByRole('heading', { name: 'Ledger' }));
  const network = (offline) => proxy.send('Network.emulateNetworkConditions', { offline, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
  await network(true);
  await page.getByRole('link', { name: 'Pronunciation' }).click();
  await expectVisible(page.getByText(/cannot be reached/));
  // Negative controls: when the error is kept, neither the page that recovers by itself nor the next page is shown.
  await network(false);
  await expectVisible(heading(page, 'Pronunciation'));
  await page.route('**/assets/History-*.js', (route) => route.abort());
  await page.getByRole('link', { name: 'History' }).click();
  await expectVisible(heading(page, 'The service cannot be reached'));
  await page.getByRole('link', { name: 'Settings' }).click();
  await expectVisible(heading(page, 'Settings'));
  await visitor.done();
});

// Negative controls: without Idempotency-Key the material is added twice; with the title in the list as `{@html}` its script runs.
test('an interrupted upload that is retried adds one material, and titles are shown as text', async () => {
  // The service receives the file; only its response is lost.
  const proxy = await FlakyProxy.start(server, '/v1/bff/materials');
  const options = { baseURL: proxy.url, allowedOrigins: [proxy.url] };
  const { visitor, page } = await signInWithConsent('upload@example.com', { path: '/books', options });
  const folder = join(server.folder, 'files');
  await mkdir(folder, { recursive: true });
  const file = join(folder, '=cmd()<img src=x onerror=alert(1)>.txt');
  await writeFile(file, 'A short text about otters.\n'.repeat(20));
  await page.getByRole('textbox', { name: 'Title' }).fill('<img src=x onerror=alert(2)>');
  await page.getByLabel('File to upload').setInputFiles(file);
  await expectVisible(page.getByText('The upload was interrupted'));
  // The material was added nevertheless, and is in the list.
  await expectVisible(page.getByRole('link', { name: '<img src=x' }));
  await page.getByRole('button', { name: 'Retry upload' }).click();
  await page.getByRole('list', { name: 'Uploads' }).waitFor({ state: 'detached' });
  await expectVisible(page.getByRole('link', { name: '<img src=x' }));
  await expectCount(page.getByRole('article'), 1, 'the book was added twice');
  await page.getByRole('link', { name: '<img src=x' }).click();
  await page.getByRole('button', { name: 'Delete this book' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expectVisible(page.getByText('No books yet'));
  await page.getByLabel('File to upload').setInputFiles({ name: 'book.epub', mimeType: 'application/epub+zip', buffer: Buffer.from([0, 1, 2, 255, 254, 0, 7]) });
  await expectVisible(page.getByRole('alert'));
  await visitor.done();
  assert.equal(proxy.broken, 1);
  proxy.stop();
});

// Negative controls, seen on an earlier version: the second file is ignored, a file dropped outside the zone makes the browser leave
// the page, opening another page ends an upload, and the list is not updated.
test('files dropped anywhere are uploaded one at a time, on whichever page the user is, and the list is updated', async () => {
  const { visitor, page } = await signInWithConsent('dropper@example.com', { path: '/books' });
  await expectVisible(page.getByText('16 million characters of text per file'));
  const drop = async (target, names) => {
    const dragged = await page.evaluateHandle((names) => {
      const transfer = new DataTransfer();
      for (const name of names) transfer.items.add(new File([`A short text about otters, ${name}. `.repeat(20)], name, { type: 'text/plain' }));
      return transfer;
    }, names);
    await target.dispatchEvent('dragover', { dataTransfer: dragged });
    return target.evaluate((element, dataTransfer) => element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })), dragged);
  };
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route('**/v1/bff/materials?environment=live', async (route) => {
    if (route.request().method() === 'POST') await held;
    await route.continue();
  });
  assert.equal(await drop(page.locator('h1'), ['one.txt', 'two.txt']), false, 'the browser would leave the page');
  await expectCount(page.getByRole('list', { name: 'Uploads' }).getByRole('listitem'), 2);
  await page.getByRole('link', { name: 'History' }).click();
  // Until the next page is loaded, the form of this one is still there and takes what is dropped.
  await expectVisible(heading(page, 'History'));
  await expectVisible(page.getByRole('link', { name: '2 uploads in progress' }));
  const asksBeforeClosing = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
  assert.equal(await asksBeforeClosing(), true, 'the tab closes without asking');
  assert.equal(await drop(page.locator('h1'), ['three.txt']), false, 'the browser would leave the page');
  release();
  await page.getByRole('complementary', { name: 'Uploads' }).waitFor({ state: 'detached' });
  assert.equal(await asksBeforeClosing(), false);
  await page.getByRole('link', { name: 'Books', exact: true }).click();
  // The list shows the progress of both.
  await expectCount(page.locator('.badge', { hasText: 'Ready to convert' }), 2);
  // A pasted text in a language that the voice does not speak.
  await page.getByRole('button', { name: 'Paste text' }).click();
  await page.getByLabel('Text', { exact: true }).fill(`${'Le phare était calme ce soir-là, et la mer dormait sous la lune. '.repeat(9)}`);
  await page.getByRole('textbox', { name: 'Title' }).fill('Le phare');
  await page.getByRole('button', { name: 'Add text' }).click();
  await expectVisible(page.getByText('does not speak French'));
  const convert = page.getByRole('button', { name: 'Convert', exact: true });
  assert.ok(await convert.isDisabled(), 'a book in a language that the voice does not speak can be converted');
  await page.getByLabel(/Convert it anyway/).check();
  assert.ok(await convert.isEnabled());
  await page.getByRole('button', { name: 'Change the language' }).click();
  await page.getByLabel('Language of the book').selectOption({ label: 'English' });
  await expectVisible(page.getByText('set by you'));
  await expectCount(page.getByText(/does not speak/), 0);
  // A lack of credits is shown before the user converts.
  await page.route('**/v1/bff/credits/balance?*', (route) => route.fulfill({ json: { balance: 100, held: 0, available: 100, has_purchased_credits: false } }));
  await page.reload();
  await expectVisible(page.getByText(/You need 4\d\d more credits/));
  assert.ok(await convert.isEnabled(), 'the page decides instead of the service');
  await visitor.done();
});

// Negative controls, seen on an earlier version: revoking leaves 20 rows, and Back shows the first 20 from the top.
test('a long list keeps its length and its scroll position', async () => {
  const email = 'many@example.com';
  const { visitor, page } = await signInWithConsent(email, { path: '/settings' });
  const token = await server.session(email);
  for (let made = 0; made < 8; made += 1) {
    const keys = Array.from({ length: 15 }, (_, at) => ({ name: `key ${String(made * 15 + at).padStart(3, '0')}`, scopes: ['read'], environment: 'live' }));
    await Promise.all(keys.map((body) => server.call('POST', '/v1/bff/keys', { token, body })));
  }
  await page.getByRole('link', { name: 'Developers' }).click();
  await page.getByRole('link', { name: 'Keys' }).click();
  const rows = page.locator('tbody tr');
  await expectCount(rows, 50);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expectCount(rows, 121);
  await expectVisible(page.getByText('Showing all 121.'));
  // Not near the end of the page: the row of a revoked key is a little lower, which would move the end of the page.
  const row = page.locator('tr', { hasText: 'key 025' });
  await row.getByRole('button', { name: /^Revoke/ }).click();
  const before = await page.evaluate(() => scrollY);
  assert.ok(before > 2000, `${before}`);
  await page.getByRole('button', { name: 'Revoke key', exact: true }).click();
  await expectVisible(row.locator('.badge', { hasText: 'revoked' }));
  await expectCount(rows, 121);
  assert.equal(await page.evaluate(() => scrollY), before);
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await expectVisible(heading(page, 'Webhooks'));
  await page.goBack();
  await expectCount(rows, 121);
  await page.waitForFunction((before) => scrollY === before, before);
  await page.getByLabel('Search keys by name').fill('KEY 09');
  await expectCount(rows, 10);
  await visitor.done();
});

// Not seen to fail yet: without the history's audio there is nothing to hear after the first attempt, and the second one is charged.
test('a speech whose response was lost is heard from the history, and charged once', async () => {
  const email = 'lost@example.com';
  const proxy = await FlakyProxy.start(server, '/v1/bff/tts:stream');
  const { visitor, page } = await signInWithConsent(email, { path: '/speak', options: { baseURL: proxy.url, allowedOrigins: [proxy.url] } });
  const text = page.getByRole('textbox', { name: 'Text', exact: true });
  const speak = page.getByRole('button', { name: 'Speak', exact: true });
  await text.fill('Otters.');
  await speak.click();
  await expectVisible(page.getByText(/7 characters, 7 credits/));
  await expectCount(page.getByRole('alert'), 0);
  await page.waitForFunction(() => document.querySelector('main audio')?.currentTime > 0.1);
  assert.equal(proxy.broken, 1);
  const charges = async () => {
    const { body } = await server.call('GET', '/v1/bff/credits/transactions', { token: await server.session(email) });
    return body.data.filter((row) => row.kind === 'charge').map((row) => row.credits);
  };
  assert.deepEqual(await charges(), [-7]);
  // After a response, or with another text, it is a new request.
  await Promise.all([page.waitForResponse(/tts:stream/), speak.click()]);
  await expectVisible(page.getByText(/7 characters, 7 credits/));
  await text.fill('Otters!!');
  await speak.click();
  await expectVisible(page.getByText(/8 characters, 8 credits/));
  assert.deepEqual(await charges(), [-8, -7, -7]);
  await visitor.done();
  proxy.stop();
});

// Negative control: with a new key for each attempt there are two purchases.
test('a purchase and a key whose responses were lost exist once', async () => {
  const proxies = {};
  for (const path of ['/v1/bff/purchases', '/v1/bff/keys']) proxies[path] = await FlakyProxy.start(server, path);
  const email = 'lost-too@example.com';
  await server.account(email, 0);
  await server.admin('consent', 'accept', '--account', email);
  const openThrough = async (path, pagePath) => {
    const proxy = proxies[path];
    const visitor = await openVisitor(browser, server, { baseURL: proxy.url, allowedOrigins: [proxy.url] });
    const page = await visitor.context.newPage();
    await page.goto(`/sign-in?next=${pagePath}`);
    await signIn(page, email);
    return { visitor, page };
  };
  const shop = await openThrough('/v1/bff/purchases', '/credits');
  const buy = shop.page.getByRole('button', { name: /: 100,000 credits/ });
  await buy.click();
  await expectVisible(shop.page.getByText('cannot be reached'));
  await buy.click();
  await expectVisible(shop.page.getByText(/Requested 100,000 credits/));
  await expectCount(shop.page.getByRole('button', { name: /^Withdraw/ }), 1);
  await shop.visitor.done();
  const desk = await openThrough('/v1/bff/keys', '/keys');
  await desk.page.getByRole('button', { name: 'Create a key' }).click();
  await desk.page.getByLabel('Name').fill('reports');
  await desk.page.getByLabel('Expires').selectOption('30');
  const create = desk.page.getByRole('button', { name: 'Create key' });
  await create.click();
  await expectVisible(desk.page.getByText('cannot be reached'));
  await create.click();
  assert.match(await desk.page.getByLabel(/^Key “/).inputValue(), /^svc_live_/);
  await desk.page.getByRole('button', { name: 'Copy', exact: true }).click();
  await desk.page.getByRole('button', { name: 'I have copied it' }).click();
  await expectCount(desk.page.getByRole('button', { name: 'Revoke reports' }), 1);
  await desk.visitor.done();
  for (const proxy of Object.values(proxies)) {
    assert.equal(proxy.broken, 1);
    proxy.stop();
  }
});

test('audio at another origin is played and downloaded', async () => {
  // Signed URLs start with the server's own origin; the pages are opened at the proxy's.
  const proxy = await FlakyProxy.start(server, '/nothing');
  const { visitor, page } = await signInWithConsent('elsewhere@example.com', { path: '/speak', options: { baseURL: proxy.url, allowedOrigins: [proxy.url] } });
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Otters swim.');
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await expectVisible(page.locator('.spoken-text mark'));
  const link = page.getByRole('link', { name: 'Download MP3' });
  assert.ok((await link.getAttribute('href')).startsWith(`${server.url}/media/`));
  // Without CORS the audio opens in a new tab.
  const isNewTab = (request) => request.isNavigationRequest() && request.url().startsWith(`${server.url}/media/`);
  await Promise.all([visitor.context.waitForEvent('request', { predicate: isNewTab }), link.click()]);
  await expectVisible(heading(page, 'Speak'));
  // With CORS it is saved under its file name.
  await page.route(`${server.url}/media/**`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, headers: { ...answer.headers(), 'access-control-allow-origin': '*' } });
  });
  const [saved] = await Promise.all([page.waitForEvent('download'), link.click()]);
  assert.equal(saved.suggestedFilename(), 'lectern.mp3');
  assert.ok((await readFile(await saved.path())).length > 1000);
  await visitor.done();
  proxy.stop();
});

test('an unknown purchase in the address does not break the page', async () => {
  const { visitor, page } = await signInWithConsent('stranger@example.com', { path: '/credits?purchase=pur_0&result=paid' });
  await expectVisible(page.getByText('does not belong to this account'));
  await expectVisible(page.getByRole('heading', { name: 'Ledger' }));
  await visitor.done();
});

test('a purchase that the operator approves becomes credits', async () => {
  const { visitor, page } = await signInWithConsent('manual@example.com', { path: '/credits', credits: 0 });
  await page.getByRole('button', { name: /100,000 credits/ }).click();
  await expectVisible(page.getByText(/Requested 100,000 credits/));
  const [purchase] = await server.admin('purchases', 'list', '--status', 'pending');
  await server.admin('purchases', 'approve', purchase.id);
  await server.admin('purchases', 'approve', purchase.id);
  await page.reload();
  await expectVisible(page.locator('.badge', { hasText: 'paid' }));
  await expectVisible(page.locator('dd', { hasText: '100,000' }));
  await visitor.done();
});

test('at Stripe a payment succeeds, is declined, or is abandoned; one purchase is approved by hand and one withdrawn', async () => {
  const stripe = await FakeStripe.start();
  const shop = await Server.start(stripe.settings);
  try {
    await shop.account('payer@example.com', 0);
    const visitor = await openVisitor(browser, shop, { allowedOrigins: [stripe.base] });
    const page = await visitor.context.newPage();
    await page.goto('/sign-in?next=/credits');
    await signIn(page, 'payer@example.com');
    for (const [links, message, balance] of [
      [['Back'], 'You left the checkout without paying', '0'],
      [['Pay with a card that is declined', 'Try another card', 'Back'], 'You left the checkout without paying', '0'],
      [['Pay from a bank account that is empty'], 'The payment was declined', '0'],
      [['Pay with a card that is declined', 'Try another card', 'Pay'], 'Thank you. 100,000 credits have been added', '100,000'],
    ]) {
      await page.getByRole('button', { name: /: 100,000 credits/ }).click();
      for (const link of links) await page.getByRole('link', { name: link, exact: true }).click();
      await expectVisible(page.getByText(message));
      await expectVisible(page.locator('.figure', { hasText: 'Available' }).getByText(balance, { exact: true }));
    }
    // The operator approves by hand a purchase whose payment no event has reported.
    const [left, other] = await shop.admin('purchases', 'list', '--status', 'pending');
    await expectVisible(page.locator('tr', { hasText: other.id }).locator('.badge', { hasText: 'not paid yet' }));
    assert.match(left.provider_reference, /^cs_test_/);
    await assert.rejects(shop.admin('purchases', 'approve', left.id), /--provider stripe/);
    assert.equal((await shop.admin('purchases', 'approve', left.id, '--provider', 'stripe')).status, 'paid');
    await page.goto('/credits');
    await expectVisible(page.locator('dd', { hasText: '200,000' }));
    // The user withdraws the other one.
    await page.getByRole('button', { name: /^Withdraw/ }).click();
    await page.getByRole('button', { name: 'Withdraw purchase' }).click();
    await expectVisible(page.locator('tr', { hasText: other.id }).locator('.badge', { hasText: 'cancelled' }));
    await expectCount(page.getByRole('button', { name: /^Withdraw/ }), 0);
    await visitor.done();
  } finally {
    await shop.stop();
    stripe.stop();
  }
});

test('everything can be done with the keyboard', async () => {
  const email = 'keyboard@example.com';
  await server.account(email);
  await server.admin('consent', 'accept', '--account', email);
  const visitor = await openVisitor(browser, server);
  const page = await visitor.context.newPage();
  await page.goto('/sign-in');
  await expectVisible(heading(page, 'Sign in'));
  const tabTo = async (text) => {
    for (let steps = 0; steps < 60; steps += 1) {
      await page.keyboard.press('Tab');
      const label = await page.evaluate(() => {
        const focused = document.activeElement;
        return (focused?.labels?.[0]?.textContent ?? focused?.textContent ?? '').trim();
      });
      if (label.startsWith(text)) return;
    }
    throw new Error(`Tab does not reach ${text}`);
  };
  await tabTo('Email address');
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expectVisible(heading(page, 'Home'));
  // Negative control: when the router handles the link, the focus stays on it, and Tab goes on to the logo.
  await tabTo('Skip to content');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.id === 'content');
  await page.keyboard.press('Tab');
  assert.ok(await page.evaluate(() => document.activeElement?.closest('#content') !== null), 'the menu was not skipped');
  await page.reload();
  await expectVisible(heading(page, 'Home'));
  await tabTo('Developers');
  await page.keyboard.press('Enter');
  await expectVisible(heading(page, 'Developers'));
  await tabTo('Keys');
  await page.keyboard.press('Enter');
  await expectVisible(heading(page, 'Keys'));
  await tabTo('Create a key');
  await page.keyboard.press('Enter');
  await expectVisible(page.getByRole('dialog'));
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // On a phone the menu covers the page, and Escape closes it.
  await page.setViewportSize({ width: 360, height: 740 });
  const menuButton = page.getByRole('button', { name: 'Menu' });
  const position = () => heading(page, 'Keys').boundingBox();
  const before = await position();
  await menuButton.press('Enter');
  await expectVisible(page.getByRole('button', { name: 'Sign out' }));
  assert.deepEqual(await position(), before, 'the menu moves the page');
  await page.keyboard.press('Escape');
  assert.ok(await page.getByRole('button', { name: 'Sign out' }).isHidden());
  assert.ok(await menuButton.evaluate((button) => button === document.activeElement));
  // An unknown address has a page of its own; an anchor within a page keeps the query.
  const answer = await page.goto('/nothing-here');
  assert.equal(answer.status(), 404);
  await expectVisible(heading(page, 'Page not found'));
  await visitor.context.clearCookies();
  await page.goto('/sign-in?next=/keys');
  await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
  await signIn(page, email);
  await expectVisible(heading(page, 'Keys'));
  await visitor.done();
});

test('a webhook endpoint is added, tested, inspected, rotated and deleted', async () => {
  const { visitor, page } = await signInWithConsent('hooks@example.com', { path: '/webhooks' });
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const add = async (url) => {
    await page.getByLabel('URL').fill(url);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
  };
  await add('https://127.0.0.1/hook');
  await expectVisible(page.getByRole('alert'));
  await add('https://127.0.0.2:8443/hook');
  await expectVisible(page.getByRole('alert'));
  await page.getByLabel('URL').fill('https://127.0.0.3:8443/hook');
  await page.getByRole('button', { name: 'Cancel' }).click();
  const localServer = await Server.start({ LECTERN_WEBHOOKS__ALLOWED_NETWORKS: '127.0.0.0/8' });
  await localServer.account('hooks@example.com');
  const localVisitor = await openVisitor(browser, localServer);
  const other = await localVisitor.context.newPage();
  await other.goto('/sign-in?next=/webhooks');
  await signIn(other, 'hooks@example.com');
  await other.getByRole('button', { name: 'Add endpoint' }).click();
  // Nothing listens there, so each attempt fails.
  await other.getByLabel('URL').fill('https://127.0.0.9:8443/hook');
  await other.getByRole('button', { name: 'Add', exact: true }).click();
  assert.match(await other.getByRole('textbox', { name: 'Secret', exact: true }).inputValue(), /^whsec_/);
  await other.getByRole('button', { name: 'Copy', exact: true }).click();
  await other.getByRole('button', { name: 'I have copied it' }).click();
  await other.getByRole('link', { name: 'https://127.0.0.9:8443/hook' }).click();
  await other.getByRole('button', { name: 'Send a test event' }).click();
  await expectVisible(other.locator('.badge', { hasText: 'waiting' }));
  await other.getByRole('button', { name: /^Details/ }).click();
  await expectVisible(other.getByRole('dialog').getByRole('listitem'));
  await expectVisible(other.getByRole('dialog').getByText('"type":"webhook.test"'));
  await other.getByRole('button', { name: 'Retry now' }).click();
  await expectVisible(other.getByText('Retrying now.'));
  await other.getByRole('button', { name: 'Rotate secret' }).click();
  await other.getByRole('button', { name: 'Rotate', exact: true }).click();
  assert.match(await other.getByRole('textbox', { name: 'Secret', exact: true }).inputValue(), /^whsec_/);
  await other.getByRole('button', { name: 'Copy', exact: true }).click();
  await other.getByRole('button', { name: 'I have copied it' }).click();
  await other.getByRole('button', { name: 'Delete', exact: true }).click();
  await other.getByRole('button', { name: 'Delete endpoint' }).click();
  await expectVisible(other.getByText('No endpoints yet'));
  await other.getByRole('link', { name: 'Credits' }).click();
  await other.getByLabel(/Warn me below/).fill('5000');
  await other.getByRole('button', { name: 'Save' }).click();
  await expectVisible(other.getByText('fewer than 5,000 credits'));
  await localVisitor.done();
  await localServer.stop();
  await visitor.done();
});

// Negative control: with the response as `{@html}` its text is not found.
test('the response of an endpoint is shown as text, and a long list of deliveries keeps its length', async () => {
  const responseBody = `<img src=x onerror=alert(1)><script>alert(2)</script>${'é'.repeat(2000)}`;
  const receiver = await WebhookReceiver.start(server.folder, 500, responseBody);
  const localServer = await Server.start({ LECTERN_WEBHOOKS__ALLOWED_NETWORKS: '127.0.0.0/8', LECTERN_WEBHOOKS__EXTRA_CA_FILE: receiver.ca });
  try {
    const email = 'answers@example.com';
    await localServer.account(email);
    const token = await localServer.session(email);
    const { body: webhook } = await localServer.call('POST', '/v1/bff/webhooks', { token, body: { url: receiver.url, events: ['chunk.completed'] } });
    for (let time = 0; time < 55; time += 1) await localServer.call('POST', `/v1/bff/webhooks/${webhook.id}/test`, { token, body: {} });
    // Waits until the newest delivery has been attempted.
    const newest = async () => (await localServer.call('GET', `/v1/bff/webhooks/${webhook.id}/deliveries?limit=1`, { token })).body.data[0];
    for (let tries = 0; tries < 200 && !(await newest()).attempt_count; tries += 1) await new Promise((resolve) => setTimeout(resolve, 100));
    const visitor = await openVisitor(browser, localServer);
    const page = await visitor.context.newPage();
    await page.goto(`/sign-in?next=/webhooks/${webhook.id}`);
    await signIn(page, email);
    await page.getByRole('button', { name: /^Details/ }).first().click();
    await expectVisible(page.getByRole('dialog').getByText('<img src=x onerror=alert(1)><script>'));
    assert.equal(await page.locator('dialog img, dialog script').count(), 0);
    assert.ok((await page.locator('dialog li pre').last().textContent()).length <= 1024);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Show more' }).click();
    const rows = page.locator('tbody tr');
    await expectCount(rows, 55);
    // A new delivery is added, and all others stay.
    const announcement = page.getByRole('status').filter({ hasText: 'A test event is on its way.' });
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await announcement.waitFor();
    // The button is enabled again when the list has been refreshed.
    await expectVisible(page.locator('button:enabled', { hasText: 'Send a test event' }));
    await expectCount(rows, 56);
    await visitor.done();
  } finally {
    await localServer.stop();
    receiver.stop();
  }
});

test('a password is changed and the other sessions end', async () => {
  const email = 'settings@example.com';
  const { visitor, page } = await signInWithConsent(email, { path: '/settings' });
  const token = await server.session(email);
  await page.getByLabel('Current password').fill('wrong');
  await page.getByLabel('New password').fill('eleven green bottles on a wall');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expectVisible(page.getByText('This is not your current password.'));
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expectVisible(page.getByText('Your password has been changed'));
  assert.equal((await server.call('GET', '/v1/bff/me', { token })).status, 401);
  await expectVisible(page.getByText('This session'));
  await visitor.done();
});
