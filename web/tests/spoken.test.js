// What was spoken, and what it cost: emphasis in a text, the history, the usage, and a comparison of more than two voices.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';

import { expectCount, expectText, expectVisible, heading, launch, signInWithConsent } from './browser.js';
import { Server, stopAll } from './server.js';

let browser;
let server;

before(async () => {
  [browser, server] = await Promise.all([launch(), Server.start()]);
  for (const name of ['Robin', 'Wren', 'Finch']) {
    await server.admin('voices', 'add', '--slug', name.toLowerCase(), '--name', name, '--engine', 'hibari', '--voice', 'heart', '--tier', 'free', '--price', '2', '--language', 'en-US', '--gender', 'female', '--description', '');
  }
});
after(stopAll);

const open = (email, path, options) => signInWithConsent(browser, server, email, { path, credits: 10_000, ...options });
const textbox = (page) => page.getByRole('textbox', { name: 'Text', exact: true });
async function speak(page, text) {
  await textbox(page).fill(text);
  const answered = page.waitForResponse((response) => response.url().includes('tts:stream'));
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await answered;
  await expectVisible(page.getByRole('region', { name: 'Your audio' }).getByRole('link', { name: 'Download MP3' }));
}
/** Selects a word of the text, as a double click does. */
const select = (page, word) =>
  textbox(page).evaluate((field, wanted) => {
    const at = field.value.indexOf(wanted);
    field.focus();
    field.setSelectionRange(at, at + wanted.length);
  }, word);

test('emphasis turns a text into SSML around the word that is selected, and is undone with a key', async () => {
  const { visitor, page } = await open('stress@example.com', '/speak?reader=heart');
  await textbox(page).fill('Tom & Ada never sleep.');
  await select(page, 'never');
  const emphasis = page.getByRole('button', { name: 'Emphasis' });
  assert.match(await emphasis.getAttribute('title'), /SSML/);
  await emphasis.click();
  assert.equal(await textbox(page).inputValue(), '<speak>Tom &amp; Ada <emphasis level="strong">never</emphasis> sleep.</speak>');
  assert.ok(await page.getByRole('switch', { name: 'SSML' }).isChecked());
  // The markup costs nothing.
  await expectText(page.locator('form'), ['At most 22 credits']);
  await page.getByLabel('Strength of the emphasis').selectOption('Less');
  await select(page, 'sleep');
  await emphasis.click();
  assert.match(await textbox(page).inputValue(), /<emphasis level="reduced">sleep<\/emphasis>\./);
  await textbox(page).press('ControlOrMeta+z');
  assert.doesNotMatch(await textbox(page).inputValue(), /reduced/);
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await expectVisible(page.getByRole('region', { name: 'Your audio' }));
  // The plain text is still there.
  await page.getByRole('switch', { name: 'SSML' }).uncheck();
  assert.equal(await textbox(page).inputValue(), 'Tom & Ada never sleep.');
  await visitor.done();
});

test('a text of the history is found, heard again, said again with another voice, and forgotten', async () => {
  const { visitor, page } = await open('memory@example.com', '/speak?reader=heart');
  await speak(page, 'Otters swim.');
  await speak(page, 'Owls fly at night.');
  await page.getByRole('link', { name: 'History' }).click();
  await expectVisible(heading(page, 'History'));
  const entries = page.locator('main li');
  await expectCount(entries, 2);
  await expectText(entries.first(), ['Owls fly at night.', 'Heart', 'seconds', '18 characters', '18 credits']);

  const search = page.getByRole('searchbox', { name: 'Search the texts' });
  await search.fill('otters');
  await expectCount(entries, 1);
  assert.match(page.url(), /q=otters/);
  await page.reload();
  await expectCount(entries, 1);
  await search.fill('walrus');
  await expectVisible(page.getByText('No text matches.'));
  await search.fill('otters');
  await expectCount(entries, 1);

  const entry = entries.first();
  await entry.locator('summary').click();
  await entry.getByRole('button', { name: /^Play the text of/ }).click();
  await page.waitForFunction(() => document.querySelector('main li audio')?.currentTime > 0.1);
  // The list is loaded again, as after an interruption, with new addresses of the audio. The player keeps its own.
  const before = await entry.locator('audio').getAttribute('src');
  const link = entry.getByRole('link', { name: /^Download MP3 of/ });
  const isNew = (known) => {
    dispatchEvent(new Event('online'));
    return document.querySelector('main li a[download]').getAttribute('href') !== known;
  };
  await page.waitForFunction(isNew, before, { polling: 500 });
  assert.equal(await entry.locator('audio').getAttribute('src'), before);
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  assert.ok((await readFile(await download.path())).length > 1000);

  await entry.getByRole('button', { name: /^Say again with/ }).click();
  await expectVisible(heading(page, 'Speak'));
  assert.equal(await textbox(page).inputValue(), 'Otters swim.');
  await page.getByRole('radio', { name: /^Robin/ }).check();
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await expectVisible(page.getByRole('region', { name: 'Your audio' }).getByText('24 credits'));

  await page.getByRole('link', { name: 'History' }).click();
  await expectCount(entries, 3);
  await expectText(entries.first(), ['Otters swim.', 'Robin']);
  const owls = entries.filter({ hasText: 'Owls' });
  await owls.locator('summary').click();
  await owls.getByRole('button', { name: /^Forget the text/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click();
  await expectCount(owls, 0);
  await expectCount(entries, 3);
  await expectVisible(entries.nth(1).getByText('The text is no longer kept.'));
  // It is a charge, so it stays on the page of credits.
  await page.getByLabel('Pages', { exact: true }).getByRole('link', { name: 'Credits' }).click();
  await expectText(page.locator('table').last(), ['Speech, 3 requests']);
  await visitor.done();
});

test('usage is added up by day, voice and key, as a chart, a table and a file', async () => {
  const { visitor, page } = await open('sums@example.com', '/speak?reader=heart');
  await speak(page, 'Otters swim.');
  await page.getByRole('radio', { name: /^Robin/ }).check();
  await speak(page, 'Owls fly.');
  await page.goto('/credits');
  const usage = page.getByRole('region', { name: 'Usage', exact: true });
  // 12 characters at one credit, and 9 at two.
  await expectText(usage, ['30 credits from']);
  await expectVisible(usage.locator('canvas'));
  await expectCount(usage.locator('.chart li'), 2);
  await usage.getByText('Show as a table').click();
  await expectText(usage.locator('tbody tr'), ['21', '30', '2']);
  await usage.getByRole('radio', { name: 'Voice' }).check({ force: true });
  await expectText(usage.locator('li', { hasText: 'Robin' }), ['9 characters, 1 request', '18 credits']);
  const [download] = await Promise.all([page.waitForEvent('download'), usage.getByRole('button', { name: /^Download as CSV/ }).click()]);
  assert.match(download.suggestedFilename(), /^lectern-usage-by-voice-/);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
  assert.equal(lines[0], 'Voice,Characters,Credits,Requests');
  assert.deepEqual(lines.slice(1).sort(), ['Heart,12,12,1', 'Robin,9,18,1']);
  await usage.getByRole('radio', { name: 'Key' }).check({ force: true });
  await expectText(usage.locator('li'), ['These pages', '30 credits']);
  await usage.getByRole('combobox', { name: 'Days' }).selectOption('Other days');
  const lastWeek = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10);
  const isAsked = (request) => request.url().includes(`/usage?`) && request.url().includes(lastWeek);
  await Promise.all([page.waitForRequest(isAsked), usage.getByLabel('From', { exact: true }).fill(lastWeek)]);
  await expectText(usage.locator('li'), ['These pages', '30 credits']);
  await usage.getByLabel('From', { exact: true }).fill('2020-01-02');
  await usage.getByLabel('to', { exact: true }).fill('2020-01-03');
  await expectVisible(usage.getByText('Nothing was spoken on these days.'));
  await usage.getByLabel('to', { exact: true }).fill('2021-06-01');
  await expectVisible(usage.getByText('At most 366 days at once.'));
  // A month at this pace.
  await expectText(page.locator('main'), ['At the pace of the last 7 days', 'Your credits last']);
  await visitor.done();
});

test('up to four voices are compared, and each can be removed', async () => {
  const { visitor, page } = await open('panel@example.com', '/voices?compare=heart,robin');
  await page.getByLabel('Your text').fill('Hi.');
  const add = page.getByLabel('Compare with one more');
  await add.selectOption({ label: await add.locator('option', { hasText: 'Wren' }).textContent() });
  await expectVisible(heading(page, 'Compare Heart, Robin and Wren'));
  await expectText(page.locator('form'), ['15 credits for all 3']);
  await add.selectOption({ label: await add.locator('option', { hasText: 'Finch' }).textContent() });
  await expectCount(page.locator('.sides > section'), 4);
  // No more fit.
  await expectCount(add, 0);
  await page.getByRole('button', { name: 'Compare without Wren' }).click();
  await expectVisible(heading(page, 'Compare Heart, Robin and Finch'));
  await page.reload();
  await expectVisible(heading(page, 'Compare Heart, Robin and Finch'));
  await page.getByLabel('Your text').fill('Hi.');
  await page.getByRole('button', { name: 'Speak with all 3' }).click();
  await expectCount(page.getByRole('link', { name: 'Download MP3' }), 3);
  await page.getByRole('button', { name: 'Compare without Finch' }).click();
  // Two stay two.
  await expectCount(page.getByRole('button', { name: /^Compare without/ }), 0);
  await visitor.done();
});
