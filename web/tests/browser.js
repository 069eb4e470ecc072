// Chromium as people have it, and what no page may do: talk to anybody else, break its own policy, or throw.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

import { keep, PASSWORD } from './server.js';

const found = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path && existsSync(path));
if (!found) throw new Error('Chromium is not there: apt-get install chromium, or name it in CHROMIUM');

export async function launch(...further) {
  const browser = await chromium.launch({
    executablePath: found,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--autoplay-policy=no-user-gesture-required',
      ...further,
    ],
  });
  keep({ stop: () => browser.close() });
  return browser;
}

/** A browser profile of its own. What it did wrong is in `faults`. */
export async function visitor(browser, server, options = {}) {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options });
  context.setDefaultTimeout(20_000);
  const faults = [];
  const ours = new Set([server.url, ...(options.alsoOurs ?? [])]);
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && !ours.has(origin)) faults.push(`a request to ${origin}`);
  });
  context.on('page', (page) => {
    page.on('pageerror', (error) => faults.push(`an error: ${error.message}`));
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) faults.push(message.text());
    });
    page.on('dialog', (dialog) => {
      faults.push(`a dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
  });
  return { context, faults, async done() {
    await context.close();
    assert.deepEqual(faults, []);
  } };
}

export async function signIn(page, email, password = PASSWORD) {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** An account that has agreed to what is published, and a page on which it is signed in. */
export async function signedInAndAgreed(browser, server, email, { path = '/', credits, options } = {}) {
  const invited = await server.account(email, credits);
  await server.admin('consent', 'accept', '--account', email);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const who = await visitor(browser, server, options);
  const page = await who.context.newPage();
  await page.goto(`/sign-in?next=${encodeURIComponent(path)}`);
  await signIn(page, email);
  await page.waitForURL((url) => url.pathname === path.split('?')[0]);
  return { who, page, invited };
}

export const heading = (page, name) => page.getByRole('heading', { level: 1, name });

/** Waits for what a page shows, by what it is. */
export async function shows(locator) {
  await locator.first().waitFor({ state: 'visible' });
}

/** Waits until this many are there: a list may come a moment after what announces it. */
export async function counts(locator, wanted, what) {
  const end = Date.now() + 20_000;
  while ((await locator.count()) !== wanted && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(await locator.count(), wanted, what);
}
