// The player: on a real server in a real browser. The voice is a tone, so that a book takes no time to make and its sound is known.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { expectCount, expectText, expectVisible, heading, launch, openVisitor, signInWithConsent } from './browser.js';
import { Server, stopAll } from './server.js';
import { ToneServer } from './tone.js';

let browser;
let server;

before(async () => {
  const tone = await ToneServer.start(3);
  [browser, server] = await Promise.all([launch(), Server.start({ LECTERN_UPSTREAM__BASE_URL: tone.url })]);
  await server.admin('voices', 'add', '--slug', 'tone', '--name', 'Tone', '--engine', 'upstream', '--voice', 'tone', '--tier', 'free', '--price', '1', '--language', 'en-US', '--description', 'A tone.');
});
after(stopAll);

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const CHAPTERS = ['The Quay', 'The Lamp', 'The Storm', 'Home'];
const button = (page, name) => page.getByRole('button', { name, exact: true });
const bar = (page) => page.getByRole('region', { name: 'Player' });
const audio = (page) => page.locator('audio[data-current]');
const current = (page) => page.locator('[aria-label="Player"] .what a');
const clock = (seconds) => `${Math.floor(Math.round(seconds) / 60)}:${String(Math.round(seconds) % 60).padStart(2, '0')}`;
const isPaused = (page) => audio(page).evaluate((one) => one.paused);
const position = (page) => audio(page).evaluate((one) => one.currentTime);

/** An account with a book of four chapters, each some seconds of a tone, on whose page it is. `starts` is where they begin, in seconds. */
async function openBook(email, options) {
  const { visitor, page } = await signInWithConsent(browser, server, email, { path: '/settings', options });
  const token = await server.session(email);
  const call = async (method, path, body) => (await server.call(method, `/v1/bff${path}`, { token, body })).body;
  const text = CHAPTERS.map((title) => `# ${title}\n\nThe lamp was lit, and the ships came home along the stones of the quay.`).join('\n\n');
  const { id } = await call('POST', '/materials', { text, title: 'The Lantern Keeper', language: 'en' });
  const until = async (status) => {
    for (let tries = 0; tries < 400; tries += 1) {
      if ((await call('GET', `/materials/${id}`)).status === status) return;
      await sleep(50);
    }
    throw new Error(`the book is not ${status}`);
  };
  await until('ready');
  const { id: ereader_id } = (await call('GET', '/ereaders')).data.find(({ slug }) => slug === 'tone');
  await call('POST', `/materials/${id}/convert`, { ereader_id });
  await until('completed');
  const { data } = await call('GET', `/materials/${id}/chunks`);
  const starts = [0];
  for (const { duration_ms } of data) starts.push(starts.at(-1) + duration_ms / 1000);
  await page.goto(`/books/${id}`);
  await expectVisible(heading(page, 'The Lantern Keeper'));
  return { visitor, page, id, starts };
}
const startChapter = async (page, number) => {
  await button(page, `Play ${CHAPTERS[number - 1]}, part ${number}`).click();
  await page.waitForFunction(() => document.querySelector('audio[data-current]')?.currentTime > 0.1);
};

/** What is heard: in an audio worklet, so that a busy page changes nothing. Posts the peak of each block of 128 samples. */
const RECORDER = `registerProcessor('recorder', class extends AudioWorkletProcessor {
  process([[samples = []]]) {
    this.port.postMessage(samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0));
    return true;
  }
});`;
/** Below this it is silent. */
const SILENT = 0.002;

/** Records both elements of the player with WebAudio from now on. */
async function record(page) {
  await page.evaluate(async (recorder) => {
    const context = new AudioContext();
    await context.audioWorklet.addModule(URL.createObjectURL(new Blob([recorder], { type: 'text/javascript' })));
    const node = new AudioWorkletNode(context, 'recorder');
    for (const audio of document.querySelectorAll('[aria-label="Player"] audio')) context.createMediaElementSource(audio).connect(node);
    node.connect(context.destination);
    globalThis.heard = { peaks: [], blockMs: 128_000 / context.sampleRate };
    node.port.onmessage = ({ data }) => heard.peaks.push(data);
  }, RECORDER);
}
/** The silences between sounds, in milliseconds. */
const heardSilences = (page) =>
  page.evaluate((silent) => {
    const loud = heard.peaks.flatMap((peak, at) => (peak < silent ? [] : [at]));
    return loud.flatMap((at, turn) => (turn && at - loud[turn - 1] > 4 ? [(at - loud[turn - 1] - 1) * heard.blockMs] : []));
  }, SILENT);
/** The silences at the beginning and the end of the file of each part, in milliseconds. */
const ownSilences = (page, id) =>
  page.evaluate(async ([id, silent]) => {
    const context = new OfflineAudioContext(1, 1, 48_000);
    const { data } = await (await fetch(`/v1/bff/materials/${id}/chunks?environment=live`)).json();
    return Promise.all(data.map(async ({ index }) => {
      const file = await fetch(`/v1/bff/materials/${id}/chunks/${index}/audio?environment=live`);
      const samples = (await context.decodeAudioData(await file.arrayBuffer())).getChannelData(0);
      const isLoud = (sample) => Math.abs(sample) >= silent;
      return [samples.findIndex(isLoud), samples.length - 1 - samples.findLastIndex(isLoud)].map((count) => count / 48);
    }));
  }, [id, SILENT]);

// Negative controls, each seen: when the next part is not loaded ahead there is no change from one element to the other; when the player
// belongs to the page, it is gone on the next one.
test('the next part begins without a gap, on whichever page the listener is', async () => {
  const { visitor, page, id } = await openBook('gapless@example.com', { bypassCSP: true });
  const own = await ownSilences(page, id);
  await startChapter(page, 1);
  await record(page);
  await page.getByRole('link', { name: 'Voices' }).click();
  await expectVisible(heading(page, 'Voices'));
  for (const title of ['The Lamp', 'The Storm', 'Home']) {
    await audio(page).evaluate((one) => (one.currentTime = one.duration - 1.5));
    await expectText(current(page), [title]);
    await sleep(800);
  }
  const silences = (await heardSilences(page)).filter((silence) => silence > 0);
  // What is silent in the files themselves is no gap.
  const gaps = silences.slice(-3).map((silence, at) => silence - own[at][1] - own[at + 1][0]);
  console.log(`# gaps between parts: ${gaps.map((gap) => gap.toFixed(1)).join(', ')} ms; the files are silent for ${own.flat().map(Math.round).join(', ')} ms`);
  assert.ok(gaps.length === 3 && gaps.every((gap) => Math.abs(gap) <= 50), `${gaps} ms, of ${silences}`);
  assert.equal(await isPaused(page), false);
  await visitor.done();
});

// Negative controls, each seen: without `savePlace` the book begins anew; without `resume` there is no player after the reload; without
// `filterBooks` all books count as finished.
test('the place is remembered, and the player is there after a reload', async () => {
  const { visitor, page, id, starts } = await openBook('place@example.com');
  await startChapter(page, 2);
  await button(page, 'Pause').first().click();
  await button(page, 'Open the player').click();
  await page.getByRole('dialog', { name: 'Now playing' }).getByLabel('Position in this chapter').fill('3000');
  await page.keyboard.press('Escape');
  await expectText(bar(page), ['0:03']);
  await page.reload();
  await expectText(bar(page), ['The Lamp', '0:03']);
  await page.goto('/books');
  await expectVisible(page.getByText(`${Math.round(((starts[1] + 3) / starts[4]) * 100)}% heard`));
  await page.getByLabel('Show').selectOption('begun');
  await expectCount(page.getByRole('article'), 1);
  await page.getByLabel('Show').selectOption('finished');
  await expectCount(page.getByRole('article'), 0);
  await page.goto('/');
  await expectVisible(page.getByRole('heading', { name: 'Continue listening' }));
  await page.goto(`/books/${id}`);
  await button(page, 'Continue listening').click();
  await page.waitForFunction(() => document.querySelector('audio[data-current]')?.currentTime > 3.1);
  // Closing it is for good, and the place stays.
  await button(page, 'Close the player').click();
  await expectCount(bar(page), 0);
  await page.reload();
  await expectVisible(button(page, 'Continue listening'));
  await expectCount(bar(page), 0);
  // Nobody else hears of it.
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expectVisible(heading(page, 'Sign in'));
  await expectCount(page.locator('audio'), 0);
  await visitor.done();
});

// Negative control, seen: with a handler that also takes keys of fields, the space in the search pauses.
test('keys play, skip and change the speed, and leave fields alone', async () => {
  const { visitor, page, starts } = await openBook('keys-of-the-player@example.com');
  const chapterAt = (seconds) => CHAPTERS[starts.findIndex((start) => start > seconds) - 1] ?? 'Home';
  await startChapter(page, 1);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('Space');
  assert.equal(await isPaused(page), true);
  await page.keyboard.press('Space');
  await page.waitForFunction(() => !document.querySelector('audio[data-current]').paused);
  await page.keyboard.press('Shift+ArrowUp');
  assert.equal(await audio(page).evaluate((one) => one.playbackRate), 1.1);
  await page.keyboard.press('Shift+ArrowDown');
  // Half a minute further is at or near the end; 15 seconds back is in the chapters before.
  await page.keyboard.press('Space');
  const before = await position(page);
  await page.keyboard.press('ArrowRight');
  const after = Math.min(before + 30, starts[4]);
  await expectText(current(page), [chapterAt(after)]);
  await page.keyboard.press('ArrowLeft');
  await expectText(current(page), [chapterAt(after - 15)]);
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Shift+ArrowRight');
  await expectText(bar(page), ['The Lamp', '0:00']);
  await page.getByRole('link', { name: 'Voices' }).click();
  await expectVisible(heading(page, 'Voices'));
  await button(page, 'Say my text with Tone').click();
  await page.keyboard.type('a b');
  assert.equal(await page.getByLabel('Your text').inputValue(), 'a b');
  assert.equal(await isPaused(page), true);
  await visitor.done();
});

// Negative control, seen: when a place in a part is lost on the way to it, bookmarks lead to its beginning.
test('bookmarks, chapters and the lines of time lead to their places', async () => {
  const { visitor, page, starts } = await openBook('marks@example.com');
  await startChapter(page, 2);
  await button(page, 'Pause').first().click();
  await button(page, 'Open the player').click();
  const dialog = page.getByRole('dialog', { name: 'Now playing' });
  await dialog.getByLabel('Position in this chapter').fill('2000');
  await dialog.getByRole('button', { name: 'Add a bookmark here' }).click();
  await expectVisible(dialog.getByRole('button', { name: 'Play from The Lamp, 0:02' }));
  await dialog.getByLabel('Position in the book').fill(String(Math.ceil(starts[3] + 1) * 1000));
  await expectText(dialog.locator('.chapter'), ['Home']);
  await expectText(dialog, [`${clock(Math.ceil(starts[3] + 1))} / ${clock(starts[4])}`]);
  await dialog.getByRole('button', { name: 'Play from The Lamp, 0:02' }).click();
  await page.waitForFunction(() => Math.abs((document.querySelector('audio[data-current]')?.currentTime ?? 0) - 2.2) < 0.6);
  await expectText(dialog.locator('.chapter'), ['The Lamp']);
  await dialog.getByText('4 chapters').click();
  await dialog.getByRole('button', { name: /^The Storm/ }).click();
  await expectText(dialog.locator('.chapter'), ['The Storm']);
  await dialog.getByRole('button', { name: 'Remove the bookmark at The Lamp, 0:02' }).click();
  await expectVisible(dialog.getByText('No bookmarks in this book yet.'));
  await visitor.done();
});

// Negative controls, each seen: without the check of the chapter's end the next chapter plays; without that of the time nothing stops.
test('the sleep timer stops at the end of the chapter, or after a while', async () => {
  const { visitor, page } = await openBook('sleeper@example.com');
  await startChapter(page, 1);
  await button(page, 'Open the player').click();
  const dialog = page.getByRole('dialog', { name: 'Now playing' });
  await dialog.getByLabel('Sleep timer').selectOption('chapter');
  await audio(page).evaluate((one) => (one.currentTime = one.duration - 0.5));
  await expectText(dialog.locator('.chapter'), ['The Lamp']);
  await sleep(500);
  assert.deepEqual([await isPaused(page), await position(page)], [true, 0]);
  assert.equal(await dialog.getByLabel('Sleep timer').inputValue(), 'off');
  await page.evaluate(() => {
    const real = Date.now;
    globalThis.later = 0;
    Date.now = () => real() + globalThis.later;
  });
  await dialog.getByLabel('Sleep timer').selectOption('5');
  await dialog.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForFunction(() => document.querySelector('audio[data-current]').currentTime > 0.2);
  await page.evaluate(() => (globalThis.later = 5 * 60_000));
  await page.waitForFunction(() => document.querySelector('audio[data-current]').paused);
  assert.equal(await audio(page).evaluate((one) => one.volume), 1, 'the fading is left over');
  await visitor.done();
});

// Negative control, seen: without `handleKeys` there is no handler, and without `describeBook` no title.
test('the system knows the title, and its keys work', async () => {
  const { visitor, page } = await openBook('lockscreen@example.com', { serviceWorkers: 'block' });
  await page.addInitScript(() => {
    globalThis.handlers = {};
    navigator.mediaSession.setActionHandler = (action, handler) => (handlers[action] = handler);
  });
  await page.reload();
  await startChapter(page, 2);
  const known = () => page.evaluate(() => [navigator.mediaSession.metadata?.title, navigator.mediaSession.metadata?.album, navigator.mediaSession.playbackState]);
  assert.deepEqual(await known(), ['The Lamp', 'The Lantern Keeper', 'playing']);
  await page.evaluate(() => handlers.nexttrack({ action: 'nexttrack' }));
  await expectText(bar(page), ['The Storm']);
  await page.evaluate(() => handlers.pause({ action: 'pause' }));
  await page.waitForFunction(() => navigator.mediaSession.playbackState === 'paused');
  assert.deepEqual(await known(), ['The Storm', 'The Lantern Keeper', 'paused']);
  await page.evaluate(() => handlers.seekto({ action: 'seekto', seekTime: 4 }));
  await expectText(bar(page), ['0:04']);
  await visitor.done();
});

// Negative control, seen: without theme.js the page has no theme before its script runs, and the choice is lost.
test('the theme is chosen, kept, and set before the first paint', async () => {
  const { visitor, page } = await signInWithConsent(browser, server, 'themes@example.com', { path: '/settings', options: { colorScheme: 'light' } });
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(), 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
  await page.getByRole('navigation', { name: 'Pages' }).getByLabel('Light').check({ force: true });
  assert.equal(await theme(), 'light');
  await page.route('**/assets/index-*.js', () => undefined);
  await page.goto('/docs');
  assert.equal(await theme(), 'light');
  await page.goto('/books', { waitUntil: 'commit' });
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'light');
  assert.equal(await page.locator('h1').count(), 0);
  await visitor.done();
});

// Negative control, seen: without `newPath` the page does not exist.
test('old addresses lead to the pages of today', async () => {
  const { visitor, page } = await signInWithConsent(browser, server, 'bookmarks@example.com', { path: '/settings' });
  for (const [old, now, title] of [['/materials?x=1', '/books?x=1', 'Books'], ['/e-readers?say=heart', '/voices?say=heart', 'Voices'], ['/try', '/speak', 'Speak'], ['/materials/mat_0', '/books/mat_0', 'Book']]) {
    await page.goto(old);
    await expectVisible(heading(page, title));
    assert.equal(page.url(), server.url + now);
  }
  await visitor.done();
});

// Negative control, seen: without the page for guests the sign-in page appears.
test('a guest learns what this is, hears it, and finds the way in', async () => {
  const visitor = await openVisitor(browser, server);
  const page = await visitor.context.newPage();
  await page.goto('/');
  await expectVisible(heading(page, /Your books/));
  await button(page, 'Play the sample').click();
  const mark = page.locator('.sample mark');
  await expectVisible(mark);
  // A word that is clicked is heard at once.
  await page.locator('[data-word="40"]').click();
  await page.waitForFunction(() => Number(document.querySelector('.sample mark')?.dataset.word) >= 40);
  await button(page, 'Pause the sample').click();
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await expectVisible(heading(page, 'Sign in'));
  await visitor.done();
});

// Negative control, seen: with the upload form of the list alone, a file that is dropped on the first page is ignored.
test('a new account is told what its credits are worth, and drops its first book on the first page', async () => {
  const { visitor, page } = await signInWithConsent(browser, server, 'first-book@example.com', { credits: 50_000 });
  await expectVisible(page.getByText('You have 50,000 credits. That is about 49 min of speech'));
  await page.locator('h1').evaluate((target) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['The lamp was lit, and the ships came home. '.repeat(9)], 'harbour.txt', { type: 'text/plain' }));
    target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  });
  await expectVisible(heading(page, 'harbour'));
  await expectVisible(button(page, 'Convert'));
  await visitor.done();
});
