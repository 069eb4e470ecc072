// The page of all voices, and the choice of a voice elsewhere: on a real server in a real browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';

import { expectCount, expectText, expectVisible, heading, launch, signInWithConsent } from './browser.js';
import { Server, stopAll } from './server.js';

let browser;
let server;
/** A server with the two voices of a new store. */
let small;

/** Voices besides Heart and Alma: name, languages, gender, price, tier and description. Those that do not speak English only have no engine here. */
const VOICES = [
  ['Émile', 'fr-FR', 'male', 4, 'free', 'Calm and close.'],
  ['Dora', 'es', 'female', 4, 'free', 'Bright and quick.'],
  ['Sara', 'it', 'female', 3, 'free', 'Warm and slow.'],
  ['Alpha', 'ja', 'female', 3, 'free', ''],
  ['Yunxi', 'zh', 'male', 3, 'standard', ''],
  ['Santa', 'pt-BR', 'male', 3, 'free', ''],
  ['Omega', 'hi', 'male', 3, 'free', ''],
  ['George', 'en-GB', 'male', 4, 'free', 'Deep and warm.'],
  ['Robin', 'en-US', 'female', 2, 'free', 'Another Heart.'],
];

before(async () => {
  [browser, server, small] = await Promise.all([launch(), Server.start(), Server.start()]);
  for (const [name, language, gender, price, tier, description] of VOICES) {
    const engine = language === 'en-US' ? ['hibari', '--voice', 'heart'] : ['upstream', '--voice', name];
    const slug = name.toLowerCase().replace('é', 'e');
    await server.admin('voices', 'add', '--slug', slug, '--name', name, '--engine', ...engine, '--tier', tier, '--price', String(price), '--language', language, '--gender', gender, '--description', description);
  }
});
after(stopAll);

const open = (email, path, options) => signInWithConsent(browser, server, email, { path, ...options });
const card = (page, name) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });
const names = (page) => page.locator('li h2').allTextContents();
const count = (page) => page.getByRole('status').filter({ hasText: /voice/ }).first();
/** Waits until the page shows these voices in any order. */
async function expectNames(page, expected) {
  await expectCount(page.locator('li h2'), expected.length);
  assert.deepEqual((await names(page)).sort(), [...expected].sort());
}

// Negative controls: with `preload` in the sample's audio element something is fetched; with English names there is no 日本語.
test('a card says what a voice is and costs, and fetches nothing before a button is pressed', async () => {
  const { visitor, page } = await open('cards@example.com', '/voices');
  const samples = [];
  page.on('request', (request) => request.url().includes('/sample') && samples.push(request.url()));
  await expectVisible(heading(page, 'Voices'));
  await expectText(card(page, 'Alpha'), ['日本語 · Female · External provider', '3 credits per character', '300-page book: 1,620,000 credits']);
  await expectText(card(page, 'George'), ['English (UK) · Male', 'Deep and warm.']);
  await expectText(card(page, 'Dora'), ['Español · Female']);
  // Pronounced as its own language by a screen reader.
  await expectVisible(card(page, 'Alpha').locator('bdi[lang=ja]'));
  await expectText(card(page, 'Yunxi'), ['standard tier', 'Needs the standard tier; yours is free.']);
  assert.equal(await card(page, 'Yunxi').getByRole('button', { name: /Say my text|Compare/ }).count(), 0);
  await page.reload();
  await expectCount(page.locator('li h2'), VOICES.length + 2);
  await page.waitForLoadState('networkidle');
  assert.deepEqual(samples, []);
  await visitor.done();
});

test('grades are said in words, and a language on trial is marked', async () => {
  const { visitor, page } = await open('grades@example.com', '/settings');
  const facts = { dora: { grade: 'B' }, emile: { grade: 'A' }, george: { grade: 'D' }, omega: { preview: true, grade: null } };
  await page.route('**/v1/bff/ereaders?*', async (route) => {
    const answer = await route.fetch();
    const page = await answer.json();
    await route.fulfill({ response: answer, json: { ...page, data: page.data.map((voice) => ({ ...voice, grade: 'C', ...facts[voice.slug] })) } });
  });
  await page.goto('/voices');
  await expectText(card(page, 'Émile'), ['Quality: Excellent (A), natural from beginning to end']);
  await expectText(card(page, 'George'), ['Basic (D), understandable']);
  await expectText(card(page, 'Omega'), ['Not graded', 'Preview', "This voice's language is on trial"]);
  assert.equal(await page.locator('.badge', { hasText: 'Preview' }).count(), 1);
  // The best first; Omega has no grade.
  const shown = await names(page);
  assert.deepEqual([shown.slice(0, 2), shown.slice(-2)], [['Émile', 'Dora'], ['George', 'Omega']]);
  await visitor.done();
});

// Negative controls: when a sample does not stop the one before it, two buttons say Stop; without the request for the reason a 503 is
// an error.
test('one sample plays at a time; it says that it loads, waits for one that is being made, and says why it cannot be played', async () => {
  const { visitor, page } = await open('samples@example.com', '/voices');
  const listen = (name) => card(page, name).getByRole('button', { name: new RegExp(`(to|of) ${name}$`) });
  await listen('Heart').click();
  await expectVisible(page.getByRole('button', { name: 'Stop the sample of Heart' }));
  assert.equal(await listen('Heart').getAttribute('aria-pressed'), 'true');
  await listen('Robin').click();
  await expectVisible(page.getByRole('button', { name: 'Stop the sample of Robin' }));
  // At once, and not because it has ended.
  assert.equal(await page.getByRole('button', { name: /^Stop the sample of/ }).count(), 1);
  await listen('Robin').click();
  await expectVisible(page.getByRole('button', { name: 'Listen to Robin' }));

  // Being made: the service says when to ask again.
  let refusals = 2;
  let isBroken = false;
  const refuse = (route, status, code, headers) => route.fulfill({ status, headers, json: { error: { code, message: 'The voice cannot speak now.', request_id: 'req_0' } } });
  await page.route('**/heart/sample?*', (route) => {
    if (isBroken) return refuse(route, 502, 'tts_provider_error');
    refusals -= 1;
    return refusals >= 0 ? refuse(route, 503, 'service_unavailable', { 'Retry-After': '1' }) : route.continue();
  });
  await page.reload();
  await listen('Heart').click();
  await expectVisible(page.getByRole('button', { name: 'Loading the sample of Heart' }));
  await expectVisible(page.getByRole('button', { name: 'Stop the sample of Heart' }));
  assert.ok(refusals < 0);
  isBroken = true;
  await page.reload();
  await listen('Heart').click();
  await expectVisible(card(page, 'Heart').getByRole('alert').getByText('The speech engine failed.'));
  await expectVisible(page.getByRole('button', { name: 'Listen to Heart' }));
  await visitor.done();
});

// Negative controls: with the filters kept outside the address, the shared link and Back show all voices.
test('voices are searched and filtered; the address keeps the choice, and Back undoes it', async () => {
  const { visitor, page } = await open('finder@example.com', '/voices');
  const language = page.getByRole('search').getByLabel('Language', { exact: true });
  await expectText(count(page), [`${VOICES.length + 2} voices`]);
  await page.getByLabel('Search').fill('WARM');
  await expectNames(page, ['Heart', 'Sara', 'George']);
  await expectText(count(page), [`3 of ${VOICES.length + 2} voices`]);
  await expectCount(language.locator('option', { hasText: 'English (UK) (1)' }), 1);
  await language.selectOption('en-GB');
  await expectNames(page, ['George']);
  assert.match(page.url(), /\/voices\?search=WARM&language=en-GB$/);

  const link = page.url();
  const shared = await visitor.context.newPage();
  await shared.goto(link);
  await expectNames(shared, ['George']);
  assert.equal(await shared.getByLabel('Search').inputValue(), 'WARM');
  await shared.close();

  await page.goBack();
  await expectNames(page, ['Heart', 'Sara', 'George']);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expectCount(page.locator('li h2'), VOICES.length + 2);
  // A whole language, a gender, a price.
  await language.selectOption('en');
  await page.getByLabel('Price').selectOption('2');
  await expectNames(page, ['Heart', 'Alma', 'Robin']);
  await page.getByLabel('Engine').selectOption('upstream');
  await expectText(count(page), ['No voice matches']);
  // Which filter to change, and what that would show.
  await page.getByRole('button', { name: 'Without engine “External provider”: 3 voices' }).click();
  await expectNames(page, ['Heart', 'Alma', 'Robin']);
  await page.getByLabel('Gender').selectOption('male');
  await page.getByRole('button', { name: 'Without price “Up to 2 credits”: 1 voice' }).click();
  await expectNames(page, ['George']);
  await visitor.done();
});

// Negative controls: without the request the reloaded page has no favorite; when the error is ignored the star stays.
test('favorites are marked with the keyboard, come first after that, and can be shown alone', async () => {
  const { visitor, page } = await open('stars@example.com', '/voices');
  const star = (name) => page.getByRole('button', { name: `Favorite: ${name}`, exact: true });
  const isPressed = async (name, expected) => {
    await expectVisible(page.locator(`button[aria-pressed="${expected}"]`, { hasText: `Favorite: ${name}` }));
  };
  const saved = () => page.waitForResponse((response) => response.url().includes('/favorite'));
  await star('Sara').focus();
  await Promise.all([saved(), page.keyboard.press('Enter')]);
  await isPressed('Sara', true);
  assert.ok(await star('Sara').evaluate((button) => button === document.activeElement), 'the focus was lost');
  await Promise.all([saved(), star('Omega').click()]);
  await page.reload();
  await isPressed('Sara', true);
  assert.deepEqual((await names(page)).slice(0, 2).sort(), ['Omega', 'Sara']);
  const only = page.getByRole('button', { name: 'Favorites only (2)' });
  await only.click();
  await expectNames(page, ['Omega', 'Sara']);
  assert.match(page.url(), /favorites=1/);
  // The card disappears with its star, so the focus moves to the heading.
  await Promise.all([saved(), star('Omega').press('Space')]);
  await expectNames(page, ['Sara']);
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  await expectText(count(page), ['1 of']);
  await page.route('**/favorite', (route) => route.fulfill({ status: 500, json: { error: { code: 'internal_error', message: 'No.', request_id: 'req_0' } } }));
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await star('Dora').click();
  await expectVisible(card(page, 'Dora').getByRole('alert'));
  await isPressed('Dora', false);
  // Among favorites only the card goes and comes back; it still says why.
  await page.getByRole('button', { name: 'Favorites only (1)' }).click();
  await star('Sara').click();
  await expectVisible(card(page, 'Sara').getByRole('alert'));
  await isPressed('Sara', true);
  // Another account has its own.
  const other = await open('stars-too@example.com', '/voices');
  await expectCount(other.page.locator('li h2'), VOICES.length + 2);
  assert.equal(await other.page.locator('li button[aria-pressed="true"]').count(), 0);
  await other.visitor.done();
  await visitor.done();
});

// Negative controls: with a text of its own in each card the second box is empty; when the environment closes the card there is no box;
// with a speech of its own in each open card, what was said is gone.
test('any card says the own text, which is kept from card to card, after it has said the price', async () => {
  const { visitor, page } = await open('mine@example.com', '/voices');
  const text = page.getByLabel('Your text');
  const say = (name) => page.getByRole('button', { name: `Say my text with ${name}` });
  await say('Heart').click();
  assert.equal(await say('Heart').getAttribute('aria-expanded'), 'true');
  assert.ok(await text.evaluate((box) => box === document.activeElement), 'the text box has no focus');
  assert.ok(await page.getByRole('button', { name: 'Speak', exact: true }).isDisabled(), 'nothing can be spoken');
  await page.keyboard.type('Otters swim.');
  await expectText(card(page, 'Heart'), ['12 of 5,000 characters', '12 credits']);
  await say('Robin').click();
  await expectCount(text, 1);
  assert.equal(await text.inputValue(), 'Otters swim.');
  await expectText(card(page, 'Robin'), ['24 credits']);
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await expectText(card(page, 'Robin'), ['12 characters, 24 credits']);
  await expectVisible(card(page, 'Robin').locator('.spoken-text', { hasText: 'Otters swim.' }));
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download MP3' }).click()]);
  assert.ok((await readFile(await saved.path())).length > 1000);
  // What was paid for is still there when the card is opened again.
  await say('Robin').click();
  await expectCount(text, 0);
  await say('Robin').click();
  await expectVisible(card(page, 'Robin').locator('.spoken-text', { hasText: 'Otters swim.' }));
  // A sample stops the speech, and in the test environment nothing costs anything.
  const isPaused = () => page.locator('audio').evaluate((audio) => audio.paused);
  await page.locator('audio').evaluate((audio) => { audio.loop = true; return audio.play(); });
  await card(page, 'Heart').getByRole('button', { name: 'Listen to Heart' }).click();
  await expectVisible(page.getByRole('button', { name: 'Stop the sample of Heart' }));
  assert.ok(await isPaused(), 'both play');
  const other = await visitor.context.newPage();
  await other.goto('/developers');
  await other.getByRole('switch').click();
  await expectVisible(page.getByText('Test environment: nothing here costs credits'));
  await expectText(card(page, 'Robin'), ['Free in the test environment']);
  assert.equal(await text.inputValue(), 'Otters swim.');
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await expectText(card(page, 'Robin'), ['12 characters, 0 credits']);
  await visitor.done();
});

// Negative control: when the text belongs to nobody, the next account sees it.
test('the own text is kept on other pages, and never shown to another account', async () => {
  const { visitor, page } = await open('first@example.com', '/voices?say=heart');
  await page.getByLabel('Your text').fill('A secret of the otters.');
  await page.getByRole('link', { name: 'Speak', exact: true }).click();
  const text = page.getByRole('textbox', { name: 'Text', exact: true });
  await expectVisible(text);
  assert.equal(await text.inputValue(), 'A secret of the otters.');
  await server.account('second@example.com');
  await server.admin('consent', 'accept', '--account', 'second@example.com');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Email address').fill('second@example.com');
  await page.getByLabel('Password', { exact: true }).fill('nine otters under the bridge');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Speak', exact: true }).click();
  await expectVisible(text);
  assert.match(await text.inputValue(), /^The harbour was quiet/);
  await visitor.done();
});

// Negative controls: with both requests at once the second starts before the first response; without the pair in the address Back
// leaves the page.
test('two voices say the same text, side by side, with price and time', async () => {
  const { visitor, page } = await open('judge@example.com', '/voices?language=en');
  const compare = (name) => page.getByRole('button', { name: `Compare ${name}` });
  await compare('Heart').click();
  assert.equal(await compare('Heart').getAttribute('aria-pressed'), 'true');
  await expectVisible(page.getByRole('status').filter({ hasText: 'Heart is chosen. Press Compare on a second voice.' }));
  await page.getByRole('button', { name: 'Cancel the comparison' }).click();
  assert.equal(await compare('Heart').getAttribute('aria-pressed'), 'false');
  await compare('Heart').click();
  await compare('Robin').click();
  await expectVisible(heading(page, 'Compare Heart and Robin'));
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  assert.match(page.url(), /compare=heart(%2C|,)robin/);
  await page.getByLabel('Your text').fill('Otters swim.');
  const side = (name) => page.getByRole('region', { name, exact: true });
  await expectText(page.locator('form'), ['36 credits for both']);
  await expectText(side('Heart'), ['1 credit per character', '12 credits']);
  await expectText(side('Robin'), ['2 credits per character', '24 credits']);
  const log = [];
  page.on('request', (request) => request.url().includes('synthesize') && log.push('request'));
  page.on('response', (response) => response.url().includes('synthesize') && log.push('response'));
  await page.getByRole('button', { name: 'Speak with both' }).click();
  for (const name of ['Heart', 'Robin']) {
    await expectVisible(side(name).getByText(/^\d+\.\d seconds, for \d+\.\d seconds of audio$/));
    await expectVisible(side(name).getByRole('link', { name: 'Download MP3' }));
  }
  assert.deepEqual(log, ['request', 'response', 'request', 'response']);
  // Side by side on a desktop, one above the other on a phone.
  const box = async (name) => side(name).boundingBox();
  assert.equal((await box('Heart')).y, (await box('Robin')).y);
  await page.setViewportSize({ width: 360, height: 740 });
  assert.ok((await box('Robin')).y >= (await box('Heart')).y + (await box('Heart')).height);
  // When one plays, the other stops.
  const players = page.locator('audio');
  await players.nth(0).evaluate((audio) => { audio.loop = true; return audio.play(); });
  await players.nth(1).evaluate((audio) => { audio.loop = true; return audio.play(); });
  assert.ok(await players.nth(0).evaluate((audio) => audio.paused));
  // Who leaves does not pay for the second voice.
  log.length = 0;
  await page.route('**/tts:synthesize*', async (route) => {
    const answer = await route.fetch();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.fulfill({ response: answer });
  });
  await page.getByRole('textbox', { name: 'Your text', exact: true }).fill('Otters sleep.');
  await page.getByRole('button', { name: 'Speak with both' }).click();
  const answered = page.waitForResponse((response) => response.url().includes('synthesize'));
  await page.goBack();
  await expectVisible(heading(page, 'Voices'));
  await answered;
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
  assert.deepEqual(log, ['request', 'response']);
  await expectNames(page, ['Heart', 'Alma', 'George', 'Robin']);
  await visitor.done();
});

test('only a voice that has not said the text yet is paid when the other one failed', async () => {
  const { visitor, page } = await open('half@example.com', '/voices?compare=heart,dora');
  await page.getByLabel('Your text').fill('Otters swim.');
  await expectText(page.locator('form'), ['60 credits for both']);
  await page.getByRole('button', { name: 'Speak with both' }).click();
  await expectVisible(page.getByRole('region', { name: 'Dora' }).getByRole('alert'));
  await expectText(page.locator('form'), ['48 credits for Dora']);
  await expectVisible(page.getByRole('button', { name: 'Speak with Dora' }));
  await page.goto('/voices?compare=heart,yunxi');
  await expectVisible(page.getByText('Needs the standard tier; yours is free.'));
  await page.getByLabel('Your text').fill('Otters swim.');
  assert.ok(await page.getByRole('button', { name: 'Speak with both' }).isDisabled());
  await visitor.done();
});

// Negative controls: with the list always open there are radio buttons at once; when Enter submits the form the example is spoken.
test('many voices are chosen with the same filters where text and books are spoken', async () => {
  const { visitor, page } = await open('chooser@example.com', '/speak?reader=heart');
  const spoken = [];
  page.on('request', (request) => request.url().includes('/tts:') && spoken.push(request.method()));
  const choice = page.getByRole('group', { name: 'Voice' });
  await expectText(choice, ['Heart']);
  await expectCount(choice.getByRole('radio'), 0);
  await choice.getByRole('button', { name: 'Change' }).click();
  await expectCount(choice.getByRole('radio'), VOICES.length + 2);
  assert.ok(await choice.getByRole('radio', { name: /^Yunxi/ }).isDisabled());
  await choice.getByLabel('Search').fill('another');
  // Enter in the search does not speak the text.
  await choice.getByLabel('Search').press('Enter');
  await expectCount(choice.getByRole('radio'), 1);
  await choice.getByRole('radio', { name: /^Robin/ }).check();
  await choice.getByRole('button', { name: 'Done' }).click();
  await expectText(choice, ['Robin', '2 credits per character']);
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Otters swim.');
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await expectVisible(page.getByText('12 characters, 24 credits'));
  assert.deepEqual(spoken, ['POST']);

  // A book's list opens with the voices that speak its language.
  const token = await server.session('chooser@example.com');
  const { body: book } = await server.call('POST', '/v1/bff/materials', { token, body: { text: 'El puerto estaba tranquilo y las nutrias dormían bajo la luna. '.repeat(9), title: 'Nutrias' } });
  await page.goto(`/books/${book.id}`);
  await expectText(choice, ['Dora', 'Español']);
  await expectVisible(page.locator('dd', { hasText: 'Español' }));
  await choice.getByRole('button', { name: 'Change' }).click();
  await expectCount(choice.getByRole('radio'), 1);
  await choice.getByLabel('Language', { exact: true }).selectOption('');
  // The account's own tier only: without Alma and Yunxi.
  await expectCount(choice.getByRole('radio'), VOICES.length);
  await choice.getByRole('radio', { name: /^Heart/ }).check();
  await expectVisible(page.getByText('Heart does not speak Spanish.'));
  await visitor.done();
});

test('two voices need no filters, and are chosen without opening a list', async () => {
  const { visitor, page } = await signInWithConsent(browser, small, 'two@example.com', { path: '/voices' });
  await expectNames(page, ['Heart', 'Alma']);
  assert.equal(await page.getByRole('search').count(), 0);
  await expectText(card(page, 'Alma'), ['Needs the premium tier; yours is free.']);
  await page.getByRole('link', { name: 'Speak', exact: true }).click();
  await expectCount(page.getByRole('group', { name: 'Voice' }).getByRole('radio'), 2);
  await visitor.done();
});

// Negative control: with one request only the first page is shown.
test('voices beyond the first page of the list are shown too', async () => {
  const { visitor, page } = await open('pages@example.com', '/settings');
  await page.route('**/v1/bff/ereaders?*', async (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set('limit', '4');
    await route.fulfill({ response: await route.fetch({ url: url.href }) });
  });
  await page.goto('/voices');
  await expectCount(page.locator('li h2'), VOICES.length + 2);
  await visitor.done();
});
