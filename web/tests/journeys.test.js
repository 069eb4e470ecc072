// People on their ways through the application, on the real server, in a real browser.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { counts, heading, launch, shows, signedInAndAgreed as agreed, signIn, visitor } from './browser.js';
import { BreakingWire, freePort, PASSWORD, Receiver, Server, stopAll, StripeStandIn } from './server.js';

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
  const who = await visitor(browser, server);
  const page = await who.context.newPage();

  await page.goto(`/register?invite=${invited.invite_token}`);
  await shows(page.getByText(`You have been invited as ${email}`));
  assert.ok(!page.url().includes(invited.invite_token), 'the secret stays in the address bar');
  await page.getByLabel('Password', { exact: true }).fill('newcomer1');
  await shows(page.getByText(/requirements not met/));
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await shows(page.getByText(/all requirements met/));
  await page.getByRole('button', { name: 'Register' }).click();
  await shows(heading(page, 'Check your email'));

  await page.goto(await server.link(email, 'confirm'));
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await shows(page.getByText('Your email address is confirmed'));
  await signIn(page, email);

  await shows(heading(page, 'Terms and privacy'));
  await page.getByLabel(/I have read and agree to the terms/).check();
  await page.getByRole('button', { name: 'Agree and continue' }).click();
  await shows(heading(page, 'Overview'));
  await shows(page.getByText('50,000'));

  await page.getByRole('link', { name: 'Try it', exact: true }).click();
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Naïve otters swim 👩‍🚀.');
  await shows(page.getByText('22 of 5,000 characters'));
  await shows(page.getByText('22 credits').first());
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await shows(heading(page, 'Try it'));
  await shows(page.locator('.spoken-text mark'));
  await shows(page.getByText(/22 characters, 22 credits/));

  await page.getByRole('link', { name: 'Materials' }).click();
  await page.getByLabel('File to upload').setInputFiles(BOOK);
  await shows(page.getByText('Ready to convert'));
  assert.match(await page.title(), /^The Lantern Keeper/);
  // What is known before anything is paid for.
  await shows(page.locator('dd', { hasText: /English/ }));
  await shows(page.locator('dd', { hasText: /^About 1 min/ }));
  await shows(page.locator('dd', { hasText: '1,204 credits; you have 49,978' }));
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await page.locator('.badge', { hasText: 'Completed' }).first().waitFor({ timeout: 60_000 });
  await listen(page);

  for (const [name, begins] of [['Captions (VTT)', 'WEBVTT'], ['M4B audiobook', '\0\0\0']]) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()]);
    const bytes = await readFile(await download.path());
    assert.equal(bytes.toString('latin1').slice(0, begins.length), begins, name);
  }

  await page.getByRole('link', { name: 'Credits' }).click();
  await shows(heading(page, 'Credits'));
  const line = page.locator('tr', { hasText: 'The Lantern Keeper' });
  await shows(line.getByText('-1,204'));
  await line.getByRole('button', { name: /^Show 3 parts/ }).click();
  await counts(page.locator('tr.part'), 3);
  await page.getByLabel('Type', { exact: true }).selectOption('speech');
  await shows(page.getByText('Speech, 1 request'));
  await counts(line, 0);
  const [ledger] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download as CSV' }).click()]);
  assert.match(await readFile(await ledger.path(), 'utf8'), /^id,created_at,kind,credits,balance_after,reference\r\n/);
  await page.getByRole('link', { name: 'Overview' }).click();
  await shows(page.getByRole('link', { name: /Lantern/ }));
  await who.done();
  await server.admin('consent', 'accept', '--account', email);
});

/**
 * Listens from part to part. Negative controls, each seen on the page as it was: the next part does not begin by itself when it
 * comes late; speed and volume are 1 in the next part.
 */
async function listen(page) {
  const set = (change) => page.locator('audio').evaluate((audio, change) => Object.assign(audio, change), change);
  const plays = () => page.locator('audio').evaluate((audio) => [audio.playbackRate, Math.round(audio.volume * 100), audio.paused]);
  const part = (name) => page.getByRole('region', { name: `Text of part ${name}` });
  // For a while the second part is not there yet.
  const late = async (route) => {
    const answer = await route.fetch();
    const json = await answer.json();
    if (json.data) json.data[1] = { ...json.data[1], status: 'converting', duration_ms: null };
    else Object.assign(json, { status: 'converting', chunks_completed: 2 });
    await route.fulfill({ response: answer, json });
  };
  const delayed = /materials\/mat_[^/]+(\/chunks)?\?/;
  await page.route(delayed, late);
  await page.reload();
  await page.getByRole('button', { name: /^Play/ }).first().click();
  await shows(page.locator('.spoken-text mark'));
  await page.getByLabel('Speed').selectOption('1.5');
  await set({ volume: 0.3 });
  await page.locator('audio').evaluate((audio) => (audio.currentTime = audio.duration - 0.2));
  await shows(page.getByText('Next part is being prepared'));
  await page.unroute(delayed, late);
  await shows(part(2));
  await shows(page.locator('.spoken-text mark'));
  assert.deepEqual(await plays(), [1.5, 30, false]);
  await page.reload();
  await page.getByRole('button', { name: /^Play/ }).first().click();
  await shows(page.locator('.spoken-text mark'));
  assert.deepEqual(await plays(), [1.5, 30, false]);
  assert.equal(await page.locator('.spoken-text').getAttribute('dir'), 'auto');
  assert.equal(await page.locator('.spoken-text').getAttribute('lang'), 'en-GB');
}

test('the demo leads from the invitation that it prints to a chapter, without a terminal', async () => {
  const demo = await Server.start({}, ['--demo']);
  const who = await visitor(browser, demo);
  const page = await who.context.newPage();

  await page.goto(await demo.prints(/http:\S+\/register\?invite=\S+/));
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Register' }).click();
  await shows(heading(page, 'Check your email'));
  await page.goto(await demo.prints(/http:\S+\/confirm\?token=\S+/));
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await shows(page.getByText('Your email address is confirmed'));
  await signIn(page, 'guest@lectern.example');

  await shows(heading(page, 'Terms and privacy'));
  const boxes = page.getByLabel(/I have read/);
  await shows(boxes);
  for (const box of await boxes.all()) await box.check();
  await page.getByRole('button', { name: 'Agree and continue' }).click();
  await shows(heading(page, 'Overview'));
  await page.getByRole('link', { name: 'Materials' }).click();
  await page.getByLabel('File to upload').setInputFiles(BOOK);
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await page.getByRole('button', { name: /^Play/ }).first().click({ timeout: 60_000 });
  await shows(page.locator('.spoken-text mark'));
  await page.locator('.badge', { hasText: 'Completed' }).first().waitFor({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Overview' }).click();
  await shows(page.getByText('1,204 credits'));
  await who.done();
  await demo.stop();
});

test('what is published is owed, read with its changes, and the same key works again', async () => {
  const { who, page, invited } = await signedInAndAgreed('consent@example.com');
  const me = () => server.call('GET', '/v1/saas/me', { token: invited.live_key });
  assert.equal((await me()).status, 200);
  await server.publish('terms', '2026-02', '# Terms\n\nBe kind to the voices and to each other.\n\n<script>alert(1)</script> [x](javascript:alert(2))');
  assert.equal((await me()).body.error.code, 'consent_required');
  await page.getByRole('link', { name: 'Keys' }).click();
  await shows(heading(page, 'Terms and privacy'));
  await shows(page.locator('ins', { hasText: 'and to each other' }));
  await shows(page.locator('del', { hasText: 'Be kind to the voices.' }));
  await page.getByText('Read the full terms of use').click();
  const whole = page.getByRole('region', { name: 'Text of the terms of use' });
  await shows(whole.getByText('Be kind to the voices and to each other.'));
  assert.equal(await page.locator('.paper script, .paper a').count(), 0, 'a document became HTML');
  await page.getByLabel(/I have read and agree to the terms/).check();
  await page.getByRole('button', { name: 'Agree and continue' }).click();
  await shows(heading(page, 'Keys'));
  assert.equal((await me()).status, 200);
  await who.done();
});

const signedInAndAgreed = (email, rest) => agreed(browser, server, email, rest);

test('a forgotten password is set anew by the link in the mail, once', async () => {
  const email = 'forgetful@example.com';
  await server.account(email);
  const who = await visitor(browser, server);
  const page = await who.context.newPage();
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  // Both pages have a field of that name.
  await shows(heading(page, 'Reset your password'));
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await shows(page.getByText('an email with a link is on its way'));
  const link = await server.link(email, 'reset');
  const set = async () => {
    await page.goto(link);
    await page.getByLabel('New password').fill('eleven green bottles on a wall');
    await page.getByRole('button', { name: 'Set password' }).click();
  };
  await set();
  await shows(page.getByText('Your password has been changed'));
  await set();
  await shows(page.getByText(/has already been used/));
  await page.getByRole('link', { name: 'Request a new link' }).click();
  await page.goto('/sign-in');
  await signIn(page, email);
  await shows(page.getByText('Wrong email address or password.'));
  await who.done();
});

test('an invitation or a confirmation that was used before says so', async () => {
  const email = 'twice@example.com';
  const invited = await server.account(email);
  const who = await visitor(browser, server);
  const page = await who.context.newPage();
  await page.goto(`/register?invite=${invited.invite_token}`);
  await shows(page.getByText('This invitation is not valid'));
  const link = await server.link(email, 'confirm');
  const confirm = page.getByRole('button', { name: 'Confirm my address' });
  for (const said of ['Your email address is confirmed', 'has already been used']) {
    await page.goto(link);
    await confirm.click();
    await shows(page.getByText(new RegExp(said)));
  }
  await counts(confirm, 0, 'a link that does not work can be pressed again');
  // Who has an account already is led back to it, or out of it.
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signIn(page, email);
  await shows(heading(page, 'Terms and privacy'));
  const other = await server.admin('invite', 'create', '--email', 'third@example.com');
  await page.goto(`/register?invite=${other.invite_token}`);
  await shows(page.getByText(`You are signed in as ${email}`));
  await page.getByRole('button', { name: 'Sign out and use the invitation' }).click();
  await shows(page.getByText('You have been invited as third@example.com'));
  // Without one, nobody fills in a form for nothing.
  await page.goto('/register');
  await shows(page.getByText('You need an invitation to register'));
  await counts(page.locator('form'), 0);
  await who.done();
});

// Negative control: with the header X-Lectern-CSRF left out of the client the key is refused, and this fails.
test('a key is made, shown once, used and revoked; the last that may manage keys is kept', async () => {
  const { who, page } = await signedInAndAgreed('keys@example.com', { path: '/keys' });
  await page.getByRole('switch').click();
  await shows(page.getByText('Test environment: nothing here costs credits'));
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Name').fill('   ');
  assert.ok(await page.getByRole('button', { name: 'Create key' }).isDisabled(), 'spaces are no name');
  await page.getByLabel('Name').fill('<b>reports</b>');
  await page.getByLabel(/synthesize, upload/).uncheck();
  await page.getByLabel('Expires').selectOption('30');
  await page.getByRole('button', { name: 'Create key' }).click();
  const secret = await page.getByLabel(/^Key “/).inputValue();
  assert.match(secret, /^svc_test_[0-9A-Za-z]{49}$/);
  assert.equal((await server.call('GET', '/v1/saas/me', { token: secret })).status, 200);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await counts(page.getByLabel(/^Key “/), 0);
  const typed = await page.locator('input, textarea').evaluateAll((fields) => fields.map((field) => field.value));
  assert.ok(![await page.content(), ...typed].some((text) => text.includes(secret)), 'the secret is still in the page');
  const revoke = async (name) => {
    await page.getByRole('button', { name: `Revoke ${name}` }).click();
    await page.getByRole('button', { name: 'Revoke key', exact: true }).click();
  };
  await revoke('<b>reports</b>');
  await shows(page.locator('.badge', { hasText: 'revoked' }));
  assert.equal((await server.call('GET', '/v1/saas/me', { token: secret })).body.error.code, 'api_key_revoked');
  await revoke('First test key');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('switch').click();
  await revoke('First live key');
  await shows(page.getByText("only active key that can manage keys"));
  await who.done();
});

test('a session that ends in the middle: signing in leads back to the same page', async () => {
  const email = 'expired@example.com';
  const { who, page } = await signedInAndAgreed(email, { path: '/keys' });
  await shows(heading(page, 'Keys'));
  const token = await server.session(email);
  const { body } = await server.call('GET', '/v1/bff/sessions', { token });
  for (const session of body.data.filter((one) => !one.current)) {
    await server.call('DELETE', `/v1/bff/sessions/${session.id}`, { token });
  }
  await page.getByRole('link', { name: 'E-readers' }).click();
  await shows(page.getByText('Your session has ended'));
  await signIn(page, email);
  await shows(heading(page, 'E-readers'));
  await who.done();
});

// Negative control: with the page thrown away when the session ends, nothing says that it has ended, and this fails there.
test('what was typed is still there when a session that ended begins again, in every tab', async () => {
  const email = 'typist@example.com';
  const { who, page } = await signedInAndAgreed(email, { path: '/try' });
  const other = await who.context.newPage();
  await other.goto('/keys');
  await other.getByRole('button', { name: 'Create a key' }).click();
  await other.getByLabel('Name').fill('half a na');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Four otters.');
  const token = await server.session(email);
  const { body } = await server.call('GET', '/v1/bff/sessions', { token });
  for (const session of body.data.filter((one) => !one.current)) await server.call('DELETE', `/v1/bff/sessions/${session.id}`, { token });
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await shows(page.getByText('Your session has ended'));
  const covered = () => [100, 640, 1200].every((x) => [20, 450, 880].every((y) => document.elementFromPoint(x, y)?.closest('dialog')));
  assert.ok(await page.evaluate(covered), 'something of the page can be seen');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await shows(page.getByText('Wrong email address or password.'));
  await signIn(page, email);
  // What was asked for goes on by itself.
  await shows(page.getByText(/12 characters, 12 credits/));
  assert.equal(await page.getByRole('textbox', { name: 'Text', exact: true }).inputValue(), 'Four otters.');
  // The other tab has the new session, and its own text.
  assert.equal(await other.getByLabel('Name').inputValue(), 'half a na');
  await other.getByRole('button', { name: 'Create key' }).click();
  assert.match(await other.getByLabel('Key “half a na”').inputValue(), /^svc_live_/);
  await who.done();
});

test('somebody else who signs in over a page sees nothing of it', async () => {
  const email = 'before@example.com';
  const { who, page } = await signedInAndAgreed(email, { path: '/try' });
  await server.account('after@example.com');
  await server.admin('consent', 'accept', '--account', 'after@example.com');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('A secret of mine.');
  const token = await server.session(email);
  const { body } = await server.call('GET', '/v1/bff/sessions', { token });
  for (const session of body.data.filter((one) => !one.current)) await server.call('DELETE', `/v1/bff/sessions/${session.id}`, { token });
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await shows(page.getByText('Your session has ended'));
  await signIn(page, 'after@example.com');
  await shows(heading(page, 'Overview'));
  assert.ok(!(await page.content()).includes(email) && !(await page.content()).includes('A secret of mine.'));
  await who.done();
});

// Negative control: with every failure of that answer taken for nobody's, the page that says so never comes.
test('a service that cannot say who is signed in is not taken for signed out', async () => {
  const { who, page } = await signedInAndAgreed('unsure@example.com', { path: '/keys' });
  const error = { code: 'service_unavailable', message: 'The service cannot answer now.', request_id: 'req_0' };
  await page.route('**/v1/bff/me', (route) => route.fulfill({ status: 503, headers: { 'Retry-After': '2' }, json: { error } }));
  await page.reload();
  await shows(heading(page, 'The service is not available right now'));
  await page.unroute('**/v1/bff/me');
  await page.getByRole('button', { name: 'Reload' }).click();
  await shows(heading(page, 'Keys'));
  await who.done();
});

test('ending one\'s own session in the settings ends it in every tab', async () => {
  const { who, page } = await signedInAndAgreed('ender@example.com', { path: '/settings' });
  const other = await who.context.newPage();
  await other.goto('/keys');
  await shows(heading(other, 'Keys'));
  await page.locator('li', { hasText: 'This session' }).getByRole('button', { name: /^Sign out/ }).click();
  await shows(heading(page, 'Sign in'));
  await shows(heading(other, 'Sign in'));
  await who.done();
});

// Negative control: against a server that answers `invalid_credentials` to another origin, nothing says where to sign in.
test('where browsers keep no session the sign-in says why', async () => {
  const far = await launch('--host-resolver-rules=MAP lectern.test 127.0.0.1');
  const port = await freePort();
  const named = await Server.start({ LECTERN_HTTP__LISTEN: `127.0.0.1:${port}`, LECTERN_HTTP__PUBLIC_URL: `http://lectern.test:${port}` });
  try {
    for (const [there, said] of [[server, `the address of this service is ${server.url}`], [named, 'your browser did not keep the session']]) {
      const email = 'far@example.com';
      await there.account(email);
      const base = `http://lectern.test:${new URL(there.url).port}`;
      const who = await visitor(far, there, { baseURL: base, alsoOurs: [base] });
      const page = await who.context.newPage();
      await page.goto('/sign-in');
      await shows(page.getByText('is not encrypted'));
      await signIn(page, email);
      await page.getByRole('alert').filter({ hasText: said }).waitFor();
      await who.done();
    }
  } finally {
    await far.close();
    await named.stop();
  }
});

// Negative control: with `safeNext` answering what it was asked for this fails.
test('signing in leads to no page but ours, and signing out leaves nothing behind', async () => {
  const email = 'out@example.com';
  await server.account(email);
  await server.admin('consent', 'accept', '--account', email);
  const who = await visitor(browser, server);
  const page = await who.context.newPage();
  for (const next of ['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)', '/v1/saas/me', '/x/../v1/bff/me']) {
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
    await signIn(page, email);
    await shows(heading(page, 'Overview'));
    assert.equal(new URL(page.url()).origin + new URL(page.url()).pathname, `${server.url}/`, next);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await shows(heading(page, 'Sign in'));
  }
  await page.goBack();
  await shows(heading(page, 'Sign in'));
  assert.ok(!(await page.content()).includes(email), 'the back button shows the account');
  await who.done();
});

test('two tabs show one environment and one session', async () => {
  const { who, page } = await signedInAndAgreed('tabs@example.com');
  const other = await who.context.newPage();
  await other.goto('/keys');
  await shows(heading(other, 'Keys'));
  await page.getByRole('switch').click();
  await shows(other.getByText('Keys for the test environment'));
  await page.getByRole('button', { name: 'Sign out' }).click();
  await shows(heading(other, 'Sign in'));
  await who.done();
});

test('on a slow network a page says that it is loading, and then it is there', async () => {
  const { who, page } = await signedInAndAgreed('slow@example.com');
  const wire = await who.context.newCDPSession(page);
  await wire.send('Network.enable');
  await wire.send('Network.emulateNetworkConditions', { offline: false, latency: 700, downloadThroughput: 30_000, uploadThroughput: 30_000 });
  await page.getByRole('link', { name: 'Credits' }).click();
  // Negative control: without the time limit the old page stays, with its heading, until the new one has come.
  await heading(page, 'Overview').waitFor({ state: 'detached', timeout: 600 });
  await page.getByRole('status').filter({ hasText: 'Loading' }).first().waitFor({ state: 'attached' });
  await shows(page.getByRole('heading', { name: 'Ledger' }));
  const network = (offline) => wire.send('Network.emulateNetworkConditions', { offline, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
  await network(true);
  await page.getByRole('link', { name: 'Keys' }).click();
  await shows(page.getByText(/cannot be reached/));
  // Negative controls: with the failure kept, neither what comes back by itself nor the next page is shown.
  await network(false);
  await shows(heading(page, 'Keys'));
  await page.route('**/assets/Webhooks-*.js', (route) => route.abort());
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await shows(heading(page, 'The service cannot be reached'));
  await page.getByRole('link', { name: 'Settings' }).click();
  await shows(heading(page, 'Settings'));
  await who.done();
});

// Negative controls: without Idempotency-Key the upload counts twice; with the list's title as `{@html}` its script runs.
test('an upload that is cut off and tried again counts once, and titles stay text', async () => {
  // The service takes the file in; only its answer is lost.
  const wire = await BreakingWire.start(server, '/v1/bff/materials');
  const options = { baseURL: wire.url, alsoOurs: [wire.url] };
  const { who, page } = await signedInAndAgreed('upload@example.com', { path: '/materials', options });
  const folder = join(server.folder, 'files');
  await mkdir(folder, { recursive: true });
  const file = join(folder, '=cmd()<img src=x onerror=alert(1)>.txt');
  await writeFile(file, 'A short text about otters.\n'.repeat(20));
  await page.getByLabel('Title').fill('<img src=x onerror=alert(2)>');
  await page.getByLabel('File to upload').setInputFiles(file);
  await shows(page.getByText('The upload was interrupted'));
  // It came through all the same, and the list says so.
  await shows(page.getByRole('link', { name: '<img src=x' }));
  await page.getByRole('button', { name: 'Retry upload' }).click();
  await page.getByRole('list', { name: 'Uploads' }).waitFor({ state: 'detached' });
  await shows(page.getByRole('link', { name: '<img src=x' }));
  await counts(page.locator('tbody tr'), 1, 'the upload counted twice');
  await page.getByRole('link', { name: '<img src=x' }).click();
  await page.getByRole('button', { name: 'Delete this material' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await shows(page.getByText('No materials yet'));
  await page.getByLabel('File to upload').setInputFiles({ name: 'book.epub', mimeType: 'application/epub+zip', buffer: Buffer.from([0, 1, 2, 255, 254, 0, 7]) });
  await shows(page.getByRole('alert'));
  await who.done();
  assert.equal(wire.broken, 1);
  wire.stop();
});

// Negative controls: on the page as it was, the second file is left out, one dropped outside the zone makes the browser leave the page,
// opening another page ends an upload, and the list never changes.
test('files dropped anywhere are uploaded one after the other, whichever page is looked at, and the list follows', async () => {
  const { who, page } = await signedInAndAgreed('dropper@example.com', { path: '/materials' });
  await shows(page.getByText('16 million characters of text per file'));
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
  await counts(page.getByRole('list', { name: 'Uploads' }).getByRole('listitem'), 2);
  await page.getByRole('link', { name: 'Overview' }).click();
  await shows(page.getByRole('link', { name: '2 uploads in progress' }));
  const asks = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
  assert.equal(await asks(), true, 'the tab closes without a word');
  assert.equal(await drop(page.locator('h1'), ['three.txt']), false, 'a drop on another page leaves it');
  release();
  await page.getByRole('complementary', { name: 'Uploads' }).waitFor({ state: 'detached' });
  assert.equal(await asks(), false);
  await page.getByRole('link', { name: 'Materials' }).click();
  // Both are read while the list is looked at.
  await counts(page.locator('.badge', { hasText: 'Ready to convert' }), 2);
  // A text is pasted, in a language that the voice does not speak.
  await page.getByRole('button', { name: 'Paste text' }).click();
  await page.getByLabel('Text', { exact: true }).fill(`${'Le phare était calme ce soir-là, et la mer dormait sous la lune. '.repeat(9)}`);
  await page.getByLabel('Title').fill('Le phare');
  await page.getByRole('button', { name: 'Add text' }).click();
  await shows(page.getByText(/does not speak French/));
  const convert = page.getByRole('button', { name: 'Convert', exact: true });
  assert.ok(await convert.isDisabled(), 'what the voice does not speak is sold');
  await page.getByLabel(/Convert it anyway/).check();
  assert.ok(await convert.isEnabled());
  await page.getByRole('button', { name: 'Change the language' }).click();
  await page.getByLabel('Language of the book').selectOption({ label: 'English' });
  await shows(page.getByText('set by you'));
  await counts(page.getByText(/does not speak/), 0);
  // More than the account has is said before it is asked for.
  await page.route('**/v1/bff/credits/balance?*', (route) => route.fulfill({ json: { balance: 100, held: 0, available: 100, has_purchased_credits: false } }));
  await page.reload();
  await shows(page.getByText(/You need 4\d\d more credits/));
  assert.ok(await convert.isEnabled(), 'the page decides what the service decides');
  await who.done();
});

// Negative controls: on the page as it was, revoking leaves 20 rows, and Back shows the first 20 at the top.
test('a long list keeps its place', async () => {
  const email = 'many@example.com';
  const { who, page } = await signedInAndAgreed(email, { path: '/settings' });
  const token = await server.session(email);
  for (let made = 0; made < 8; made += 1) {
    const keys = Array.from({ length: 15 }, (_, at) => ({ name: `key ${String(made * 15 + at).padStart(3, '0')}`, scopes: ['read'], environment: 'live' }));
    await Promise.all(keys.map((body) => server.call('POST', '/v1/bff/keys', { token, body })));
  }
  await page.getByRole('link', { name: 'Keys' }).click();
  const rows = page.locator('tbody tr');
  await counts(rows, 50);
  await page.getByRole('button', { name: 'Show more' }).click();
  await counts(rows, 121);
  await shows(page.getByText('Showing all 121.'));
  // Far from the end of the page: a revoked key's row is a little lower, and at the end the page would move by that much.
  const row = page.locator('tr', { hasText: 'key 025' });
  await row.getByRole('button', { name: /^Revoke/ }).click();
  const before = await page.evaluate(() => scrollY);
  assert.ok(before > 2000, `${before}`);
  await page.getByRole('button', { name: 'Revoke key', exact: true }).click();
  await shows(row.locator('.badge', { hasText: 'revoked' }));
  await counts(rows, 121);
  assert.equal(await page.evaluate(() => scrollY), before);
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await shows(heading(page, 'Webhooks'));
  await page.goBack();
  await counts(rows, 121);
  await page.waitForFunction((before) => scrollY === before, before);
  await page.getByLabel('Search keys by name').fill('KEY 09');
  await counts(rows, 10);
  await who.done();
});

// Negative control: with a key for each attempt the text is spoken, and charged, twice.
test('what was asked for and whose answer was lost counts once when it is asked for again', async () => {
  const email = 'lost@example.com';
  const wire = await BreakingWire.start(server, '/v1/bff/tts:synthesize');
  const { who, page } = await signedInAndAgreed(email, { path: '/try', options: { baseURL: wire.url, alsoOurs: [wire.url] } });
  const text = page.getByRole('textbox', { name: 'Text', exact: true });
  const speak = page.getByRole('button', { name: 'Speak', exact: true });
  await text.fill('Otters.');
  await speak.click();
  await shows(page.getByText('cannot be reached'));
  await speak.click();
  await shows(page.getByText(/7 characters, 7 credits/));
  const charges = async () => {
    const { body } = await server.call('GET', '/v1/bff/credits/transactions', { token: await server.session(email) });
    return body.data.filter((row) => row.kind === 'charge').map((row) => row.credits);
  };
  assert.deepEqual(await charges(), [-7]);
  // Said again after an answer, or changed, it is something new.
  await Promise.all([page.waitForResponse(/synthesize/), speak.click()]);
  await text.fill('Otters!!');
  await speak.click();
  await shows(page.getByText(/8 characters, 8 credits/));
  assert.deepEqual(await charges(), [-8, -7, -7]);
  await who.done();
  wire.stop();
});

// Negative control: with a key for each attempt the purchase is noted twice.
test('a purchase and a key whose answers were lost are there once', async () => {
  const wires = {};
  for (const path of ['/v1/bff/purchases', '/v1/bff/keys']) wires[path] = await BreakingWire.start(server, path);
  const email = 'lost-too@example.com';
  await server.account(email, 0);
  await server.admin('consent', 'accept', '--account', email);
  const at = async (path, page_path) => {
    const wire = wires[path];
    const who = await visitor(browser, server, { baseURL: wire.url, alsoOurs: [wire.url] });
    const page = await who.context.newPage();
    await page.goto(`/sign-in?next=${page_path}`);
    await signIn(page, email);
    return { who, page };
  };
  const shop = await at('/v1/bff/purchases', '/credits');
  const buy = shop.page.getByRole('button', { name: /: 100,000 credits/ });
  await buy.click();
  await shows(shop.page.getByText('cannot be reached'));
  await buy.click();
  await shows(shop.page.getByText(/Requested 100,000 credits/));
  await counts(shop.page.getByRole('button', { name: /^Withdraw/ }), 1);
  await shop.who.done();
  const desk = await at('/v1/bff/keys', '/keys');
  await desk.page.getByRole('button', { name: 'Create a key' }).click();
  await desk.page.getByLabel('Name').fill('reports');
  await desk.page.getByLabel('Expires').selectOption('30');
  const make = desk.page.getByRole('button', { name: 'Create key' });
  await make.click();
  await shows(desk.page.getByText('cannot be reached'));
  await make.click();
  assert.match(await desk.page.getByLabel(/^Key “/).inputValue(), /^svc_live_/);
  await desk.page.getByRole('button', { name: 'I have copied it' }).click();
  await counts(desk.page.getByRole('button', { name: 'Revoke reports' }), 1);
  await desk.who.done();
  for (const wire of Object.values(wires)) {
    assert.equal(wire.broken, 1);
    wire.stop();
  }
});

test('audio at another origin is played and downloaded', async () => {
  // Signed URLs begin with the server's own address; the pages are opened at the wire's.
  const wire = await BreakingWire.start(server, '/nothing');
  const { who, page } = await signedInAndAgreed('elsewhere@example.com', { path: '/try', options: { baseURL: wire.url, alsoOurs: [wire.url] } });
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Otters swim.');
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await shows(page.locator('.spoken-text mark'));
  const link = page.getByRole('link', { name: 'Download MP3' });
  assert.ok((await link.getAttribute('href')).startsWith(`${server.url}/media/`));
  // A storage that lets no page read it: the audio opens in a tab of its own.
  const isOwnTab = (request) => request.isNavigationRequest() && request.url().startsWith(`${server.url}/media/`);
  await Promise.all([who.context.waitForEvent('request', { predicate: isOwnTab }), link.click()]);
  await shows(heading(page, 'Try it'));
  // One that does: it is saved under its name.
  await page.route(`${server.url}/media/**`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, headers: { ...answer.headers(), 'access-control-allow-origin': '*' } });
  });
  const [saved] = await Promise.all([page.waitForEvent('download'), link.click()]);
  assert.equal(saved.suggestedFilename(), 'lectern.mp3');
  assert.ok((await readFile(await saved.path())).length > 1000);
  await who.done();
  wire.stop();
});

test('a purchase in the address that is nobody\'s leaves the page whole', async () => {
  const { who, page } = await signedInAndAgreed('stranger@example.com', { path: '/credits?purchase=pur_0&result=paid' });
  await shows(page.getByText('does not belong to this account'));
  await shows(page.getByRole('heading', { name: 'Ledger' }));
  await who.done();
});

test('a purchase that the operator approves becomes credits', async () => {
  const { who, page } = await signedInAndAgreed('manual@example.com', { path: '/credits', credits: 0 });
  await page.getByRole('button', { name: /100,000 credits/ }).click();
  await shows(page.getByText(/Requested 100,000 credits/));
  const [purchase] = await server.admin('purchases', 'list', '--status', 'pending');
  await server.admin('purchases', 'approve', purchase.id);
  await server.admin('purchases', 'approve', purchase.id);
  await page.reload();
  await shows(page.locator('.badge', { hasText: 'paid' }));
  await shows(page.locator('dd', { hasText: '100,000' }));
  await who.done();
});

test('at Stripe a payment comes through, is declined, or is left; one is booked by hand and one withdrawn', async () => {
  const stripe = await StripeStandIn.start();
  const shop = await Server.start(stripe.settings);
  try {
    await shop.account('payer@example.com', 0);
    const who = await visitor(browser, shop, { alsoOurs: [stripe.base] });
    const page = await who.context.newPage();
    await page.goto('/sign-in?next=/credits');
    await signIn(page, 'payer@example.com');
    for (const [presses, said, balance] of [
      [['Back'], 'You left the checkout without paying', '0'],
      [['Pay with a card that is declined', 'Try another card', 'Back'], 'You left the checkout without paying', '0'],
      [['Pay from a bank account that is empty'], 'The payment was declined', '0'],
      [['Pay with a card that is declined', 'Try another card', 'Pay'], 'Thank you. 100,000 credits have been added', '100,000'],
    ]) {
      await page.getByRole('button', { name: /: 100,000 credits/ }).click();
      for (const press of presses) await page.getByRole('link', { name: press, exact: true }).click();
      await shows(page.getByText(said));
      await shows(page.locator('.figure', { hasText: 'Available' }).getByText(balance, { exact: true }));
    }
    // The operator looks at Stripe what a purchase stands for there, and books by hand what no event reported.
    const [left, other] = await shop.admin('purchases', 'list', '--status', 'pending');
    assert.match(left.provider_reference, /^cs_test_/);
    await assert.rejects(shop.admin('purchases', 'approve', left.id), /--provider stripe/);
    assert.equal((await shop.admin('purchases', 'approve', left.id, '--provider', 'stripe')).status, 'paid');
    await page.goto('/credits');
    await shows(page.locator('dd', { hasText: '200,000' }));
    // And the owner withdraws what is not wanted any more.
    await page.getByRole('button', { name: /^Withdraw/ }).click();
    await page.getByRole('button', { name: 'Withdraw purchase' }).click();
    await shows(page.locator('tr', { hasText: other.id }).locator('.badge', { hasText: 'cancelled' }));
    await counts(page.getByRole('button', { name: /^Withdraw/ }), 0);
    await who.done();
  } finally {
    await shop.stop();
    stripe.stop();
  }
});

test('the keyboard alone is enough', async () => {
  const email = 'keyboard@example.com';
  await server.account(email);
  await server.admin('consent', 'accept', '--account', email);
  const who = await visitor(browser, server);
  const page = await who.context.newPage();
  await page.goto('/sign-in');
  await shows(heading(page, 'Sign in'));
  const tabTo = async (text) => {
    for (let steps = 0; steps < 60; steps += 1) {
      await page.keyboard.press('Tab');
      const here = await page.evaluate(() => {
        const at = document.activeElement;
        return (at?.labels?.[0]?.textContent ?? at?.textContent ?? '').trim();
      });
      if (here.startsWith(text)) return;
    }
    throw new Error(`Tab does not reach ${text}`);
  };
  await tabTo('Email address');
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await shows(heading(page, 'Overview'));
  // Negative control: with the link taken for one to another page the focus stays on it, and the next stop is the logo.
  await tabTo('Skip to content');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.id === 'content');
  await page.keyboard.press('Tab');
  assert.ok(await page.evaluate(() => document.activeElement?.closest('#content') !== null), 'the menu was not skipped');
  await page.reload();
  await shows(heading(page, 'Overview'));
  await tabTo('Keys');
  await page.keyboard.press('Enter');
  await shows(heading(page, 'Keys'));
  await tabTo('Create a key');
  await page.keyboard.press('Enter');
  await shows(page.getByRole('dialog'));
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // On a phone the menu lies over the page, and Esc closes it.
  await page.setViewportSize({ width: 360, height: 740 });
  const opener = page.getByRole('button', { name: 'Menu' });
  const place = () => heading(page, 'Keys').boundingBox();
  const before = await place();
  await opener.press('Enter');
  await shows(page.getByRole('button', { name: 'Sign out' }));
  assert.deepEqual(await place(), before, 'the menu moves the page');
  await page.keyboard.press('Escape');
  assert.ok(await page.getByRole('button', { name: 'Sign out' }).isHidden());
  assert.ok(await opener.evaluate((button) => button === document.activeElement));
  // An address that is none is a page of ours; a link within a page keeps what follows the question mark.
  const answer = await page.goto('/nothing-here');
  assert.equal(answer.status(), 404);
  await shows(heading(page, 'Page not found'));
  await who.context.clearCookies();
  await page.goto('/sign-in?next=/keys');
  await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
  await signIn(page, email);
  await shows(heading(page, 'Keys'));
  await who.done();
});

test('an endpoint is added, tried, looked at, rotated and deleted', async () => {
  const { who, page } = await signedInAndAgreed('hooks@example.com', { path: '/webhooks' });
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const add = async (url) => {
    await page.getByLabel('URL').fill(url);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
  };
  await add('https://127.0.0.1/hook');
  await shows(page.getByRole('alert'));
  await add('https://127.0.0.2:8443/hook');
  await shows(page.getByRole('alert'));
  await page.getByLabel('URL').fill('https://127.0.0.3:8443/hook');
  await page.getByRole('button', { name: 'Cancel' }).click();
  const inside = await Server.start({ LECTERN_WEBHOOKS__ALLOWED_NETWORKS: '127.0.0.0/8' });
  await inside.account('hooks@example.com');
  const insider = await visitor(browser, inside);
  const other = await insider.context.newPage();
  await other.goto('/sign-in?next=/webhooks');
  await signIn(other, 'hooks@example.com');
  await other.getByRole('button', { name: 'Add endpoint' }).click();
  // Nobody listens there: each attempt fails, which is what is to be seen.
  await other.getByLabel('URL').fill('https://127.0.0.9:8443/hook');
  await other.getByRole('button', { name: 'Add', exact: true }).click();
  assert.match(await other.getByRole('textbox', { name: 'Secret', exact: true }).inputValue(), /^whsec_/);
  await other.getByRole('button', { name: 'I have copied it' }).click();
  await other.getByRole('link', { name: 'https://127.0.0.9:8443/hook' }).click();
  await other.getByRole('button', { name: 'Send a test event' }).click();
  await shows(other.locator('.badge', { hasText: 'failed' }));
  await other.getByRole('button', { name: /^Details/ }).click();
  await shows(other.getByRole('dialog').getByRole('listitem'));
  await other.getByRole('button', { name: 'Retry now' }).click();
  await shows(other.getByText('Retrying now.'));
  await other.getByRole('button', { name: 'Rotate secret' }).click();
  await other.getByRole('button', { name: 'Rotate', exact: true }).click();
  assert.match(await other.getByRole('textbox', { name: 'Secret', exact: true }).inputValue(), /^whsec_/);
  await other.getByRole('button', { name: 'I have copied it' }).click();
  await other.getByRole('button', { name: 'Delete', exact: true }).click();
  await other.getByRole('button', { name: 'Delete endpoint' }).click();
  await shows(other.getByText('No endpoints yet'));
  await other.getByRole('link', { name: 'Credits' }).click();
  await other.getByLabel(/Warn me below/).fill('5000');
  await other.getByRole('button', { name: 'Save' }).click();
  await shows(other.getByText('fewer than 5,000 credits'));
  await insider.done();
  await inside.stop();
  await who.done();
});

// Negative control: with the answer as `{@html}` its words are not to be read as text.
test('what an endpoint answers stays text, and a long list of deliveries stays as long as it is', async () => {
  const words = `<img src=x onerror=alert(1)><script>alert(2)</script>${'é'.repeat(2000)}`;
  const receiver = await Receiver.start(server.folder, 500, words);
  const inside = await Server.start({ LECTERN_WEBHOOKS__ALLOWED_NETWORKS: '127.0.0.0/8', LECTERN_WEBHOOKS__EXTRA_CA_FILE: receiver.ca });
  try {
    const email = 'answers@example.com';
    await inside.account(email);
    const token = await inside.session(email);
    const { body: hook } = await inside.call('POST', '/v1/bff/webhooks', { token, body: { url: receiver.url, events: ['chunk.completed'] } });
    for (let time = 0; time < 55; time += 1) await inside.call('POST', `/v1/bff/webhooks/${hook.id}/test`, { token, body: {} });
    // What is looked at is the newest, once it has been tried.
    const newest = async () => (await inside.call('GET', `/v1/bff/webhooks/${hook.id}/deliveries?limit=1`, { token })).body.data[0];
    for (let tries = 0; tries < 200 && !(await newest()).attempt_count; tries += 1) await new Promise((resolve) => setTimeout(resolve, 100));
    const who = await visitor(browser, inside);
    const page = await who.context.newPage();
    await page.goto(`/sign-in?next=/webhooks/${hook.id}`);
    await signIn(page, email);
    await page.getByRole('button', { name: /^Details/ }).first().click();
    await shows(page.getByRole('dialog').getByText('<img src=x onerror=alert(1)><script>'));
    assert.equal(await page.locator('dialog img, dialog script').count(), 0);
    assert.ok((await page.locator('dialog pre').first().textContent()).length <= 1024);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Show more' }).click();
    const rows = page.locator('tbody tr');
    await counts(rows, 55);
    // What is new is added, and nothing of what was shown goes away.
    const announced = page.getByRole('status').filter({ hasText: 'A test event is on its way.' });
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await announced.waitFor();
    // It can be pressed again when the list has been looked at anew.
    await shows(page.locator('button:enabled', { hasText: 'Send a test event' }));
    await counts(rows, 56);
    await who.done();
  } finally {
    await inside.stop();
    receiver.stop();
  }
});

test('a password is changed and the other sessions end', async () => {
  const email = 'settings@example.com';
  const { who, page } = await signedInAndAgreed(email, { path: '/settings' });
  const token = await server.session(email);
  await page.getByLabel('Current password').fill('wrong');
  await page.getByLabel('New password').fill('eleven green bottles on a wall');
  await page.getByRole('button', { name: 'Change password' }).click();
  await shows(page.getByText('This is not your current password.'));
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  await shows(page.getByText('Your password has been changed'));
  assert.equal((await server.call('GET', '/v1/bff/me', { token })).status, 401);
  await shows(page.getByText('This session'));
  await who.done();
});
