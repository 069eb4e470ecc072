// The voices of a book's speakers: on a real server in a real browser.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { after, before, test } from 'node:test';

import { findFaults } from './axe.js';
import { expectCount, expectText, expectVisible, launch, signInWithConsent } from './browser.js';
import { Server, stopAll } from './server.js';

const ARTIFACTS = new URL('../artifacts/', import.meta.url).pathname;

let browser;
let server;

const addVoice = (slug, name, price, language, engine, ...rest) =>
  server.admin('voices', 'add', '--slug', slug, '--name', name, '--engine', ...engine, '--tier', 'free', '--price', String(price), '--language', language, '--description', name, ...rest);
const HIBARI = ['hibari', '--voice', 'heart'];

before(async () => {
  await mkdir(ARTIFACTS, { recursive: true });
  [browser, server] = await Promise.all([launch(), Server.start()]);
  // Voices that everybody may use: as dear as Heart, three times as dear, one in another language, and one that is withdrawn later.
  await addVoice('robin', 'Robin', 3, 'en-US', HIBARI);
  await addVoice('wren', 'Wren', 1, 'en-US', HIBARI);
  await addVoice('dora', 'Dora', 2, 'es', ['upstream', '--voice', 'dora']);
  await addVoice('leaving', 'Leaving', 2, 'en-US', HIBARI);
});
after(stopAll);

const NAMED = 'It was late.\n\n[speaker Ines]\nAre you still awake?\n\n[speaker Tom]\nAye, and so is the baker.\n\n[speaker Ines]\nGood.';
const NOVEL = '“Good evening,” said Ines. The door closed.\n\n“You are late,” said Tom.\n\n“I know,” said Ines, and she sat down by the window of the old house.';

const button = (page, name) => page.getByRole('button', { name, exact: true });
const card = (page) => page.getByRole('region', { name: 'Voices of the speakers' });
const voiceOf = (page, name) => page.getByLabel(`Voice of ${name}`, { exact: true });
const convert = (page) => button(page, 'Convert');
const facts = (page) => page.locator('form', { has: convert(page) });
const openCast = (page) => button(page, 'Choose voices of the speakers').click();

/** An account, a page on which it is signed in, and what its session can call. */
async function open(email, options) {
  const { visitor, page } = await signInWithConsent(browser, server, email, { path: '/settings', credits: 100_000, options });
  const token = await server.session(email);
  const call = async (method, path, body) => (await server.call(method, `/v1/bff${path}`, { token, body })).body;
  const { data } = await call('GET', '/ereaders');
  const voices = Object.fromEntries(data.map(({ slug, id }) => [slug, id]));
  const until = async (id, status) => {
    for (let tries = 0; tries < 400; tries += 1) {
      if ((await call('GET', `/materials/${id}`)).status === status) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`${id} is not ${status}`);
  };
  const createBook = async (text, title, language = 'en') => {
    const { id } = await call('POST', '/materials', { text, title, language });
    await until(id, 'ready');
    return id;
  };
  const balance = async () => (await call('GET', '/credits/balance')).balance;
  return { visitor, page, call, voices, until, createBook, balance };
}

/** Axe finds nothing, and nothing is wider than the screen. */
async function check(page, name) {
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: `${ARTIFACTS}${name}.png`, fullPage: true });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, `${name} is wider than the screen`);
  assert.deepEqual(await findFaults(page), [], name);
}

// Negative controls, each seen: with the narrator's price for all, there is no price of Robin, and a part costs 71 credits again; with a
// voice chosen for a speaker who has none, Ines is not the narrator's; with Convert enabled while choices are not saved.
test('voices are chosen, saved, and paid as the page says', async () => {
  const { visitor, page, call, voices, createBook, balance } = await open('cast@example.com');
  const id = await createBook(NAMED, 'Named');
  await page.goto(`/books/${id}`);
  await expectText(card(page), ['The text names 2 speakers.', 'The narrator reads all of them, unless you give them voices of their own.']);
  const characters = (await call('GET', `/materials/${id}`)).characters;
  // Nothing is applied unasked.
  await openCast(page);
  assert.equal(await voiceOf(page, 'Ines').inputValue(), '');
  assert.equal(await button(page, 'Save voices').isDisabled(), true);
  await expectText(card(page), ['2 passages', '1 passage']);

  await page.getByRole('radio', { name: /^Heart/ }).check();
  await voiceOf(page, 'Ines').selectOption({ label: 'Robin, English (US), 3 credits per character' });
  // Her lines with the line breaks in her stretches, as the service counts them.
  const ines = '\nAre you still awake?\n\n'.length + '\nGood.'.length;
  const shares = facts(page).getByRole('list', { name: 'Price by voice' });
  const ofRobin = `Robin: ${ines} characters × 3 = ${3 * ines} credits`;
  await expectText(shares, [ofRobin, 'Heart: ']);
  const shown = Number(/([\d,]+) credits/.exec(await facts(page).locator('dd strong', { hasText: 'credits' }).textContent())[1].replace(',', ''));
  // A choice that is not saved would be lost with the conversion.
  assert.equal(await convert(page).isDisabled(), true);
  await button(page, 'Save voices').click();
  await expectVisible(card(page).getByRole('status').filter({ hasText: 'Saved.' }));
  await page.reload();
  await expectText(card(page), ['1 of them has a voice of their own; the narrator reads the others.']);
  await expectText(shares, [ofRobin]);
  const { speakers } = await call('GET', `/materials/${id}/cast`);
  assert.deepEqual(speakers.map(({ name, ereader_id }) => [name, ereader_id ?? null]), [['Ines', voices.robin], ['Tom', null]]);

  const before = await balance();
  await page.getByRole('radio', { name: /^Heart/ }).check();
  const [answer] = await Promise.all([page.waitForResponse(/\/convert\?/), convert(page).click()]);
  assert.equal((await answer.json()).credits_held, shown);
  await page.locator('.badge', { hasText: 'Completed' }).first().waitFor({ timeout: 60_000 });
  assert.equal(before - (await balance()), shown);
  assert.ok(shown > characters, `${shown} credits`);
  // From now on the voices are only shown.
  await expectText(card(page), ['cannot be changed after the first conversion', 'Ines', 'Robin 3 credits per character', 'Everybody else', 'Heart']);
  await expectCount(card(page).getByRole('button'), 0);
  await check(page, 'cast-fixed-light-1280');

  // A part that is spoken again costs the same, in the format that it has.
  await page.getByRole('button', { name: /^Play/ }).click();
  await page.locator('.spoken-text [data-word="1"]').dblclick();
  await button(page, 'Read wrongly?').click();
  await page.getByLabel('Say it as').fill('wuz');
  await button(page, 'Save').click();
  await expectVisible(page.getByText(`It costs ${shown} credits.`));
  await visitor.done();
});

// Negative controls, each seen: with the narrator's price where nobody has counted, there are no limits; with mp3 for all parts, FLAC is
// lost; with the word's list alone, the list that is used by default is.
test('dialogue is a proposal, with limits of a price as long as nobody has counted it', async () => {
  const { visitor, page, call, createBook, until, voices, balance } = await open('novel@example.com', { colorScheme: 'dark', reducedMotion: 'reduce', viewport: { width: 360, height: 900 } });
  const id = await createBook(NOVEL, 'A novel');
  await page.goto(`/books/${id}`);
  await expectText(card(page), ['2 speakers were found in the dialogue.']);
  await openCast(page);
  const badge = card(page).locator('li', { hasText: 'Ines' }).locator('.badge');
  assert.match(await badge.getAttribute('title'), /^9\d% on average$/);
  await expectText(badge, ['sure']);
  await page.getByRole('radio', { name: /^Heart/ }).check();
  const { characters } = await call('GET', `/materials/${id}`);
  const price = facts(page).locator('dd', { hasText: 'credits' });
  await page.route('**/quotes?*', (route) => route.abort());
  // Voices of the same price need no count.
  await voiceOf(page, 'Tom').selectOption({ label: 'Wren, English (US), 1 credit per character' });
  await expectText(price, [`${characters} credits`]);
  await voiceOf(page, 'Ines').selectOption({ label: 'Robin, English (US), 3 credits per character' });
  await expectText(price, [`Between ${characters} and ${3 * characters} credits`, 'you then see the exact price']);
  // Voices of the book's language come first.
  assert.deepEqual(await voiceOf(page, 'Tom').locator('optgroup').evaluateAll((groups) => groups.map(({ label }) => label)), ['Speak English', 'Other languages']);
  await voiceOf(page, 'Tom').selectOption({ label: 'Dora, Español, 2 credits per character' });
  await expectVisible(card(page).getByText('Dora does not speak English.'));
  await check(page, 'cast-novel-dark-360');
  // As soon as the quotes can be counted, the price is exact.
  await page.unroute('**/quotes?*');
  await voiceOf(page, 'Tom').selectOption('');
  const exact = characters + 2 * [...'“Good evening,”“I know,”'].length;
  await expectText(price, [`${exact} credits`]);
  // Saved from where the conversion is waiting for it.
  await button(page, 'Save them').click();
  await expectCount(page.getByText('are not saved yet'), 0);
  const before = await balance();
  await convert(page).click();
  await until(id, 'completed');
  const paid = before - (await balance());
  assert.equal(paid, exact);
  await expectVisible(page.getByText(`This conversion costs ${paid} credits.`));
  const format = await call('POST', '/materials', { text: NOVEL, title: 'In FLAC', language: 'en' });
  await until(format.id, 'ready');
  await call('POST', `/materials/${format.id}/convert`, { ereader_id: voices.heart, format: 'flac' });
  await call('POST', '/lexicons', { name: 'Mine', language: 'en', entries: [], default: true });
  await until(format.id, 'completed');
  await page.goto(`/books/${format.id}`);
  await expectText(card(page), ['The narrator reads all speakers.']);
  await page.getByRole('button', { name: /^Play/ }).click();
  await page.locator('.spoken-text [data-word="1"]').dblclick();
  await button(page, 'Read wrongly?').click();
  await page.getByLabel('Say it as').fill('evenings');
  await page.getByLabel('Word list').selectOption('new');
  await button(page, 'Save').click();
  await expectVisible(page.getByRole('checkbox', { name: 'Mine', checked: true }));
  await check(page, 'cast-again-dark-360');
  let body;
  await page.route('**/convert?*', (route) => {
    body = JSON.parse(route.request().postData());
    return route.continue();
  });
  await page.getByRole('button', { name: /^Speak again for/ }).click();
  await expectVisible(page.getByText('This is the new audio.'));
  assert.deepEqual([body.format, body.lexicon_ids.length], ['flac', 2]);
  await visitor.done();
});

const STRANGER = `Morning came, and with it rain.\n\n“Who is there?” asked a voice.\n\nIt rained.\n\n* * *\n\n${NOVEL}`;

for (const [colorScheme, width] of [['light', 1280], ['dark', 360]]) {
  test(`quotes are shown in their text and given to others, ${colorScheme}, ${width} pixels`, async () => {
    const options = { colorScheme, reducedMotion: 'reduce', viewport: { width, height: 900 } };
    const { visitor, page, call, createBook, voices } = await open(`quotes-${width}@example.com`, options);
    const id = await createBook(STRANGER, 'Quotes');
    await page.goto(`/books/${id}`);
    await openCast(page);
    // A voice that is chosen and not saved is still chosen afterwards.
    await voiceOf(page, 'Ines').selectOption(voices.robin);
    await button(page, '2 quotes of Ines').click();
    const dialog = page.getByRole('dialog', { name: 'Who says what' });
    await expectCount(dialog.getByRole('listitem'), 2);
    await expectText(dialog.getByRole('listitem').first(), ['“Good evening,” said Ines. The door closed.', 'sure']);
    await dialog.getByLabel('Who says “Good evening,”').selectOption('Tom');
    await expectText(dialog.getByRole('listitem').first(), ['set by you']);
    await dialog.getByLabel('Show', { exact: true }).selectOption('Speaker not known');
    await expectCount(dialog.getByRole('listitem'), 1);
    await dialog.getByLabel('Who says “Who is there?”').selectOption('Another name…');
    await dialog.getByLabel('Name of the speaker').fill('A stranger');
    await dialog.getByLabel('Name of the speaker').press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), 'Who says “Who is there?”');
    await expectText(dialog.getByRole('listitem').first(), ['set by you']);
    await dialog.getByLabel('Show', { exact: true }).selectOption('Everybody');
    await expectCount(dialog.getByRole('listitem'), 4);
    // Arrow keys go from option to option: from Tom to Ines to the narrator. Only the last one is saved.
    const sent = [];
    await page.route('**/quotes?*', (route) => {
      if (route.request().method() === 'PATCH') sent.push(JSON.parse(route.request().postData()).quotes[0].speaker);
      return route.continue();
    });
    await dialog.getByLabel('Who says “You are late,”').focus();
    // The page's time stands still meanwhile: on a busy machine a key may come late.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Tab');
    await page.clock.resume();
    await expectText(dialog.getByRole('listitem').nth(2), ['set by you']);
    assert.deepEqual(sent, [null]);
    await check(page, `cast-quotes-${colorScheme}-${width}`);
    const { data } = await call('GET', `/materials/${id}/quotes`);
    assert.deepEqual(data.map(({ speaker, given }) => [speaker, given]), [['A stranger', true], ['Tom', true], [null, true], ['Ines', false]]);
    await button(dialog, 'Close').click();
    await expectVisible(button(page, '1 quote of A stranger'));
    await expectVisible(button(page, '1 quote of Ines'));
    assert.equal(await voiceOf(page, 'Ines').inputValue(), voices.robin);
    await button(page, 'Save voices').click();
    await expectVisible(card(page).getByRole('status').filter({ hasText: 'Saved.' }));
    // A text in which nobody is known by name.
    const nameless = await createBook('Morning came, and with it rain.\n\n“Who is there?” asked a voice.\n\nIt rained.', 'Nameless');
    await page.goto(`/books/${nameless}`);
    await expectText(card(page), ['No speakers were found in this text.']);
    await button(page, 'Check who says what').click();
    await dialog.getByLabel('Who says “Who is there?”').selectOption('Another name…');
    await dialog.getByLabel('Name of the speaker').fill('Ada');
    await button(dialog, 'Save name').click();
    await expectText(dialog.getByRole('listitem').first(), ['set by you']);
    // Another tab starts the conversion.
    await call('POST', `/materials/${nameless}/convert`, { ereader_id: voices.heart });
    await dialog.getByLabel('Who says “Who is there?”').selectOption('The narrator');
    await expectVisible(dialog.getByRole('alert'));
    assert.equal(await dialog.getByLabel('Who says “Who is there?”').inputValue(), 'Ada');
    await button(dialog, 'Close').click();
    await expectText(card(page), ['after the first conversion']);
    await visitor.done();
  });
}

// Negative controls, each seen: when the voices are not fetched again, no speaker is named; without drafts, the choices are gone after
// the visit of another page.
test('a voice that was withdrawn is named at its speaker, and nothing is saved', async () => {
  const { visitor, page, createBook, call, voices } = await open('withdrawn@example.com');
  const id = await createBook(NAMED, 'Withdrawn');
  await page.goto(`/books/${id}`);
  await openCast(page);
  await voiceOf(page, 'Ines').selectOption(voices.wren);
  await voiceOf(page, 'Tom').selectOption(voices.leaving);
  // What is not saved survives a visit of another page.
  await page.getByRole('link', { name: 'All books' }).click();
  await page.getByRole('link', { name: 'Withdrawn' }).click();
  await expectText(card(page), ['Each has a voice of their own.', 'Not saved yet.']);
  await openCast(page);
  await addVoice('leaving', 'Leaving', 2, 'en-US', HIBARI, '--inactive');
  await button(page, 'Save voices').click();
  const alert = card(page).getByRole('alert');
  await expectText(alert, ['Nothing was saved.', 'Tom: This voice is no longer available.']);
  assert.equal(await voiceOf(page, 'Tom').getAttribute('aria-invalid'), 'true');
  assert.equal(await voiceOf(page, 'Ines').getAttribute('aria-invalid'), null);
  assert.deepEqual((await call('GET', `/materials/${id}/cast`)).speakers.map(({ ereader_id }) => ereader_id ?? null), [null, null]);
  await check(page, 'cast-withdrawn-light-1280');
  await voiceOf(page, 'Tom').selectOption(voices.wren);
  await button(page, 'Save voices').click();
  await expectVisible(card(page).getByRole('status').filter({ hasText: 'Saved.' }));
  // Another tab starts the conversion.
  await voiceOf(page, 'Tom').selectOption('');
  await call('POST', `/materials/${id}/convert`, { ereader_id: voices.heart });
  await button(page, 'Save voices').click();
  await expectText(card(page), ['The voices cannot be changed after the first conversion.', 'Tom', 'Wren']);
  // A voice that was saved, and is withdrawn afterwards.
  const other = await createBook(NAMED, 'Too late');
  await call('PUT', `/materials/${other}/cast`, { speakers: [{ name: 'Tom', ereader_id: voices.dora }] });
  await addVoice('dora', 'Dora', 2, 'es', ['upstream', '--voice', 'dora'], '--inactive');
  await page.goto(`/books/${other}`);
  await expectText(card(page).getByRole('alert'), ['1 speaker has a voice that is no longer available.']);
  await convert(page).click();
  await expectVisible(facts(page).getByRole('alert').getByText('This voice is no longer offered.'));
  await visitor.done();
});

const PEOPLE = Array.from({ length: 240 }, (_, at) => `Person ${String(at).padStart(3, '0')}`);

// Negative controls, each seen: with all speakers drawn there are 240 rows; with a row that is too wide; with Enter sent from the search;
// when those with a voice are not shown first.
for (const [colorScheme, width] of [['light', 360], ['dark', 1280]]) {
  test(`hundreds of speakers are searched and given voices by keyboard, ${colorScheme}, ${width} pixels`, async () => {
    const options = { colorScheme, reducedMotion: 'reduce', viewport: { width, height: 900 } };
    const { visitor, page, call, createBook, voices } = await open(`many-${width}@example.com`, options);
    const empty = await createBook('The harbour was quiet.', 'Nobody');
    await page.goto(`/books/${empty}`);
    await expectText(card(page), ['No speakers were found in this text.']);
    await card(page).getByText('How to name speakers yourself').click();
    await check(page, `cast-nobody-${colorScheme}-${width}`);

    const id = await createBook(PEOPLE.map((name) => `[speaker ${name}]\nHello.`).join('\n\n'), 'Crowd');
    // Dialogue of uncertain speakers looks otherwise.
    if (width === 1280) {
      await page.route('**/cast?*', async (route) => {
        const answer = await route.fetch();
        const { speakers } = await answer.json();
        const doubtful = speakers.map((speaker, at) => ({ ...speaker, name: at === 2 ? 'Longname'.repeat(12) : at === 3 ? 'Narrator' : speaker.name, quotes: 240 - at, confidence: [0.96, 0.8, 0.6][at % 3] }));
        await route.fulfill({ response: answer, json: { speakers: route.request().method() === 'GET' ? doubtful : speakers } });
      });
    }
    let saves = 0;
    page.on('request', (request) => (saves += Number(request.method() === 'PUT')));
    await page.goto(`/books/${id}`);
    await expectText(card(page), ['240 speakers']);
    const opener = button(page, 'Choose voices of the speakers');
    await opener.focus();
    await page.keyboard.press('Enter');
    await expectCount(card(page).getByRole('listitem'), 25);
    await expectText(card(page), ['1 to 25 of 240 speakers']);
    // Opens the page of the last speakers, and goes to one of them.
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.type), 'search');
    await page.keyboard.type('person 23');
    await page.keyboard.press('Enter');
    await expectCount(card(page).getByRole('listitem'), 10);
    await page.keyboard.press('Tab');
    assert.match(await page.evaluate(() => document.activeElement.textContent), / of Person 230$/);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), 'Voice of Person 230');
    // Letters choose in a list of options.
    await page.keyboard.type('Robin');
    await expectVisible(card(page).getByText('Not saved yet.'));
    await page.keyboard.press('Tab');
    assert.match(await page.evaluate(() => document.activeElement.textContent), /to Robin/);
    await page.evaluate(() => document.activeElement.blur());
    await card(page).getByLabel('Search 240 speakers').press('Enter');
    await card(page).getByLabel('Search 240 speakers').fill('');
    await check(page, `cast-many-${colorScheme}-${width}`);
    assert.equal(saves, 0);
    await button(page, 'Save voices').focus();
    await page.keyboard.press('Enter');
    await expectVisible(card(page).getByRole('status').filter({ hasText: 'Saved.' }));
    // Who has a voice stands first from now on.
    await expectText(card(page).getByRole('listitem'), ['Person 230']);
    const { speakers } = await call('GET', `/materials/${id}/cast`);
    assert.deepEqual(speakers.filter(({ ereader_id }) => ereader_id).map(({ name, ereader_id }) => [name, ereader_id]), [['Person 230', voices.robin]]);
    await visitor.done();
  });
}
