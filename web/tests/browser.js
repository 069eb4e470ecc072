// Chromium, and what no page may do: contact another origin, violate the content security policy, throw, or open a dialog.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

import { PASSWORD, stopLater } from './server.js';

// Debian's shell without windows needs two thirds of the time of the whole browser, with the same engine.
const chromiumPath = [process.env.CHROMIUM, '/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path && existsSync(path));
if (!chromiumPath) throw new Error('Chromium is not installed: apt-get install chromium-headless-shell (Debian) or chromium, or set CHROMIUM to its path');

/** How long a test waits for what must come. On a busy machine the largest page takes over 20 s to be drawn; what never comes fails in any case. */
const PATIENCE_MS = 60_000;

export async function launch(...args) {
  const browser = await chromium.launch({
    executablePath: chromiumPath,
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
      ...args,
    ],
  });
  stopLater({ stop: () => browser.close() });
  return browser;
}

/** A new browser profile, without the service worker, whose requests no test can change. `done` closes it, and fails if a page did what none may do. */
export async function openVisitor(browser, server, options = {}) {
  // The headless shell lets no page write to the clipboard unasked, as a browser with a window does after a click.
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 900 }, acceptDownloads: true, serviceWorkers: 'block', permissions: ['clipboard-write'], ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const faults = [];
  const allowedOrigins = new Set([server.url, ...(options.allowedOrigins ?? [])]);
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && !allowedOrigins.has(origin)) faults.push(`a request to ${origin}`);
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

/** Creates an account that has agreed to the published documents, and opens a page on which it is signed in. */
export async function signInWithConsent(browser, server, email, { path = '/', credits, options } = {}) {
  const invited = await server.account(email, credits);
  await server.admin('consent', 'accept', '--account', email);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const visitor = await openVisitor(browser, server, options);
  const page = await visitor.context.newPage();
  await page.goto(`/sign-in?next=${encodeURIComponent(path)}`);
  await signIn(page, email);
  await page.waitForURL((url) => url.pathname === path.split('?')[0]);
  return { visitor, page, invited };
}

export const heading = (page, name) => page.getByRole('heading', { level: 1, name });

/** Waits until an element is visible. */
export async function expectVisible(locator) {
  await locator.first().waitFor({ state: 'visible' });
}

/** Waits until there are `expected` elements. */
export async function expectCount(locator, expected, message) {
  const end = Date.now() + PATIENCE_MS;
  let count = await locator.count();
  while (count !== expected && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    count = await locator.count();
  }
  // Not counted again: the number may be another one by now.
  assert.equal(count, expected, message);
}

/** Waits until an element contains each of these texts. */
export async function expectText(locator, texts) {
  const end = Date.now() + PATIENCE_MS;
  let shown = '';
  do {
    shown = ((await locator.first().textContent({ timeout: PATIENCE_MS })) ?? '').replace(/\s+/g, ' ');
    if (texts.every((text) => shown.includes(text))) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  } while (Date.now() < end);
  assert.fail(`${JSON.stringify(texts)} is not in: ${shown}`);
}
