// Lists of books, what converting one costs, and what it cost: on the real server, in a real browser.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { counts, launch, shows, signedInAndAgreed } from './browser.js';
import { Server, stopAll } from './server.js';

let browser;
let server;

before(async () => {
  [browser, server] = await Promise.all([launch(), Server.start()]);
});
after(stopAll);

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A book made of a text, once it has been read. */
async function book(token, text, title) {
  const { body } = await server.call('POST', '/v1/bff/materials', { token, body: { text, title } });
  for (let tries = 0; tries < 200; tries += 1) {
    const { body: found } = await server.call('GET', `/v1/bff/materials/${body.id}`, { token });
    if (found.status !== 'processing') return found;
    await sleep(50);
  }
  throw new Error(`${title} is not read`);
}

// Negative controls, seen on the page as it was: each look asks for all rows that are shown, in pages of 100. And without the
// single requests the book far below stays "Converting".
test('a long list follows what happens at the cost of a short one, and keeps its rows and its place', async () => {
  const { who, page } = await signedInAndAgreed(browser, server, 'shelf@example.com', { path: '/settings' });
  const token = await server.session('shelf@example.com');
  const real = await book(token, 'A short text about otters.', 'A book');
  const made = (at, rest) => ({
    ...real, id: `mat_${String(at).padStart(32, '0')}`, title: `Book ${String(at).padStart(3, '0')}`, status: 'completed', chunk_count: 4, chunks_completed: 4, ...rest,
  });
  // 230 books; one is converted that is far from the first page.
  let books = Array.from({ length: 230 }, (_, at) => made(230 - at));
  books[180] = { ...books[180], status: 'converting', chunks_completed: 1 };
  const asked = [];
  await page.route(/\/v1\/bff\/materials(\/mat_\d+)?\?/, async (route) => {
    const url = new URL(route.request().url());
    asked.push(url.pathname + url.search);
    const id = url.pathname.split('/')[4];
    if (id) return route.fulfill({ json: books.find((one) => one.id === id) });
    const [limit, from] = [Number(url.searchParams.get('limit')), Number(url.searchParams.get('cursor') ?? 0)];
    const after = from ? books.findIndex((one) => Number(one.id.slice(4)) === from) + 1 : 0;
    const data = books.slice(after, after + limit);
    await route.fulfill({ json: { data, next_cursor: after + limit < books.length ? String(Number(data.at(-1).id.slice(4))) : null } });
  });
  await page.getByRole('link', { name: 'Materials' }).click();
  const rows = page.locator('tbody tr');
  await counts(rows, 50);
  await page.getByRole('button', { name: 'Show more' }).click();
  await counts(rows, 150);
  await page.getByRole('button', { name: 'Show more' }).click();
  await counts(rows, 230);
  const row = page.locator('tr', { hasText: 'Book 050' });
  await row.scrollIntoViewIfNeeded();
  await shows(row.getByText('1 of 4'));
  const place = () => row.evaluate((element) => Math.round(element.getBoundingClientRect().top));
  const before = await place();
  assert.ok(await page.evaluate(() => scrollY > 2000));

  asked.length = 0;
  await sleep(7000);
  assert.ok(asked.length >= 2 && asked.length <= 10, `${asked.length} requests in seven seconds:\n${asked.join('\n')}`);
  assert.ok(asked.every((one) => /limit=50&environment|mat_/.test(one)), asked.join('\n'));

  // Two new books, one that is gone, and the end of a conversion: nothing moves under whoever reads the list.
  books = [made(232), made(231), ...books.filter((_, at) => at !== 3)];
  books[181] = { ...books[181], status: 'completed', chunks_completed: 4 };
  await shows(row.getByText('4 of 4'));
  await counts(rows, 231);
  await shows(page.getByText('Book 232'));
  await counts(page.getByText('Book 227'), 0);
  assert.equal(await place(), before);
  await counts(page.getByRole('button', { name: 'Show more' }), 0);
  // Of more new books than a page holds, none is left out.
  books = [...Array.from({ length: 60 }, (_, at) => made(292 - at, { status: at ? 'completed' : 'processing' })), ...books];
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await counts(page.getByText('Book 292'), 1);
  await counts(page.getByText('Book 235'), 1);
  await who.done();
});

// Negative control, seen on the page as it was: the statement is asked for with each look at the balance.
test('while books are converted the ledger is summed up seldom, and at once when they are done', async () => {
  const { who, page } = await signedInAndAgreed(browser, server, 'ledger@example.com', { path: '/settings' });
  let held = 900;
  let balance = 5000;
  let [weighed, summed, purchases] = [0, 0, 0];
  await page.route('**/v1/bff/credits/balance?*', (route) => {
    weighed += 1;
    // Some of what is held has been charged since.
    if (held) [held, balance] = [held - 10, balance - 10];
    return route.fulfill({ json: { balance, held, available: balance - held, has_purchased_credits: false } });
  });
  await page.route('**/v1/bff/credits/statement?*', (route) => {
    summed += 1;
    return route.continue();
  });
  await page.route('**/v1/bff/purchases?*', (route) => {
    purchases += 1;
    return route.continue();
  });
  await page.getByRole('link', { name: 'Credits' }).click();
  await shows(page.getByRole('heading', { name: 'Ledger' }));
  await sleep(9000);
  assert.ok(weighed >= 3, `${weighed} looks at the balance`);
  assert.deepEqual([summed, purchases], [1, 1]);
  held = 0;
  for (let tries = 0; tries < 50 && summed < 2; tries += 1) await sleep(100);
  assert.equal(summed, 2);
  await who.done();
});

// Negative control, seen on the page as it was: all parts of the book are listed under the sum of one day.
test('the parts of a book are those of the days that are asked for', async () => {
  const { who, page } = await signedInAndAgreed(browser, server, 'days@example.com', { path: '/settings' });
  const id = `mat_${'0'.repeat(32)}`;
  const parts = [0, 1, 2].map((index) => ({ index, title: `Chapter ${index + 1}`, characters: 300, credits: 300, at: `2026-03-0${index + 1}T23:59:59.000Z` }));
  await page.route('**/v1/bff/credits/statement?*', (route) => {
    const [from, to] = ['from', 'to'].map((name) => new URL(route.request().url()).searchParams.get(name));
    const booked = parts.filter(({ at }) => (!from || at >= from) && (!to || at < to));
    const line = { kind: 'book', material_id: id, title: 'A book', note: null, entries: booked.length, credits: -300 * booked.length, at: booked.at(-1)?.at };
    return route.fulfill({ json: { data: booked.length ? [line] : [], next_cursor: null } });
  });
  await page.route(`**/v1/bff/credits/statement/${id}?*`, (route) => route.fulfill({ json: { data: parts } }));
  await page.getByRole('link', { name: 'Credits' }).click();
  await page.getByRole('button', { name: /^Show 3 parts/ }).click();
  await counts(page.locator('tr.part'), 3);
  await page.getByLabel('From (UTC)').fill('2026-03-02');
  await page.getByLabel('To (UTC)').fill('2026-03-02');
  await shows(page.getByText('-300', { exact: true }));
  await counts(page.locator('tr.part'), 1);
  await shows(page.locator('tr.part', { hasText: 'Chapter 2' }));
  await page.getByLabel('To (UTC)').fill('2026-03-03');
  await counts(page.locator('tr.part'), 2);
  await who.done();
});

// Negative control: on the page as it was, this book is not English, and Convert is disabled.
test('a book that names its language by another code is spoken', async () => {
  const { who, page } = await signedInAndAgreed(browser, server, 'code@example.com', { path: '/materials' });
  const token = await server.session('code@example.com');
  const { id } = await book(token, 'The harbour was quiet, and the otters slept. '.repeat(9), 'Otters');
  const { status } = await server.call('PATCH', `/v1/bff/materials/${id}`, { token, body: { language: 'eng' } });
  assert.equal(status, 200);
  await page.goto(`/materials/${id}`);
  await shows(page.locator('dd', { hasText: 'English' }));
  await counts(page.getByText(/does not speak/), 0);
  await page.getByRole('button', { name: 'Change the language' }).click();
  const choice = page.getByLabel('Language of the book');
  assert.equal(await choice.evaluate((select) => select.selectedOptions[0].textContent), 'English');
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await page.locator('.badge', { hasText: 'Completed' }).first().waitFor({ timeout: 60_000 });
  await who.done();
});

// Negative control, seen on the page as it was: both times Convert is disabled, though the service would take the second.
test('the service decides whether credits are enough, and the page says what may be missing', async () => {
  const { who, page } = await signedInAndAgreed(browser, server, 'few@example.com', { path: '/materials', credits: 1000 });
  const token = await server.session('few@example.com');
  const english = 'The harbour was quiet, and the otters slept. ';
  const dear = await book(token, english.repeat(40), 'Too long');
  await page.goto(`/materials/${dear.id}`);
  const convert = page.getByRole('button', { name: 'Convert', exact: true });
  const missing = (dear.characters - 1000).toLocaleString('en');
  await shows(page.getByText(`You need ${missing} more credits.`));
  await convert.click();
  await shows(page.getByRole('alert').getByText(`you need ${missing} more credits.`));
  const balance = async () => (await server.call('GET', '/v1/bff/credits/balance', { token })).body;
  assert.deepEqual([(await balance()).balance, (await balance()).held], [1000, 0]);
  // Half of this book is in a script that the voice does not read: nothing is held for it.
  const hebrew = 'הנמל היה שקט, והלוטרות ישנו תחת הירח. ';
  const half = await book(token, `# The harbour\n\n${english.repeat(14)}\n\n# הנמל\n\n${hebrew.repeat(20)}`, 'Both');
  await server.call('PATCH', `/v1/bff/materials/${half.id}`, { token, body: { language: 'he' } });
  assert.ok(half.characters > 1000 && half.chunk_count === 2, JSON.stringify(half));
  await page.goto(`/materials/${half.id}`);
  await shows(page.getByText(/does not speak Hebrew/));
  await page.getByLabel(/Convert it anyway/).check();
  await shows(page.locator('dd', { hasText: `at most ${half.characters.toLocaleString('en')} credits` }));
  await shows(page.getByText(`You may need up to ${half.characters - 1000} more credits.`));
  await convert.click();
  await shows(page.getByRole('button', { name: /^Play/ }));
  const { balance: rest, held } = await balance();
  assert.ok(held === 0 && rest > 300 && rest < 1000, `${rest}, ${held} held`);
  await who.done();
});
