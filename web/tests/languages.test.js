// A book in each language, through the pages, with the voices of Kokoro: `./test --all` runs it where their pack is.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { expectVisible, launch, signInWithConsent } from './browser.js';
import { Server, stopAll } from './server.js';

const BOOKS = join(import.meta.dirname, '../../crates/documents/tests/fixtures/languages');
// What a voice of Kokoro is called and which language its card shows.
const OWN_NAMES = { es: 'Español', fr: 'Français', hi: 'हिन्दी', it: 'Italiano', ja: '日本語', 'pt-BR': 'Português', 'zh-CN': '中文' };
// A whole book is spoken in this one.
const SPOKEN = process.env.BOOK_LANGUAGE ?? 'ja';

let browser;
let server;

before(async () => {
  [browser, server] = await Promise.all([launch(), Server.start()]);
});
after(stopAll);

test('each book opens with a voice that speaks its language, and becomes an audiobook with captions', { timeout: 1_200_000 }, async () => {
  const { visitor, page } = await signInWithConsent(browser, server, 'polyglot@example.com', { path: '/books', credits: 100_000 });
  const books = readdirSync(BOOKS).filter((name) => name.endsWith('.epub'));
  assert.deepEqual(books.map((name) => name.slice(0, -5)).sort(), Object.keys(OWN_NAMES).sort());
  for (const [language, ownName] of Object.entries(OWN_NAMES)) {
    await page.goto('/books');
    await page.getByLabel('File to upload').setInputFiles(join(BOOKS, `${language}.epub`));
    const form = page.locator('form', { has: page.getByRole('heading', { name: 'Convert' }) });
    await expectVisible(form);
    const chosen = await form.locator('.option.selected').first().innerText();
    assert.ok(chosen.includes(ownName), `${language}: the voice is ${chosen}`);
    assert.equal(await form.getByText('does not speak').count(), 0);
    if (language !== SPOKEN) continue;
    if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `${language}-convert.png`), fullPage: true });
    await form.getByRole('button', { name: 'Convert', exact: true }).click();
    await page.locator('.badge', { hasText: 'Completed' }).first().waitFor({ timeout: 900_000 });
    for (const [name, begins] of [['Captions (VTT)', 'WEBVTT'], ['M4B audiobook', '\0\0\0']]) {
      const [download] = await Promise.all([page.waitForEvent('download', { timeout: 120_000 }), page.getByRole('region', { name: 'Download the book' }).locator('a, button', { hasText: name }).click()]);
      const bytes = await readFile(await download.path());
      assert.equal(bytes.toString('latin1').slice(0, begins.length), begins, name);
    }
    if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `${language}-done.png`), fullPage: true });
  }
  await visitor.done();
});
