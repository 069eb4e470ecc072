// People on their ways through the application, on the real server, in a real browser.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { counts, heading, launch, shows, signIn, visitor } from './browser.js';
import { BreakingWire, freePort, PASSWORD, Receiver, Server, stopAll, StripeStandIn } from './server.js';

const BOOK = new URL('../../docs/examples/the-lantern-keeper.epub', import.meta.url).pathname;
let browser;
let server;

before(async () => {
  [browser, server] = await Promise.all([launch(), Server.start()]);
});
after(stopAll);

/** An account, and a page on which it is signed in. */
async function signedIn(email, { path = '/', credits, options } = {}) {
  const invited = await server.account(email, credits);
  const who = await visitor(browser, server, options);
  const page = await who.context.newPage();
  await page.goto(`/sign-in?next=${encodeURIComponent(path)}`);
  await signIn(page, email);
  await page.waitForURL((url) => url.pathname === path.split('?')[0]);
  return { who, page, invited };
}

test('from an invitation to hearing a chapter and seeing what it cost', async () => {
  const email = 'newcomer@example.com';
  await server.publish('terms', '2026-01', '# Terms\n\nBe kind to the voices.');
  const invited = await server.admin('invite', 'create', '--email', email, '--credits', '50000');
  const who = await visitor(browser, server);
  const page = await who.context.newPage();

  await page.goto(`/register?invite=${invited.invite_token}`);
  await shows(page.getByText(`You are invited as ${email}`));
  assert.ok(!page.url().includes(invited.invite_token), 'the secret stays in the address bar');
  await page.getByLabel('Password', { exact: true }).fill('newcomer1');
  await shows(page.getByText(/requirements not met/));
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await shows(page.getByText(/all requirements met/));
  await page.getByRole('button', { name: 'Register' }).click();
  await shows(heading(page, 'Look into your mail'));

  await page.goto(await server.link(email, 'confirm'));
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await shows(page.getByText('Your address is confirmed'));
  await signIn(page, email);

  await shows(heading(page, 'Terms and privacy'));
  await page.getByLabel(/I have read the terms/).check();
  await page.getByRole('button', { name: 'Agree and go on' }).click();
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
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await shows(page.getByText('Ready to convert'));
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await page.locator('.badge', { hasText: 'Completed' }).first().waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: /^Play/ }).first().click();
  await shows(page.locator('.spoken-text mark'));

  for (const [name, begins] of [['Captions (VTT)', 'WEBVTT'], ['M4B audiobook', '\0\0\0']]) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()]);
    const bytes = await readFile(await download.path());
    assert.equal(bytes.toString('latin1').slice(0, begins.length), begins, name);
  }

  await page.getByRole('link', { name: 'Credits' }).click();
  await shows(heading(page, 'Credits'));
  await shows(page.locator('td', { hasText: 'charge' }));
  const [ledger] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download as CSV' }).click()]);
  assert.match(await readFile(await ledger.path(), 'utf8'), /^id,created_at,kind,credits,balance_after,reference\r\n/);
  await page.getByRole('link', { name: 'Overview' }).click();
  await shows(page.getByRole('link', { name: /Lantern/ }));
  await who.done();
  await server.admin('consent', 'accept', '--account', email);
});

test('the demo leads from the invitation that it prints to a chapter, without a terminal', async () => {
  const demo = await Server.start({}, ['--demo']);
  const who = await visitor(browser, demo);
  const page = await who.context.newPage();

  await page.goto(await demo.prints(/http:\S+\/register\?invite=\S+/));
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Register' }).click();
  await shows(heading(page, 'Look into your mail'));
  await page.goto(await demo.prints(/http:\S+\/confirm\?token=\S+/));
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await shows(page.getByText('Your address is confirmed'));
  await signIn(page, 'guest@lectern.example');

  await shows(heading(page, 'Terms and privacy'));
  const boxes = page.getByLabel(/I have read/);
  await shows(boxes);
  for (const box of await boxes.all()) await box.check();
  await page.getByRole('button', { name: 'Agree and go on' }).click();
  await shows(heading(page, 'Overview'));
  await page.getByRole('link', { name: 'Materials' }).click();
  await page.getByLabel('File to upload').setInputFiles(BOOK);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
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
  await page.getByText('Read the whole terms of use as it is now').click();
  const whole = page.getByRole('region', { name: 'Text of the terms of use' });
  await shows(whole.getByText('Be kind to the voices and to each other.'));
  assert.equal(await page.locator('.paper script, .paper a').count(), 0, 'a document became HTML');
  await page.getByLabel(/I have read the terms/).check();
  await page.getByRole('button', { name: 'Agree and go on' }).click();
  await shows(heading(page, 'Keys'));
  assert.equal((await me()).status, 200);
  await who.done();
});

async function signedInAndAgreed(email, rest) {
  const invited = await server.account(email, rest?.credits);
  await server.admin('consent', 'accept', '--account', email);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const who = await visitor(browser, server, rest?.options);
  const page = await who.context.newPage();
  const path = rest?.path ?? '/';
  await page.goto(`/sign-in?next=${encodeURIComponent(path)}`);
  await signIn(page, email);
  await page.waitForURL((url) => url.pathname === path.split('?')[0]);
  return { who, page, invited };
}

test('a forgotten password is set anew by the link in the mail, once', async () => {
  const email = 'forgetful@example.com';
  await server.account(email);
  const who = await visitor(browser, server);
  const page = await who.context.newPage();
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Forgotten your password?' }).click();
  // Both pages have a field of that name.
  await shows(heading(page, 'Forgotten password'));
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await shows(page.getByText('a mail with a link is on its way'));
  const link = await server.link(email, 'reset');
  const set = async () => {
    await page.goto(link);
    await page.getByLabel('New password').fill('eleven green bottles on a wall');
    await page.getByRole('button', { name: 'Set the password' }).click();
  };
  await set();
  await shows(page.getByText('Your password is changed'));
  await set();
  await shows(page.getByText(/was used before/));
  await page.getByRole('link', { name: 'Ask for another link' }).click();
  await page.goto('/sign-in');
  await signIn(page, email);
  await shows(page.getByText('Address or password is wrong.'));
  await who.done();
});

test('an invitation or a confirmation that was used before says so', async () => {
  const email = 'twice@example.com';
  const invited = await server.account(email);
  const who = await visitor(browser, server);
  const page = await who.context.newPage();
  await page.goto(`/register?invite=${invited.invite_token}`);
  await shows(page.getByText('This invitation cannot be used'));
  const link = await server.link(email, 'confirm');
  for (const said of ['Your address is confirmed', 'was used before']) {
    await page.goto(link);
    await page.getByRole('button', { name: 'Confirm my address' }).click();
    await shows(page.getByText(new RegExp(said)));
  }
  await who.done();
});

// Negative control: with the header X-Lectern-CSRF left out of the client the key is refused, and this fails.
test('a key is made, shown once, used and revoked; the last that may manage keys is kept', async () => {
  const { who, page } = await signedInAndAgreed('keys@example.com', { path: '/keys' });
  await page.getByRole('switch').click();
  await shows(page.getByText('Test: what you do here costs nothing'));
  await page.getByRole('button', { name: 'Make a key' }).click();
  await page.getByLabel('Name').fill('<b>reports</b>');
  await page.getByLabel(/synthesize, upload/).uncheck();
  await page.getByLabel('Expires').selectOption('30');
  await page.getByRole('button', { name: 'Make the key' }).click();
  const secret = await page.getByLabel(/^Key “/).inputValue();
  assert.match(secret, /^svc_test_[0-9A-Za-z]{49}$/);
  assert.equal((await server.call('GET', '/v1/saas/me', { token: secret })).status, 200);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await counts(page.getByLabel(/^Key “/), 0);
  const typed = await page.locator('input, textarea').evaluateAll((fields) => fields.map((field) => field.value));
  assert.ok(![await page.content(), ...typed].some((text) => text.includes(secret)), 'the secret is still in the page');
  const revoke = async (name) => {
    await page.getByRole('button', { name: `Revoke ${name}` }).click();
    await page.getByRole('button', { name: 'Revoke it' }).click();
  };
  await revoke('<b>reports</b>');
  await shows(page.locator('.badge', { hasText: 'revoked' }));
  assert.equal((await server.call('GET', '/v1/saas/me', { token: secret })).body.error.code, 'api_key_revoked');
  await revoke('First test key');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('switch').click();
  await revoke('First live key');
  await shows(page.getByText("only active key that may manage keys"));
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
  await other.getByRole('button', { name: 'Make a key' }).click();
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
  await shows(page.getByText('Address or password is wrong.'));
  await signIn(page, email);
  // What was asked for goes on by itself.
  await shows(page.getByText(/12 characters, 12 credits/));
  assert.equal(await page.getByRole('textbox', { name: 'Text', exact: true }).inputValue(), 'Four otters.');
  // The other tab has the new session, and its own text.
  assert.equal(await other.getByLabel('Name').inputValue(), 'half a na');
  await other.getByRole('button', { name: 'Make the key' }).click();
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
  await shows(heading(page, 'The service cannot answer now'));
  await page.unroute('**/v1/bff/me');
  await page.getByRole('button', { name: 'Load again' }).click();
  await shows(heading(page, 'Keys'));
  await who.done();
});

test('ending one\'s own session in the settings ends it in every tab', async () => {
  const { who, page } = await signedInAndAgreed('ender@example.com', { path: '/settings' });
  const other = await who.context.newPage();
  await other.goto('/keys');
  await shows(heading(other, 'Keys'));
  await page.locator('li', { hasText: 'This one' }).getByRole('button', { name: /^Sign out/ }).click();
  await shows(heading(page, 'Sign in'));
  await shows(heading(other, 'Sign in'));
  await who.done();
});

// Negative control: against a server that answers `invalid_credentials` to another origin, the first is not told where to go.
test('where browsers keep no session the sign-in says why', async () => {
  const far = await launch('--host-resolver-rules=MAP lectern.test 127.0.0.1');
  const port = await freePort();
  const named = await Server.start({ LECTERN_HTTP__LISTEN: `127.0.0.1:${port}`, LECTERN_HTTP__PUBLIC_URL: `http://lectern.test:${port}` });
  try {
    for (const [there, said] of [[server, `people sign in to this service at ${server.url}`], [named, 'your browser did not keep the session']]) {
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
  await shows(other.getByText('Keys of the test environment'));
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
  await page.getByRole('status').filter({ hasText: 'Loading' }).first().waitFor({ state: 'attached' });
  await shows(page.getByRole('heading', { name: 'Ledger' }));
  await wire.send('Network.emulateNetworkConditions', { offline: true, latency: 0, downloadThroughput: 0, uploadThroughput: 0 });
  await page.getByRole('link', { name: 'Keys' }).click();
  await shows(page.getByText(/cannot be reached/));
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
  await page.getByLabel('File to upload').setInputFiles(file);
  await page.getByLabel('Title').fill('<img src=x onerror=alert(2)>');
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await shows(page.getByText('The upload was cut off'));
  await page.getByRole('button', { name: 'Try the upload again' }).click();
  await shows(heading(page, '<img src=x onerror=alert(2)>'));
  await page.getByRole('link', { name: 'All materials' }).click();
  await shows(page.getByRole('link', { name: '<img src=x' }));
  await counts(page.locator('tbody tr'), 1, 'the upload counted twice');
  await page.getByRole('link', { name: '<img src=x' }).click();
  await page.getByRole('button', { name: 'Delete this material' }).click();
  await page.getByRole('button', { name: 'Delete it' }).click();
  await shows(page.getByText('Nothing here yet'));
  await page.getByLabel('File to upload').setInputFiles({ name: 'book.epub', mimeType: 'application/epub+zip', buffer: Buffer.from([0, 1, 2, 255, 254, 0, 7]) });
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await shows(page.getByRole('alert'));
  await who.done();
  assert.equal(wire.broken, 1);
  wire.stop();
});

// Negative control: with one key for a file, whatever its title, the second attempt is refused as another request.
test('an upload whose answer was lost can be sent again under another title', async () => {
  const wire = await BreakingWire.start(server, '/v1/bff/materials');
  const { who, page } = await signedInAndAgreed('retitled@example.com', { path: '/materials', options: { baseURL: wire.url, alsoOurs: [wire.url] } });
  await page.getByLabel('File to upload').setInputFiles({ name: 'otters.txt', mimeType: 'text/plain', buffer: Buffer.from('Otters swim. '.repeat(9)) });
  await page.getByLabel('Title').fill('Oters');
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await shows(page.getByText('The upload was cut off'));
  // It came through all the same, and the list says so.
  await shows(page.getByRole('link', { name: 'Oters' }));
  await page.getByLabel('Title').fill('Otters');
  await page.getByRole('button', { name: 'Try the upload again' }).click();
  await shows(heading(page, 'Otters'));
  await who.done();
  wire.stop();
});

test('a file is dropped on the page and uploaded', async () => {
  const { who, page } = await signedInAndAgreed('dropper@example.com', { path: '/materials' });
  const drop = page.getByRole('group', { name: 'File' });
  const dragged = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['A short text about otters. '.repeat(20)], 'dropped.txt', { type: 'text/plain' }));
    return transfer;
  });
  await drop.dispatchEvent('dragover', { dataTransfer: dragged });
  await shows(page.locator('.drop.over'));
  await drop.dispatchEvent('drop', { dataTransfer: dragged });
  await shows(page.getByText('dropped.txt'));
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await shows(page.getByText('Ready to convert'));
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
  await shows(shop.page.getByText(/Asked for 100,000 credits/));
  await counts(shop.page.getByRole('button', { name: /^Withdraw/ }), 1);
  await shop.who.done();
  const desk = await at('/v1/bff/keys', '/keys');
  await desk.page.getByRole('button', { name: 'Make a key' }).click();
  await desk.page.getByLabel('Name').fill('reports');
  await desk.page.getByLabel('Expires').selectOption('30');
  const make = desk.page.getByRole('button', { name: 'Make the key' });
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
  // A storage that lets no page read it: the audio opens beside.
  const isBeside = (request) => request.isNavigationRequest() && request.url().startsWith(`${server.url}/media/`);
  await Promise.all([who.context.waitForEvent('request', { predicate: isBeside }), link.click()]);
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
  await shows(page.getByText('is not one of this account'));
  await shows(page.getByRole('heading', { name: 'Ledger' }));
  await who.done();
});

test('a purchase that the operator approves becomes credits', async () => {
  const { who, page } = await signedInAndAgreed('manual@example.com', { path: '/credits', credits: 0 });
  await page.getByRole('button', { name: /100,000 credits/ }).click();
  await shows(page.getByText(/Asked for 100,000 credits/));
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
      [['Back'], 'You came back without paying', '0'],
      [['Pay with a card that is declined', 'Try another card', 'Back'], 'You came back without paying', '0'],
      [['Pay from a bank account that is empty'], 'The payment was declined', '0'],
      [['Pay with a card that is declined', 'Try another card', 'Pay'], 'Thank you: 100,000 credits are yours', '100,000'],
    ]) {
      await page.getByRole('button', { name: /: 100,000 credits/ }).click();
      for (const press of presses) await page.getByRole('link', { name: press, exact: true }).click();
      await shows(page.getByText(said));
      await shows(page.locator('.figure', { hasText: 'Available' }).getByText(balance, { exact: true }));
    }
    // The operator looks at Stripe what a purchase stands for there, and books by hand what its event never told.
    const [left, other] = await shop.admin('purchases', 'list', '--status', 'pending');
    assert.match(left.provider_reference, /^cs_test_/);
    await assert.rejects(shop.admin('purchases', 'approve', left.id), /--provider stripe/);
    assert.equal((await shop.admin('purchases', 'approve', left.id, '--provider', 'stripe')).status, 'paid');
    await page.goto('/credits');
    await shows(page.locator('dd', { hasText: '200,000' }));
    // And the owner withdraws what is not wanted any more.
    await page.getByRole('button', { name: /^Withdraw/ }).click();
    await page.getByRole('button', { name: 'Withdraw it' }).click();
    await shows(page.locator('tr', { hasText: other.id }).locator('.badge', { hasText: 'given up' }));
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
  await tabTo('E-mail address');
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await shows(heading(page, 'Overview'));
  await tabTo('Skip to the content');
  await tabTo('Keys');
  await page.keyboard.press('Enter');
  await shows(heading(page, 'Keys'));
  await tabTo('Make a key');
  await page.keyboard.press('Enter');
  await shows(page.getByRole('dialog'));
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await who.done();
});

test('an endpoint is added, tried, looked at, rotated and deleted', async () => {
  const { who, page } = await signedInAndAgreed('hooks@example.com', { path: '/webhooks' });
  await page.getByRole('button', { name: 'Add an endpoint' }).click();
  const add = async (url) => {
    await page.getByLabel('Address').fill(url);
    await page.getByRole('button', { name: 'Add it' }).click();
  };
  await add('https://127.0.0.1/hook');
  await shows(page.getByRole('alert'));
  await add('https://127.0.0.2:8443/hook');
  await shows(page.getByRole('alert'));
  await page.getByLabel('Address').fill('https://127.0.0.3:8443/hook');
  await page.getByRole('button', { name: 'Cancel' }).click();
  const inside = await Server.start({ LECTERN_WEBHOOKS__ALLOWED_NETWORKS: '127.0.0.0/8' });
  await inside.account('hooks@example.com');
  const insider = await visitor(browser, inside);
  const other = await insider.context.newPage();
  await other.goto('/sign-in?next=/webhooks');
  await signIn(other, 'hooks@example.com');
  await other.getByRole('button', { name: 'Add an endpoint' }).click();
  // Nobody listens there: each attempt fails, which is what is to be seen.
  await other.getByLabel('Address').fill('https://127.0.0.9:8443/hook');
  await other.getByRole('button', { name: 'Add it' }).click();
  assert.match(await other.getByRole('textbox', { name: 'Secret', exact: true }).inputValue(), /^whsec_/);
  await other.getByRole('button', { name: 'I have copied it' }).click();
  await other.getByRole('link', { name: 'https://127.0.0.9:8443/hook' }).click();
  await other.getByRole('button', { name: 'Send a test event' }).click();
  await shows(other.locator('.badge', { hasText: 'failed' }));
  await other.getByRole('button', { name: /^Look/ }).click();
  await shows(other.getByRole('dialog').getByRole('listitem'));
  await other.getByRole('button', { name: 'Retry now' }).click();
  await shows(other.getByText('It is tried again now.'));
  await other.getByRole('button', { name: 'Rotate the secret' }).click();
  await other.getByRole('button', { name: 'Rotate it' }).click();
  assert.match(await other.getByRole('textbox', { name: 'Secret', exact: true }).inputValue(), /^whsec_/);
  await other.getByRole('button', { name: 'I have copied it' }).click();
  await other.getByRole('button', { name: 'Delete', exact: true }).click();
  await other.getByRole('button', { name: 'Delete it' }).click();
  await shows(other.getByText('No endpoint yet'));
  await other.getByRole('link', { name: 'Credits' }).click();
  await other.getByLabel(/Tell me below/).fill('5000');
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
    for (let time = 0; time < 25; time += 1) await inside.call('POST', `/v1/bff/webhooks/${hook.id}/test`, { token, body: {} });
    // What is looked at is the newest, once it has been tried.
    const newest = async () => (await inside.call('GET', `/v1/bff/webhooks/${hook.id}/deliveries?limit=1`, { token })).body.data[0];
    for (let tries = 0; tries < 200 && !(await newest()).attempt_count; tries += 1) await new Promise((resolve) => setTimeout(resolve, 100));
    const who = await visitor(browser, inside);
    const page = await who.context.newPage();
    await page.goto(`/sign-in?next=/webhooks/${hook.id}`);
    await signIn(page, email);
    await page.getByRole('button', { name: /^Look/ }).first().click();
    await shows(page.getByRole('dialog').getByText('<img src=x onerror=alert(1)><script>'));
    assert.equal(await page.locator('dialog img, dialog script').count(), 0);
    assert.ok((await page.locator('dialog pre').first().textContent()).length <= 1024);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Show more' }).click();
    const rows = page.locator('tbody tr');
    await rows.nth(24).waitFor();
    // What is new is looked at, and nothing of what was shown goes away.
    const told = page.getByRole('status').filter({ hasText: 'A test event is on its way.' });
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await told.waitFor();
    // It can be pressed again when the list has been looked at anew.
    await shows(page.locator('button:enabled', { hasText: 'Send a test event' }));
    assert.equal(await rows.count(), 25);
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
  await page.getByLabel('Password until now').fill('wrong');
  await page.getByLabel('New password').fill('eleven green bottles on a wall');
  await page.getByRole('button', { name: 'Change the password' }).click();
  await shows(page.getByText('This is not your password.'));
  await page.getByLabel('Password until now').fill(PASSWORD);
  await page.getByRole('button', { name: 'Change the password' }).click();
  await shows(page.getByText('Your password is changed'));
  assert.equal((await server.call('GET', '/v1/bff/me', { token })).status, 401);
  await shows(page.getByText('This one'));
  await who.done();
});
