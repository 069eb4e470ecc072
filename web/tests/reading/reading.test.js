// An EPUB of the service is played by a reader that others wrote: foliate-js, which interprets Media Overlays. It finds each text
// and clip by the overlay, plays the audio, and marks what is spoken.
//
// Negative controls, each seen to fail: overlays whose ids are those of no element, clips without an end, and audio that is not there.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';

import { launch } from '../browser.js';
import { Server, stopAll } from '../server.js';

const root = new URL('../../', import.meta.url);
// No request leaves the browser: all are answered from here.
const READER = 'http://localhost:9';

let browser;
let server;
let key;

before(async () => {
  [browser, server] = await Promise.all([launch(), Server.start()]);
  key = (await server.account('reader@example.com')).live_key;
  await server.admin('consent', 'accept', '--account', 'reader@example.com');
});
after(stopAll);

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function ask(path, options = {}) {
  const answer = await fetch(`${server.url}/v1/saas${path}`, { ...options, headers: { Authorization: `Bearer ${key}`, ...options.headers } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

async function until(path, isDone) {
  for (let tries = 0; tries < 600; tries += 1) {
    const answer = await ask(path);
    const found = await isDone(answer);
    if (found) return found;
    await sleep(50);
  }
  throw new Error(`${path} does not become ready`);
}

/** Uploads a document, has it spoken, and returns its EPUB. */
async function epubOf(name, content, granularity) {
  const form = new FormData();
  form.append('file', new Blob([content]), name);
  const { id } = await (await ask('/materials', { method: 'POST', body: form })).json();
  const withStatus = (status) => async (answer) => (await answer.json()).status === status;
  await until(`/materials/${id}`, withStatus('ready'));
  const { data } = await (await ask('/ereaders')).json();
  const body = JSON.stringify({ ereader_id: data.find(({ slug }) => slug === 'heart').id });
  await ask(`/materials/${id}/convert`, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
  await until(`/materials/${id}`, withStatus('completed'));
  return until(`/materials/${id}/audio?format=epub&granularity=${granularity}`, async (answer) => answer.status === 200 && Buffer.from(await answer.arrayBuffer()));
}

/** What the reader shows while it plays a book. */
async function play(epub, enough, chapters) {
  const page = await browser.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await page.route('**/*', async (route) => {
    const { origin, pathname } = new URL(route.request().url());
    if (!origin.startsWith(READER)) return route.continue();
    if (pathname === '/book.epub') return route.fulfill({ body: epub, contentType: 'application/epub+zip' });
    const file = pathname.startsWith('/foliate-js/') ? new URL(`node_modules${pathname}`, root) : new URL(`tests/reading${pathname}`, root);
    const body = await readFile(file).catch(() => null);
    return body ? route.fulfill({ body, contentType: pathname.endsWith('.js') ? 'text/javascript' : 'text/html' }) : route.fulfill({ status: 404 });
  });
  await page.goto(`${READER}/reader.html`);
  await page.waitForFunction(() => window.isReady);
  const played = await page.evaluate(([wanted, count]) => window.play('/book.epub', wanted, count), [enough, chapters]);
  await page.close();
  assert.deepEqual(faults.filter((fault) => !fault.includes('404')), []);
  return played;
}

/** Checks that the marks go forward with the audio, each within its clip. */
function checkMarks(seen) {
  for (const [at, mark] of seen.entries()) {
    assert.ok(mark.clip.begin <= mark.at, `${mark.text} is marked ${mark.at} s into the audio, before its clip: ${JSON.stringify(mark.clip)}`);
    const before = seen[at - 1];
    if (before?.chapter === mark.chapter) {
      assert.ok(mark.at > before.at && mark.clip.begin >= before.clip.end, `${before.id} and ${mark.id} overlap`);
    }
  }
}

// Both play at the same time.
describe('a reader of others', { concurrency: true }, () => {
  test('plays a kept EPUB word by word', async () => {
    const book = await readFile(new URL('../docs/examples/the-lantern-keeper.epub', root));
    const { activeClass, chapters, seen } = await play(await epubOf('lantern.epub', book, 'word'), 4, 1);
    assert.equal(activeClass, '-epub-media-overlay-active');
    assert.equal(chapters, 3);
    checkMarks(seen);
    const text = 'Two: The Letter The letter came on the Thursday boat, between a sack of flour and a crate of indignant hens.';
    // The reader looks four times a second, so it may leave out a short word.
    let from = 0;
    for (const { text: word } of seen) {
      const found = text.indexOf(word, from);
      assert.ok(found >= from && !word.includes(' '), `${word} in ${text.slice(from)}`);
      from = found + word.length;
    }
  });

  test('plays a new EPUB sentence by sentence, with each chapter’s own audio', async () => {
    const text = 'Chapter 1\n\nNight.\n\nChapter 2\n\nIt rained. Nobody came.\n\nChapter 3\n\nThe lamp went out. That was all.\n';
    const { chapters, seen } = await play(await epubOf('rain.txt', text, 'sentence'), 2, 2);
    assert.equal(chapters, 3);
    checkMarks(seen);
    const sentences = ['Chapter 2', 'It rained.', 'Chapter 3', 'The lamp went out.'];
    assert.deepEqual(seen.map((mark) => mark.text), sentences);
    assert.ok(seen.every(({ looks }) => looks === seen[0].looks && !looks.endsWith('rgba(0, 0, 0, 0)')), JSON.stringify(seen.map(({ looks }) => looks)));
  });
});
