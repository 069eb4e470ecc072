// Draws the PNG icons in public/ from public/icon.svg: CHROMIUM=/usr/bin/chromium node scripts/icons.js. They are kept in the repository, so
// that a build needs no browser.
import { readFile, writeFile } from 'node:fs/promises';

import { chromium } from 'playwright-core';

/** The color of the icon's ground, which fills what is outside its rounded corners where the system cuts its own. */
const GROUND = '#14524c';
/** The file, its size, and how much of it the drawing takes: systems cut up to a tenth of each side of a maskable icon. */
const ICONS = [
  ['icon-192.png', 192, null],
  ['icon-512.png', 512, null],
  ['icon-maskable-512.png', 512, 0.76],
  ['apple-touch-icon.png', 180, 0.9],
];

const folder = new URL('../public/', import.meta.url);
const drawing = Buffer.from(await readFile(new URL('icon.svg', folder))).toString('base64');
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--headless', '--no-sandbox'] });
try {
  for (const [name, size, share] of ICONS) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    const width = Math.round(size * (share ?? 1));
    const ground = share ? GROUND : 'transparent';
    await page.setContent(`<body style="margin:0;display:grid;place-items:center;height:100vh;background:${ground}"><img alt="" width="${width}" src="data:image/svg+xml;base64,${drawing}">`);
    await page.locator('img').evaluate((image) => image.decode());
    await writeFile(new URL(name, folder), await page.screenshot({ omitBackground: true }));
    await page.close();
  }
} finally {
  await browser.close();
}
