// How words are said: word lists, the buttons over a text, and a book's words that are read wrongly. On a real server in a real
// browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';

import { expectCount, expectText, expectVisible, heading, launch, signInWithConsent } from './browser.js';
import { Server, stopAll } from './server.js';

let browser;
let server;

before(async () => {
  [browser, server] = await Promise.all([launch(), Server.start()]);
  // A second voice that everybody may use, twice as dear as Heart.
  await server.admin('voices', 'add', '--slug', 'robin', '--name', 'Robin', '--engine', 'hibari', '--voice', 'heart', '--tier', 'free', '--price', '2', '--language', 'en-US', '--gender', 'female', '--description', 'Another Heart.');
});
after(stopAll);

const open = (email, path, options) => signInWithConsent(browser, server, email, { path, credits: 100_000, ...options });
const button = (page, name, exact = true) => page.getByRole('button', { name, exact });
const textBox = (page) => page.getByRole('textbox', { name: 'Text', exact: true });
/** The bodies of requests to a route. */
async function bodiesOf(page, pattern) {
  const bodies = [];
  await page.route(pattern, (route) => {
    bodies.push(JSON.parse(route.request().postData()));
    return route.continue();
  });
  return bodies;
}
const synthesesOf = (page) => bodiesOf(page, /\/v1\/bff\/tts:(synthesize|stream)\?/);

// Negative controls, each seen: when `hear` forgets what was paid, the second press is paid again; when the service's errors are not
// given to their rows, no row is marked.
test('a word list is made, filled, heard, saved, renamed and deleted', async () => {
  const { visitor, page } = await open('lists@example.com', '/settings');
  const syntheses = await synthesesOf(page);
  await page.getByRole('link', { name: 'Pronunciation' }).click();
  await expectVisible(heading(page, 'Pronunciation'));
  await button(page, 'Make your first word list').click();
  await page.getByLabel('Name', { exact: true }).fill('Names');
  await button(page, 'Create list').click();
  await expectVisible(heading(page, 'Names'));

  await button(page, 'Add the first word').click();
  await page.keyboard.type('Siobhan');
  await page.getByLabel('How to say Siobhan').selectOption('IPA');
  await page.getByLabel('Say Siobhan as').fill('ʃɪˈvɔːn');
  await page.getByLabel('Voice to hear words with').selectOption({ label: 'Robin, 2 credits per character' });
  const row = page.locator('tbody tr');
  await expectText(row, ['14 credits']);
  const hear = row.getByRole('button', { name: 'Hear Siobhan' });
  await hear.click();
  await expectText(row, ['paid']);
  await expectVisible(hear);
  await hear.click();
  await expectVisible(row.getByRole('button', { name: 'Stop Siobhan' }));
  assert.equal(syntheses.length, 1);
  const { text, text_type, lexicon_ids } = syntheses[0];
  assert.deepEqual([text, text_type, lexicon_ids], ['<speak><phoneme alphabet="ipa" ph="ʃɪˈvɔːn">Siobhan</phoneme></speak>', 'ssml', []]);

  // What is wrong is said at its row: by the page, then by the service.
  await button(page, 'Add a word').click();
  await page.keyboard.type('Nguyen');
  await button(page, 'Save').click();
  await expectText(row, ['Type how it is said.']);
  assert.equal(await row.count(), 1);
  await page.getByLabel('How to say Nguyen').selectOption('IPA');
  await page.getByLabel('Say Nguyen as').fill('w€n');
  await button(page, 'Save').click();
  await expectText(row, ['has \'€\'']);
  await page.getByLabel('How to say Nguyen').selectOption('Sounds like');
  await page.getByLabel('Say Nguyen as').fill('win');
  await page.getByLabel('Name', { exact: true }).fill('Names of friends');
  // It is still there after a visit of another page.
  await page.getByRole('link', { name: 'All word lists' }).click();
  await page.getByRole('link', { name: 'Names' }).click();
  await button(page, 'Save').click();
  await expectVisible(page.getByText('Saved.', { exact: true }));
  await page.reload();
  await expectVisible(heading(page, 'Names of friends'));
  await expectCount(row, 2);
  assert.equal(await page.getByLabel('Say Nguyen as').inputValue(), 'win');

  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Export CSV').click()]);
  assert.equal(download.suggestedFilename(), 'names-of-friends.csv');
  assert.equal(await readFile(await download.path(), 'utf8'), '\ufeffword,said,kind\r\nNguyen,win,alias\r\nSiobhan,ʃɪˈvɔːn,ipa\r\n');

  await page.getByRole('link', { name: 'All word lists' }).click();
  await expectText(page.locator('tbody tr'), ['Names of friends', 'English', '2', 'By default']);
  await button(page, 'Delete Names of friends').click();
  await button(page, 'Delete list').click();
  await expectVisible(page.getByText('No word lists yet.'));
  await visitor.done();
});

const PLS = `<?xml version="1.0" encoding="UTF-8"?>
<lexicon version="1.0" xmlns="http://www.w3.org/2005/01/pronunciation-lexicon" alphabet="ipa" xml:lang="en-US">
  <lexeme><grapheme>Ines</grapheme><phoneme>iˈnɛs</phoneme></lexeme>
</lexicon>`;

// Negative controls, each seen: with all rows drawn there are 10,000, not 50; with the file sent as JSON, the PLS is refused. How fast
// a search is, is measured: `bench/pages.mjs --only search`.
test('lists are imported from CSV and PLS; ten thousand words are searched and paged', async () => {
  const { visitor, page } = await open('import@example.com', '/pronunciation');
  const choose = (name, text) => page.getByLabel('File').setInputFiles({ name, mimeType: '', buffer: Buffer.from(text) });
  await button(page, 'Import').click();
  await choose('broken.csv', 'Siobhan,shuh vawn\nNguyen\n');
  await expectVisible(page.getByText('Line 2: Type how it is said.'));
  await choose('broken.pls', '<lexicon');
  await button(page, 'Import').last().click();
  await expectVisible(page.getByText(/cannot be imported: line 1, column \d+/));
  await choose('names.pls', PLS);
  await expectVisible(page.getByText('A PLS file.'));
  await page.getByLabel('Name of the list').fill('From PLS');
  await button(page, 'Import').last().click();
  await expectVisible(heading(page, 'From PLS'));
  assert.equal(await page.getByLabel('Say Ines as').inputValue(), 'iˈnɛs');

  await page.getByRole('link', { name: 'All word lists' }).click();
  await button(page, 'Import').click();
  await choose('many.csv', `word;said\n${Array.from({ length: 10_000 }, (_, index) => `Word ${index};way ${index}`).join('\n')}`);
  await expectVisible(page.getByText('10,000 words found.'));
  await button(page, 'Import').last().click();
  await expectVisible(heading(page, 'many'));
  const rows = page.locator('tbody tr');
  await expectCount(rows, 50);
  await expectText(page.getByRole('status').filter({ hasText: 'of 10,000' }), ['1 to 50 of 10,000 words']);
  await button(page, 'Next').click();
  assert.equal(await rows.first().getByLabel('Word', { exact: true }).inputValue(), 'Word 50');
  const search = page.getByLabel('Search 10,000 words');
  await search.fill('word 1234');
  await expectCount(rows, 1);
  await search.fill('word 99');
  await expectText(page.getByRole('status').filter({ hasText: 'of 111' }), ['1 to 50 of 111 words']);
  await expectCount(rows, 50);
  await visitor.done();
});

// Negative controls, each seen: with `field.value = …` instead of `execCommand` Ctrl+Z brings nothing back; with one price for
// all, Ines costs 15 credits.
test('pauses, voices and pronunciations are inserted with buttons, undone with a key, and cost what is said', async () => {
  const { visitor, page } = await open('tools@example.com', '/speak');
  const syntheses = await synthesesOf(page);
  const select = (start, end) => textBox(page).evaluate((field, range) => (field.focus(), field.setSelectionRange(...range)), [start, end]);
  const isText = async (expected) => assert.equal(await textBox(page).inputValue(), expected);
  await page.getByRole('radio', { name: /^Heart/ }).check();
  await textBox(page).fill('It was late.\nHello Siobhan.');
  await select(11, 11);
  await page.getByLabel('Length of the pause').selectOption('1.5 s');
  await button(page, 'Pause').click();
  await isText('It was late[pause 1.5s].\nHello Siobhan.');
  await page.keyboard.press('Control+z');
  await isText('It was late.\nHello Siobhan.');
  await page.keyboard.press('Control+Shift+z');
  await isText('It was late[pause 1.5s].\nHello Siobhan.');

  await select(25, 25);
  await button(page, 'Voice…').click();
  await page.getByLabel('Who speaks?').fill('Ines');
  await page.getByRole('dialog').getByLabel('Voice').selectOption({ label: 'Robin, English (US), 2 credits per character' });
  await page.keyboard.press('Enter');
  await expectCount(page.getByRole('dialog'), 0);
  await isText('It was late[pause 1.5s].\n[speaker Ines]\nHello Siobhan.');
  const cast = page.getByRole('region', { name: 'Voices of the text' });
  await expectText(cast, ['13 characters, 13 credits', '15 characters, 30 credits']);

  await select(48, 48);
  await button(page, 'Pronounce…').click();
  assert.equal(await page.getByLabel('Word', { exact: true }).inputValue(), 'Siobhan');
  await page.getByLabel('Say it as').fill('ʃɪˈvɔːn');
  await button(page, 'Use in this text').click();
  const text = 'It was late[pause 1.5s].\n[speaker Ines]\nHello [Siobhan](/ʃɪˈvɔːn/).';
  await isText(text);
  await expectVisible(page.locator('strong', { hasText: '43 credits' }));

  // A word list of one's own is used at once.
  await select(3, 6);
  await button(page, 'Pronounce…').click();
  await page.getByRole('radio', { name: /Sounds like/ }).check();
  await page.getByLabel('Say it as').fill('wuz');
  await expectVisible(page.getByText('Only IPA can stand in a plain text.'));
  await button(page, 'Keep for all texts').click();
  await expectVisible(page.getByRole('checkbox', { name: 'My words' }));

  await button(page, 'Speak').click();
  await expectText(page.locator('.spoken-text'), ['It was late.', 'Hello Siobhan.']);
  await expectVisible(page.getByText(/28 characters, 43 credits/));
  const body = syntheses.at(-1);
  assert.deepEqual([body.text, Object.keys(body.speakers), body.lexicon_ids.length], [text, ['Ines'], 1]);

  // In SSML the buttons insert elements.
  await page.getByRole('switch', { name: 'SSML' }).check();
  await isText('<speak>It was late<break time="1500ms"/>.\n<voice name="robin">Hello <phoneme alphabet="ipa" ph="ʃɪˈvɔːn">Siobhan</phoneme>.</voice></speak>');
  await select(7, 9);
  await button(page, 'Voice…').click();
  await button(page, 'Insert').click();
  assert.match(await textBox(page).inputValue(), /^<speak><voice name="\w+">It<\/voice> was/);
  await page.keyboard.press('Control+z');
  await button(page, 'Speak').click();
  await expectCount(page.locator('.spoken-text', { hasText: 'late.' }), 1);
  await page.getByRole('switch', { name: 'SSML' }).uncheck();
  await isText(text);
  await button(page, 'Remove Ines').click();
  await isText('It was late[pause 1.5s].\nHello [Siobhan](/ʃɪˈvɔːn/).');
  await expectCount(cast, 0);
  await visitor.done();
});

/** Creates a book from a text and converts it. */
async function createBook(token, text, title, ereader) {
  const call = (method, path, body) => server.call(method, `/v1/bff/materials${path}`, { token, body });
  const { body: { id } } = await call('POST', '', { text, title });
  const until = async (status) => {
    for (let tries = 0; tries < 300; tries += 1) {
      const { body } = await call('GET', `/${id}`);
      if (body.status === status) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`${title} is not ${status}`);
  };
  await until('ready');
  await call('POST', `/${id}/convert`, { ereader_id: ereader });
  await until('completed');
  return id;
}

// Negative controls, each seen: when the player does not load the part anew, it keeps the old audio; without `again` the
// request is refused; without `begin` in PartReader nobody notices a part that is made before its status is asked for.
test('a word that a book reads wrongly is heard, corrected, and its part spoken again', async () => {
  const { visitor, page } = await open('wrong@example.com', '/books');
  const token = await server.session('wrong@example.com');
  const { body: readers } = await server.call('GET', '/v1/bff/ereaders', { token });
  const heart = readers.data.find(({ slug }) => slug === 'heart').id;
  const text = 'Then Siobhan walked to the harbour. The end.';
  const id = await createBook(token, text, 'The Harbour', heart);
  const conversions = await bodiesOf(page, '**/convert?*');
  await page.goto(`/books/${id}`);
  await page.getByRole('button', { name: /^Play/ }).click();
  const word = page.locator('.spoken-text [data-word="1"]');
  await expectVisible(word);
  const oldAudio = await page.locator('audio[data-current]').getAttribute('src');
  await word.dblclick();
  await button(page, 'Read wrongly?').click();
  assert.equal(await page.getByLabel('Word', { exact: true }).inputValue(), 'Siobhan');
  // The word only, from the part's audio. It may be over before a busy machine looks at the button again, so the page keeps what
  // the button said.
  await page.evaluate(() => {
    [globalThis.heard, globalThis.labels] = [[], []];
    const dialog = document.querySelector('dialog');
    new MutationObserver(() => labels.push(dialog.querySelector('form button')?.textContent)).observe(dialog, { subtree: true, childList: true, characterData: true });
    globalThis.Audio = class extends Audio {
      constructor() {
        super();
        heard.push(this);
        this.addEventListener('playing', () => (this.wasPlaying = true));
      }
    };
  });
  await button(page, 'Hear it as it is').click();
  await page.waitForFunction(() => labels.includes('Stop') && labels.at(-1) === 'Hear it as it is');
  const [excerpt] = await page.evaluate(() => heard.map(({ src, currentTime, duration, wasPlaying }) => ({ src, currentTime, duration, wasPlaying })));
  assert.equal(excerpt.wasPlaying, true);
  assert.equal(new URL(excerpt.src).pathname, new URL(oldAudio).pathname);
  assert.ok(excerpt.currentTime > 0.2 && excerpt.currentTime < excerpt.duration - 1, JSON.stringify(excerpt));
  await page.getByLabel('Say it as').fill('shivawn');
  await expectVisible(page.getByText('7 credits'));
  await expectVisible(page.getByRole('option', { name: 'New list: Names of The Harbour' }).locator('xpath=..'));
  await button(page, 'Save').click();
  await expectVisible(page.getByText(`It costs ${text.length} credits.`));
  // The part is made before the page asks for its status.
  let isMade = false;
  await page.route(/\/materials\/mat_[^/]+\?/, async (route) => {
    for (let tries = 0; !isMade && tries < 100; tries += 1) {
      isMade = (await server.call('GET', `/v1/bff/materials/${id}`, { token })).body.status === 'completed';
      if (!isMade) await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await route.continue();
  });
  await button(page, `Speak again for ${text.length} credits`).click();
  await expectVisible(page.getByText('This is the new audio.'));
  assert.notEqual(new URL(await page.locator('audio[data-current]').getAttribute('src')).pathname, new URL(oldAudio).pathname);
  const { body: lexicons } = await server.call('GET', '/v1/bff/lexicons', { token });
  assert.deepEqual(lexicons.data.map(({ name, language, entries_count }) => [name, language, entries_count]), [['Names of The Harbour', 'en', 1]]);
  const { chunks, again, lexicon_ids } = conversions.at(-1);
  assert.deepEqual([chunks, again, lexicon_ids], [[0], true, [lexicons.data[0].id]]);
  const { body: balance } = await server.call('GET', '/v1/bff/credits/balance', { token });
  assert.equal(balance.balance, 100_000 - 2 * text.length);
  await visitor.done();
});
