#!/usr/bin/env node
// The web application with much in it, and on a slow line: how long the service takes for a page of each list of an account with
// 10,000 books and 100,000 ledger rows, the Largest Contentful Paint of every page in Chromium, and how long each letter of a
// search in 10,000 words takes to be drawn.
//
// LECTERN_BINARY names the program, which embeds built pages (`npm run build` in web/, then a release build). Needs Chromium and
// web/node_modules. Filling takes some minutes. `bench/pages.mjs --books 500 --rows 3000` is a smaller account; `--only lists`,
// `--only paint` or `--only search` is one of the three, `--page /books` are the pages whose names contain that.
import { parseArgs } from 'node:util';

import { launch, openVisitor, signIn } from '../web/tests/browser.js';
import { Server, stopAll } from '../web/tests/server.js';
import { ToneServer } from '../web/tests/tone.js';

const { values: options } = parseArgs({
  options: { books: { type: 'string', default: '10000' }, rows: { type: 'string', default: '100000' }, only: { type: 'string', default: '' }, page: { type: 'string', default: '' } },
});
const BOOKS = Number(options.books);
const ROWS = Number(options.rows);
const AT_ONCE = 8;
/** How many pages of each list are read: the first ones, and as many at its end as the cursor leads to. */
const PAGES = 100;
const EMAIL = 'pages@example.com';

// Lighthouse's "slow 4G" as the browser applies it to each request, and a processor four times slower.
const SLOW_4G = { offline: false, latency: 562.5, downloadThroughput: (1474.56 * 1024) / 8, uploadThroughput: (675 * 1024) / 8 };
const SLOWER_PROCESSOR = 4;
/** Each page is opened so often, with an empty cache. */
const LOADS = 5;

/** Runs `work` for 0 to `count`, some at once. */
async function each(count, work) {
  let next = 0;
  const run = async () => {
    while (next < count) {
      const at = next;
      next += 1;
      await work(at);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
}

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
function summary(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return { median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), worst: sorted.at(-1) };
}

const AUTHORS = ['Ada Lind', 'Bo Holm', 'Cem Aksoy', 'Dora Silva', 'Émile Roux', '藤村 さくら'];
const WORDS = ['harbour', 'lamp', 'storm', 'garden', 'winter', 'letter', 'island', 'clock', 'river', 'orchard'];
const title = (at) => `The ${WORDS[at % 10]} and the ${WORDS[Math.floor(at / 10) % 10]}, ${at}`;

/** An account with books and calls. */
async function fill(server) {
  const { live_key: key } = await server.account(EMAIL, 1_000_000_000);
  await server.admin('consent', 'accept', '--account', EMAIL);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const token = await server.session(EMAIL);
  const expect = (wanted, { status, body }) => {
    if (status !== wanted) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return body;
  };
  const { data: voices } = expect(200, await server.call('GET', '/v1/bff/ereaders', { token }));
  const { id: tone } = voices.find(({ slug }) => slug === 'tone');
  const begun = performance.now();
  /** The first one is converted, the second is not. */
  const books = [];
  await each(BOOKS, async (at) => {
    const body = { text: `It was ${WORDS[at % 10]} weather. “Nobody has told the keeper of the light about it,” said Ada. “He will know,” said Bo.`, title: title(at), language: 'en' };
    const { id } = expect(202, await server.call('POST', '/v1/bff/materials', { token, body }));
    books.push(id);
    if (at % 3 === 0) expect(200, await server.call('PATCH', `/v1/bff/materials/${id}`, { token, body: { author: AUTHORS[at % 6] } }));
  });
  // A call is held for and charged, which makes two rows or three.
  let rows = 0;
  while (rows < ROWS) {
    await each(Math.max(AT_ONCE, Math.ceil(Math.min(3_000, (ROWS - rows) / 3))), async (at) => {
      expect(200, await server.call('POST', '/v1/saas/tts:synthesize', { token: key, body: { text: `Call ${at}.`, ereader_id: tone, format: 'wav' } }));
    });
    ({ rows } = await counted(server, token));
  }
  await server.call('POST', `/v1/bff/materials/${books[0]}/convert`, { token, body: { ereader_id: tone } });
  console.error(`filled in ${Math.round((performance.now() - begun) / 1000)} s`);
  return { token, books };
}

/** How many rows the ledger has: the export has a line for each. */
async function counted(server, token) {
  const answer = await fetch(`${server.url}/v1/bff/credits/transactions.csv`, { headers: { Authorization: `Bearer ${token}` } });
  const text = await answer.text();
  return { rows: text.split('\n').length - 2, status: answer.status };
}

async function lists(server, token) {
  const paths = {
    'books, newest first': '/v1/bff/library?limit=24',
    'books, by title': '/v1/bff/library?limit=24&sort=title',
    'books, by author': '/v1/bff/library?limit=24&sort=author',
    'books, last listened first': '/v1/bff/library?limit=24&sort=listened',
    'books, searched': '/v1/bff/library?limit=24&q=harbour',
    'books, not converted': '/v1/bff/library?limit=24&show=unconverted',
    'books of the API': '/v1/bff/materials?limit=100',
    'credits, by book and call': '/v1/bff/credits/statement?limit=50',
    'ledger of the API': '/v1/bff/credits/transactions?limit=100',
    history: '/v1/bff/history?limit=50',
    'history, searched': '/v1/bff/history?limit=50&q=Call%201234.',
    'usage by day': '/v1/bff/usage?group_by=day',
    'usage by voice': '/v1/bff/usage?group_by=ereader',
    'usage by key': '/v1/bff/usage?group_by=key',
    overview: '/v1/bff/overview',
    voices: '/v1/bff/ereaders?limit=100',
  };
  console.log('| list | pages | median, ms | 95 % | worst |\n|---|---:|---:|---:|---:|');
  for (const [name, path] of Object.entries(paths)) {
    const times = [];
    let cursor = '';
    for (let page = 0; page < PAGES; page += 1) {
      const before = performance.now();
      const answer = await fetch(server.url + path + cursor, { headers: { Authorization: `Bearer ${token}` } });
      const body = await answer.json();
      times.push(performance.now() - before);
      if (answer.status !== 200) {
        console.log(`| ${name} | ${answer.status}: ${JSON.stringify(body.error?.details ?? body)} |`);
        break;
      }
      cursor = body.next_cursor ? `&cursor=${encodeURIComponent(body.next_cursor)}` : '';
    }
    const { median, p95, worst } = summary(times);
    console.log(`| ${name} | ${times.length} | ${median.toFixed(1)} | ${p95.toFixed(1)} | ${worst.toFixed(1)} |`);
  }
}

/** When the largest picture or text of a page was drawn, in milliseconds after the navigation began. */
async function largestPaint(browser, server, state, path) {
  const visitor = await openVisitor(browser, server, { storageState: state, viewport: { width: 412, height: 823 } });
  const page = await visitor.context.newPage();
  const session = await visitor.context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Network.emulateNetworkConditions', SLOW_4G);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_PROCESSOR });
  await page.addInitScript(() => {
    globalThis.paints = [];
    new PerformanceObserver((list) => globalThis.paints.push(...list.getEntries().map(({ startTime, element }) => [startTime, element?.tagName]))).observe({ type: 'largest-contentful-paint', buffered: true });
  });
  await page.goto(path, { waitUntil: 'load' });
  // Some pages fetch more and more of what may be wanted next.
  await page.waitForLoadState('networkidle', { timeout: 12_000 }).catch(() => undefined);
  await page.waitForTimeout(1500);
  const paints = await page.evaluate(() => globalThis.paints);
  await visitor.context.close();
  return paints.at(-1);
}

/** What the browser keeps of an account that is signed in. */
async function signedInState(browser, server) {
  const visitor = await openVisitor(browser, server);
  const page = await visitor.context.newPage();
  await page.goto('/sign-in');
  await signIn(page, EMAIL);
  await page.waitForURL((url) => url.pathname === '/');
  const state = await visitor.context.storageState();
  await visitor.context.close();
  return state;
}

/** From a letter in the search of a list of 10,000 words to the frame after it, in milliseconds. */
async function search(browser, server, token, state) {
  const entries = Array.from({ length: 10_000 }, (_, at) => ({ word: `Word ${at}`, alias: `way ${at}` }));
  const { status, body } = await server.call('POST', '/v1/bff/lexicons', { token, body: { name: 'Many', language: 'en', entries } });
  if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`);
  const visitor = await openVisitor(browser, server, { storageState: state });
  const page = await visitor.context.newPage();
  const session = await visitor.context.newCDPSession(page);
  await page.goto(`/pronunciation/${body.id}`);
  const field = page.getByLabel('Search 10,000 words');
  await field.waitFor();
  console.log('\n| processor | letters | median, ms | 95 % | worst |\n|---|---:|---:|---:|---:|');
  for (const rate of [1, SLOWER_PROCESSOR]) {
    await session.send('Emulation.setCPUThrottlingRate', { rate });
    const times = await field.evaluate(async (field) => {
      const found = [];
      for (let round = 0; round < 20; round += 1) {
        for (const text of ['w', 'wo', 'word 9', 'word 99', 'word 999', '']) {
          const begun = performance.now();
          field.value = text;
          field.dispatchEvent(new InputEvent('input', { bubbles: true }));
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
          found.push(performance.now() - begun);
        }
      }
      return found;
    });
    const { median, p95, worst } = summary(times);
    console.log(`| ${rate === 1 ? 'as it is' : `${rate} × slower`} | ${times.length} | ${median.toFixed(0)} | ${p95.toFixed(0)} | ${worst.toFixed(0)} |`);
  }
  await visitor.context.close();
}

async function paint(browser, server, signedIn, books) {
  const guest = { cookies: [], origins: [] };
  const pages = [
    ...['/', '/sign-in', '/register', '/forgot', '/docs', '/docs/guide/'].map((path) => [path, path, guest]),
    ['/books/CONVERTED', `/books/${books[0]}`, signedIn], ['/books/UNCONVERTED', `/books/${books[1]}`, signedIn],
    ...['/', '/books', '/speak', '/voices', '/pronunciation', '/history', '/credits', '/settings', '/developers', '/keys', '/webhooks'].map((path) => [path, path, signedIn]),
  ].filter(([name]) => name.includes(options.page));
  console.log('\n| page | who | largest paint, median of five, ms | worst | what |\n|---|---|---:|---:|---|');
  for (const [name, path, state] of pages) {
    const found = [];
    for (let load = 0; load < LOADS; load += 1) found.push(await largestPaint(browser, server, state, path));
    const { median, worst } = summary(found.map(([time]) => time));
    console.log(`| ${name} | ${state === guest ? 'a guest' : 'signed in'} | ${Math.round(median)} | ${Math.round(worst)} | ${(found.at(-1)[1] ?? '').toLowerCase()} |`);
  }
}

try {
  const tone = await ToneServer.start(0.2);
  const server = await Server.start({ LECTERN_UPSTREAM__BASE_URL: tone.url, LECTERN_RATE_LIMIT__REQUESTS_PER_MINUTE: '100000000' });
  await server.admin('voices', 'add', '--slug', 'tone', '--name', 'Tone', '--engine', 'upstream', '--voice', 'tone', '--tier', 'free', '--price', '1', '--language', 'en-US', '--description', 'A tone.');
  const { token, books } = await fill(server);
  const { rows } = await counted(server, token);
  console.log(`${BOOKS} books, ${rows} ledger rows.\n`);
  const isWanted = (part) => options.only === '' || options.only === part;
  if (isWanted('lists')) await lists(server, token);
  if (isWanted('paint') || isWanted('search')) {
    const browser = await launch();
    const state = await signedInState(browser, server);
    if (isWanted('paint')) await paint(browser, server, state, books);
    // Last: it leaves a long list in the account.
    if (isWanted('search')) await search(browser, server, token, state);
  }
} finally {
  await stopAll();
}
