// Makes the pictures in docs/pictures: node tests/pictures.js, with LECTERN_BINARY set as for the tests. Both themes, a phone and a desktop.
import { mkdir, readFile } from 'node:fs/promises';

import { expectVisible, launch, openVisitor, signInWithConsent } from './browser.js';
import { Server, stopAll } from './server.js';

const PICTURES = new URL('../../docs/pictures/', import.meta.url).pathname;
const BOOK = new URL('../../docs/examples/the-lantern-keeper.epub', import.meta.url).pathname;
const EMAIL = 'ada@example.com';
const BOOKS = [
  ['Middlemarch', 'George Eliot'],
  ['The Voyage Out', 'Virginia Woolf'],
  ['Moby-Dick; or, The Whale', 'Herman Melville'],
  ['Frankenstein', 'Mary Shelley'],
  ['Les Misérables', 'Victor Hugo'],
  ['Walden', 'Henry David Thoreau'],
];

const TEXTS = [
  'The tide is out until four. Meet me at the lighthouse steps.',
  'Minutes of the harbour board: the lamp is to be lit at dusk, without exception.',
  'Chapter one ended before anybody noticed that the rain had stopped.',
  'Please say the name of the next station slowly, and the platform twice.',
];

await mkdir(PICTURES, { recursive: true });
const [browser, server] = await Promise.all([launch(), Server.start()]);
try {
  const { visitor, page } = await signInWithConsent(browser, server, EMAIL, { path: '/settings', credits: 250_000 });
  const token = await server.session(EMAIL);
  const bff = async (method, path, body) => (await server.call(method, `/v1/bff${path}`, { token, body })).body;
  const until = async (id, status) => {
    while ((await bff('GET', `/materials/${id}`)).status !== status) await new Promise((resolve) => setTimeout(resolve, 100));
  };
  for (const [title, author] of BOOKS) {
    const { id } = await bff('POST', '/materials', { text: `# ${title}\n\n${'The harbour was quiet, and the lamp was lit. '.repeat(40)}`, title });
    await until(id, 'ready');
    await bff('PATCH', `/materials/${id}`, { author });
  }
  const form = new FormData();
  form.append('file', new Blob([await readFile(BOOK)]), 'the-lantern-keeper.epub');
  const { id } = await (await fetch(`${server.url}/v1/bff/materials`, { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body: form })).json();
  await until(id, 'ready');
  const heart = (await bff('GET', '/ereaders')).data.find(({ slug }) => slug === 'heart').id;
  await bff('POST', `/materials/${id}/convert`, { ereader_id: heart });
  await until(id, 'completed');
  await server.admin('voices', 'samples');
  await server.admin('voices', 'add', '--slug', 'robin', '--name', 'Robin', '--engine', 'hibari', '--voice', 'heart', '--tier', 'free', '--price', '2', '--language', 'en-US', '--gender', 'female', '--description', 'A second reader for dialogue.');
  const robin = (await bff('GET', '/ereaders')).data.find(({ slug }) => slug === 'robin').id;
  for (const [text, ereader_id] of TEXTS.map((text, at) => [text, at % 2 ? robin : heart])) await bff('POST', '/tts:synthesize', { text, ereader_id });
  await page.goto(`/books/${id}`);
  await page.getByRole('button', { name: /^Play One/ }).click();
  await page.waitForFunction(() => document.querySelector('audio[data-current]')?.currentTime > 4);
  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Pause', exact: true }).locator('visible=true').click();
  const storageState = await visitor.context.storageState();
  await visitor.done();

  const play = async (page) => {
    await page.getByRole('button', { name: 'Continue listening' }).click();
    await expectVisible(page.locator('.spoken-text mark'));
  };
  const emphasize = async (page) => {
    const field = page.getByRole('textbox', { name: 'Text', exact: true });
    await field.evaluate((box) => box.setSelectionRange(box.value.indexOf('last'), box.value.indexOf('last') + 4));
    await page.getByRole('button', { name: 'Emphasis' }).click();
  };
  const pages = [
    ['landing', '/', async (page) => {
      await page.getByRole('button', { name: 'Play the sample' }).click();
      await expectVisible(page.locator('.sample mark'));
    }, true],
    ['home', '/'],
    ['books', '/books'],
    ['book', `/books/${id}`, play],
    ['player', `/books/${id}`, async (page) => {
      await play(page);
      await page.getByRole('button', { name: 'Open the player' }).click();
      await page.getByRole('button', { name: 'Add a bookmark here' }).click();
    }],
    ['speak', '/speak', emphasize],
    ['voices', '/voices'],
    ['compare', '/voices?compare=heart,robin', async (page) => {
      await page.getByLabel('Your text').fill('The ships came home.');
      await page.getByRole('button', { name: 'Speak with both' }).click();
      await expectVisible(page.locator('.sides > section:last-child .spoken-text'));
    }],
    ['history', '/history', async (page) => {
      await page.locator('main summary').first().click();
      await expectVisible(page.locator('.bar [type=range]'));
    }],
    ['credits', '/credits', async (page) => {
      await page.getByRole('combobox', { name: 'Days' }).selectOption('Last 7 days');
      await expectVisible(page.locator('.chart canvas'));
      await page.getByRole('region', { name: 'Usage', exact: true }).evaluate((card) => card.scrollIntoView({ block: 'center' }));
    }],
  ];
  for (const [colorScheme, width, height] of [['light', 360, 740], ['dark', 360, 740], ['light', 1280, 800], ['dark', 1280, 800]]) {
    for (const [name, path, prepare, isGuest] of pages) {
      const one = await openVisitor(browser, server, { colorScheme, reducedMotion: 'reduce', viewport: { width, height }, ...(isGuest ? {} : { storageState }) });
      const page = await one.context.newPage();
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      await prepare?.(page);
      await page.screenshot({ path: `${PICTURES}${name}-${colorScheme}-${width}.png` });
      await one.done();
    }
  }
} finally {
  await stopAll();
}
