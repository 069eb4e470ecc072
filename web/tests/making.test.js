// How a book is made through the pages: its chapters, details, cover, notes, a corrected text, a conversion that is cancelled once, its
// files, and its feed. The server is real; the voice is a tone, from a speech server that can be told to wait.
import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';

import { findFaults } from './axe.js';
import { expectCount, expectText, expectVisible, launch, signInWithConsent } from './browser.js';
import { makeEpub, makePicture } from './epub.js';
import { Server, stopAll } from './server.js';
import { ToneServer } from './tone.js';

const ARTIFACTS = new URL('../artifacts/', import.meta.url).pathname;

let browser;
let server;
let speech;

before(async () => {
  await mkdir(ARTIFACTS, { recursive: true });
  speech = await ToneServer.start(4);
  // One part at a time, so that a conversion can be cancelled in the middle.
  [browser, server] = await Promise.all([launch(), Server.start({ LECTERN_UPSTREAM__BASE_URL: speech.url, LECTERN_JOBS__CONCURRENCY: '1' })]);
  await server.admin('voices', 'add', '--slug', 'tone', '--name', 'Tone', '--engine', 'upstream', '--voice', 'tone', '--tier', 'free', '--price', '1', '--language', 'en-US', '--description', 'A tone.');
});
after(stopAll);

const NOTE = '<aside epub:type="footnote" id="n1"><p>Otters hold hands while they sleep.</p></aside>';
const COLOPHON = 'Colophon\n\nThis book was set in the town of Grayling by its printer.';
const book = () =>
  makeEpub({
    title: 'The Otters of Grayling Quay',
    author: 'Ada Lind',
    chapters: [
      ['For Tom', '<p>For Tom, who counts the boats.</p>', 'dedication'],
      ['The Harbour', `<p>It was late when Inez came to the quay.<a epub:type="noteref" href="#n1">1</a> The lamp was lit.</p>${NOTE}`, 'chapter'],
      ['مرفأ', '<p>The name was written above the door, and nobody could read it.</p>', 'chapter'],
      ['The Boat', '<p>The boat came in with the morning, and the otters with it.</p>', 'chapter'],
      ['Colophon', `<p>${COLOPHON.split('\n').at(-1)}</p>`, 'colophon'],
    ],
  });

const button = (page, name) => page.getByRole('button', { name, exact: true });
const include = (page, title) => page.getByLabel(`Include ${title}`, { exact: true });
const contents = (page) => page.getByRole('region', { name: 'Contents' });
const price = (page) => page.locator('dd', { hasText: /credits?/ }).first();
const hasFocus = (locator) => locator.evaluate((element) => element === document.activeElement);

/** At both widths and in both themes axe finds nothing, and nothing is wider than the screen. */
async function check(page, name) {
  for (const [colorScheme, width] of [['light', 360], ['dark', 1280], ...(process.env.ALL_PAGES ? [['dark', 360], ['light', 1280]] : [])]) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path: `${ARTIFACTS}making-${name}-${colorScheme}-${width}.png`, fullPage: true });
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, `${name} is wider than ${width} pixels`);
    assert.deepEqual(await findFaults(page), [], `${name}, ${colorScheme}, ${width}`);
  }
}

/** Downloads a file of the book, and returns its bytes and its name. */
async function download(page, name) {
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, `Download ${name}`).click()]);
  return { bytes: await readFile(await file.path()), name: file.suggestedFilename() };
}

// Negative controls, each seen to fail: a price of all chapters; a cancellation, notes or a revocation that is not sent; a dialog that does
// not give the focus back; a cover whose removal leaves the focus nowhere, or that is not drawn anew; a player that keeps the old text; a
// file that is downloaded at the answer 202; a page that does not ask for the status of a part that another tab converts.
test('a book is made through the pages alone', async () => {
  const { visitor, page } = await signInWithConsent(browser, server, 'maker@example.com', { path: '/books', credits: 10_000 });
  const token = await server.session('maker@example.com');
  const balance = async () => (await server.call('GET', '/v1/bff/credits/balance', { token })).body;
  await page.getByLabel('File to upload').setInputFiles({ name: 'otters.epub', mimeType: 'application/epub+zip', buffer: book() });
  await expectVisible(page.getByText('Ready to convert'));
  await page.getByRole('radio', { name: /^Tone/ }).check();

  // Chapters: the colophon is left out from the start, and again after everything was included.
  await expectText(contents(page), ['4 of 5 chapters', 'Dedication', 'Imprint', 'Left out']);
  assert.equal(await include(page, 'Colophon').isChecked(), false);
  const cost = Number(/\d+/.exec(await price(page).textContent())[0]);
  await button(page, 'Include all').click();
  await expectVisible(contents(page).getByRole('status').filter({ hasText: '1 chapter changed. 5 chapters' }));
  await expectText(price(page), [`${cost + COLOPHON.length} credits`]);
  await include(page, 'Colophon').uncheck();
  await expectVisible(contents(page).getByRole('status').filter({ hasText: 'Colophon is left out. 4 of 5 chapters' }));
  await expectText(price(page), [`${cost} credits`]);
  assert.ok(await hasFocus(include(page, 'Colophon')));
  // A title is edited in place; Escape gives up.
  await button(page, 'Rename The Boat').click();
  await page.keyboard.type('Not this');
  await page.keyboard.press('Escape');
  assert.ok(await hasFocus(button(page, 'Rename The Boat')));
  await button(page, 'Rename The Boat').click();
  const long = 'Boat'.repeat(125);
  await page.getByLabel('Title of chapter 4').fill(long);
  await page.keyboard.press('Enter');
  await expectVisible(contents(page).getByText(long));

  // Details: a wrong number is named at its field; the author is another one.
  await button(page, 'Edit details').click();
  await page.getByLabel('Author').fill('Inés Lind');
  await page.getByLabel('ISBN').fill('978-0-306-40615-8');
  await page.getByLabel('Year').fill('soon');
  await button(page, 'Save details').click();
  await expectVisible(page.getByText('This must be a year, such as 1901.'));
  assert.ok(await hasFocus(page.getByLabel('Year')));
  await page.getByLabel('Year').fill('1901');
  await button(page, 'Save details').click();
  await expectVisible(page.getByText('This must be an ISBN of 10 or 13 digits'));
  await check(page, 'details');
  await page.getByLabel('ISBN').fill('978-0-306-40615-7');
  await page.getByLabel('Copyright', { exact: true }).fill('© 1901 Inés Lind');
  await button(page, 'Save details').click();
  await expectVisible(page.getByText('Inés Lind · 1901'));
  assert.equal(await page.getByLabel('Copyright', { exact: true }).inputValue(), '© 1901 Inés Lind');
  // The cover is chosen, refused where it is none, and removed.
  const cover = page.getByLabel('Picture for the cover');
  const picture = { name: 'cover.png', mimeType: 'image/png', buffer: makePicture(400, 600, [40, 110, 120]) };
  await cover.setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') });
  await expectVisible(page.getByText('This must be a JPEG or PNG picture'));
  await cover.setInputFiles(picture);
  await expectCount(page.locator('canvas[data-drawn]'), 2);
  const drawn = await page.locator('canvas').first().getAttribute('data-drawn');
  await cover.setInputFiles({ ...picture, buffer: makePicture(400, 600, [200, 60, 40]) });
  await expectCount(page.locator(`canvas[data-drawn]:not([data-drawn="${drawn}"])`), 2);
  const colors = await page.locator('canvas').evaluateAll((all) => all.map((canvas) => [...canvas.getContext('2d').getImageData(5, 5, 1, 1).data]));
  assert.deepEqual(colors, [[200, 60, 40, 255], [200, 60, 40, 255]]);
  await button(page, 'Remove the cover').click();
  await button(page, 'Remove').click();
  await expectCount(page.locator('canvas'), 0);
  assert.ok(await hasFocus(button(page, 'Choose a picture for the cover')));
  // Another one is dropped.
  await page.getByText('No cover. Drop a picture here').evaluate((frame, { name, type, bytes }) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([Uint8Array.from(bytes)], name, { type }));
    frame.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, { name: picture.name, type: picture.mimeType, bytes: [...picture.buffer] });
  await expectCount(page.locator('canvas[data-drawn]'), 2);
  await button(page, 'Close details').click();

  // One name in the text of a part is corrected.
  await button(page, 'Edit text of The Harbour, part 2').click();
  const text = page.getByRole('textbox', { name: 'The Harbour' });
  await text.fill((await text.inputValue()).replace('Inez', 'Inés'));
  await page.keyboard.press('Escape');
  await expectVisible(page.getByText('Your changes are not saved.'));
  await check(page, 'editing');
  await button(page, 'Keep editing').click();
  await button(page, 'Save text').click();
  await expectCount(page.getByRole('dialog'), 0);
  assert.ok(await hasFocus(button(page, 'Edit text of The Harbour, part 2')));

  // A text that was edited has its notes for good.
  await page.getByRole('radio', { name: /^After the sentence/ }).check();
  await button(page, 'Convert').click();
  await expectVisible(page.getByText('How notes are read can no longer be changed'));
  assert.equal(await page.getByRole('radio', { name: /^Skip them/ }).isChecked(), true);

  // Another tab has begun to convert a part whose text is being edited here: nothing is lost.
  speech.hold();
  await button(page, 'Edit text of مرفأ, part 3').click();
  const other = page.getByRole('textbox', { name: 'مرفأ' });
  await other.fill('The name was written above the door.');
  const { body: voices } = await server.call('GET', '/v1/bff/ereaders', { token });
  const { id: ereader_id } = voices.data.find(({ slug }) => slug === 'tone');
  const id = new URL(page.url()).pathname.split('/').at(-1);
  await server.call('POST', `/v1/bff/materials/${id}/convert`, { token, body: { ereader_id, chunks: [2] } });
  await button(page, 'Save text').click();
  await expectVisible(page.getByText('This part is being converted right now.'));
  assert.equal(await button(page, 'Save text').isDisabled(), true);
  assert.equal(await other.inputValue(), 'The name was written above the door.');
  await check(page, 'in-progress');
  await button(page, 'Cancel').click();
  await button(page, 'Discard them').click();

  // The rest is converted, and cancelled in the middle.
  await button(page, 'Convert').click();
  await button(page, 'Cancel the conversion').click();
  await expectText(page.getByRole('dialog'), ['Parts that are ready stay.', 'credits held for it are released']);
  await check(page, 'cancelling');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the conversion' }).click();
  await expectText(page.getByRole('region', { name: 'Conversion' }), ['Cancelled. The parts that are being spoken now are the last.']);
  // The focus moves when the dialog is gone.
  await expectVisible(page.getByRole('region', { name: 'Conversion' }).and(page.locator(':focus-within')));
  speech.release();
  await expectVisible(page.getByText('1 of 4 parts ready'));
  const spent = 10_000 - (await balance()).balance;
  assert.ok(spent > 0 && (await balance()).held === 0, `${spent} credits`);
  await expectVisible(page.getByText('Files can be made when all included chapters are converted: 3 parts are missing.'));
  await check(page, 'cancelled');
  await button(page, 'Convert').click();
  await page.locator('.badge', { hasText: 'Completed' }).waitFor();
  const said = speech.texts.join('\n');
  assert.ok(said.includes('Inés came') && !said.includes('Inez') && !/Grayling by its printer|hold hands/.test(said), said);

  // The files.
  const zip = await download(page, 'ZIP of MP3 files');
  assert.equal(zip.name, 'The Otters of Grayling Quay.zip');
  const names = zip.bytes.toString('latin1');
  assert.ok(names.includes('002 - The Harbour.mp3') && names.includes('playlist.m3u8') && names.includes('cover.png'), 'the ZIP lacks files');
  assert.ok(!names.includes('Colophon'));
  // One that takes long shows how far it is, and one that fails can be asked for again.
  const answers = [[202, { status: 'assembling', progress: 0.42 }], [500, { error: { code: 'internal_error', message: 'No.', request_id: 'req_0' } }]];
  await page.route('**/audio?*format=epub*url=true*', async (route) => {
    const [status, json] = answers.shift() ?? [];
    return status ? route.fulfill({ status, headers: { 'Retry-After': '1' }, json }) : route.continue();
  });
  await page.getByLabel('Highlight').selectOption('word');
  await button(page, 'Download Read-along EPUB').click();
  await expectVisible(page.getByText('42% is made.'));
  const files = page.getByRole('region', { name: 'Download the book' });
  await expectVisible(files.getByRole('alert'));
  await check(page, 'file-failed');
  const [again] = await Promise.all([page.waitForEvent('download'), button(page, 'Try again').click()]);
  assert.match(again.url(), /granularity=word/);
  const epub = await download(page, 'Read-along EPUB');
  assert.ok(epub.bytes.toString('latin1').includes('application/epub+zip'));
  const m4b = await download(page, 'M4B audiobook');
  assert.equal(m4b.bytes.toString('latin1', 4, 8), 'ftyp');

  // A feed is made.
  await button(page, 'Make a feed').click();
  const address = page.getByLabel('Address of the feed');
  const feed = await address.inputValue();
  assert.ok(await hasFocus(address));
  assert.match(await (await fetch(feed.replace(/^https?:\/\/[^/]+/, server.url))).text(), /<rss/);

  // A part is edited after the conversion: the old audio stays, the part is paid again.
  await button(page, 'Play The Harbour, part 2').click();
  await expectVisible(page.getByRole('region', { name: 'Text of part 2' }));
  await button(page, 'Edit the text').click();
  await text.fill((await text.inputValue()).replace('The lamp', 'A lamp'));
  await button(page, 'Save text').click();
  await expectVisible(page.getByText(/^It costs|can be spoken again/));
  await check(page, 'again');
  await button(page, 'Not now').click();
  await expectVisible(page.getByText('The text was edited. You hear the audio of the old text'));
  await check(page, 'stale');
  // Also later, on another day.
  await page.reload();
  await button(page, 'Open The Harbour, part 2').click();
  await expectVisible(page.getByText('The text was edited. You hear the audio of the old text'));
  const { balance: left } = await balance();
  await button(page, 'Convert this part').click();
  await button(page, 'Convert for 70 credits').click();
  await expectVisible(page.getByText('This is the new audio.'));
  assert.equal(left - (await balance()).balance, 70);
  assert.ok(await hasFocus(page.getByRole('heading', { name: 'The Harbour' })));
  assert.ok(speech.texts.at(-1).includes('A lamp was lit'));

  // The feed is still there, and is revoked.
  await page.reload();
  await expectVisible(address);
  await button(page, 'Revoke the feed').click();
  await button(page, 'Revoke').click();
  await expectVisible(button(page, 'Make a feed'));
  assert.ok(await hasFocus(button(page, 'Make a feed')));
  assert.equal((await fetch(feed.replace(/^https?:\/\/[^/]+/, server.url))).status, 404);
  await visitor.done();
});

// Negative control: with `chapters.found` drawn instead of `chapters.shown` there are 1,200 rows.
// It fails with the pages before it, which said nothing.
test('while a book is converted the page says how long it still takes', async () => {
  const { visitor, page } = await signInWithConsent(browser, server, 'waiting@example.com', { path: '/books' });
  const token = await server.session('waiting@example.com');
  const call = async (method, path, body) => (await server.call(method, `/v1/bff${path}`, { token, body })).body;
  const { id } = await call('POST', '/materials', { text: Array.from({ length: 8 }, (_, at) => `# Chapter ${at + 1}\n\nThe lamp was lit.`).join('\n\n'), language: 'en' });
  await page.goto(`/books/${id}`);
  await expectVisible(button(page, 'Convert'));
  const { id: ereader_id } = (await call('GET', '/ereaders')).data.find(({ slug }) => slug === 'tone');
  speech.hold();
  await call('POST', `/materials/${id}/convert`, { ereader_id });
  await page.reload();
  const progress = page.getByRole('region', { name: 'Conversion' });
  await expectText(progress, ['0 of 8 parts ready']);
  assert.doesNotMatch(await progress.textContent(), /left/);
  speech.release();
  speech.hold();
  await expectText(progress, ['parts ready, less than a minute left']);
  speech.release();
  await expectVisible(page.getByText('Completed', { exact: true }));
  await visitor.done();
});

test('a book of many chapters is shown a page at a time, and searched', async () => {
  const { visitor, page } = await signInWithConsent(browser, server, 'long@example.com', { path: '/books' });
  const token = await server.session('long@example.com');
  // The last one has two parts.
  const text = `${Array.from({ length: 1200 }, (_, at) => `# Chapter of ${at + 1}\n\nThe lamp was lit.`).join('\n\n')}${' The lamp was lit.'.repeat(300)}`;
  const { body } = await server.call('POST', '/v1/bff/materials', { token, body: { text, title: 'شمعة '.repeat(20).trim() } });
  await page.goto(`/books/${body.id}`);
  const rows = contents(page).locator('ol > li');
  await expectCount(rows, 50);
  await button(page, 'Next chapters').click();
  await expectVisible(page.getByText('51 to 100 of 1,200 chapters'));
  await page.getByLabel('Search 1,200 chapters').fill('of 1200');
  await expectCount(rows, 1);
  // A part that is not converted yet can be read.
  await button(page, '2 parts of Chapter of 1200').click();
  await button(page, 'Open part 1201').click();
  await expectVisible(page.getByText('This part is not converted yet.'));
  await check(page, 'many');
  await button(page, 'Close the text').click();
  assert.ok(await hasFocus(page.getByRole('heading', { name: 'Contents' })));
  await page.getByLabel('Search 1,200 chapters').fill('of 119');
  await expectCount(rows, 11);
  await include(page, 'Chapter of 1199').uncheck();
  await expectText(contents(page), ['1,199 of 1,200 chapters']);
  await page.getByLabel('Search 1,200 chapters').fill('');
  await button(page, 'Include all').click();
  await expectVisible(contents(page).getByRole('status').filter({ hasText: '1 chapter changed. 1,200 chapters' }));
  await visitor.done();
});

// Negative control, seen: without the effect that sets `isFormShown` in Book.svelte, the contents go while the form is on its way.
test('what is shown of a converted book stays while the form for a chapter that was added is on its way', async () => {
  const email = 'added@example.com';
  const { visitor, page } = await signInWithConsent(browser, server, email, { path: '/books', credits: 10_000 });
  const token = await server.session(email);
  const call = async (method, path, body) => (await server.call(method, `/v1/bff${path}`, { token, body })).body;
  const until = async (id, status) => {
    while ((await call('GET', `/materials/${id}`)).status !== status) await page.waitForTimeout(100);
  };
  const text = 'Chapter 1\n\nThe boat came in with the morning.\n\nChapter 2\n\nNobody was on the quay to see it.';
  const { id } = await call('POST', '/materials', { text, title: 'The Boat', language: 'en' });
  await until(id, 'ready');
  const { data: voices } = await call('GET', '/ereaders');
  await call('PATCH', `/materials/${id}/chapters/1`, { included: false });
  await call('POST', `/materials/${id}/convert`, { ereader_id: voices.find(({ slug }) => slug === 'tone').id });
  await until(id, 'completed');

  let release;
  const isReleased = new Promise((resolve) => (release = resolve));
  await page.route('**/assets/Book-form-*.js', async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto(`/books/${id}`);
  await expectVisible(contents(page));
  await include(page, 'Chapter 2').check();
  // The page knows that there is something to convert.
  await expectVisible(page.getByText('Files can be made when all included chapters are converted: 1 part is missing.'));
  await page.waitForTimeout(500);
  assert.ok(await contents(page).isVisible());
  assert.ok(await button(page, 'Delete this book').isVisible());
  await expectCount(page.locator('dd', { hasText: /credits?/ }), 0);
  release();
  await expectVisible(price(page));
  assert.ok(await contents(page).isVisible());
  await visitor.done();
});
