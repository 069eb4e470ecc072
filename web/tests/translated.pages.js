// The pages of books, speech, voices, history and credits, for tests/translations.test.js: the path, the user and what to do first.
// Buttons are found by their places, because their names differ in every language.
import { expectCount, expectVisible } from './browser.js';
import { showManyVoices } from './manyvoices.js';

const DIALOGUE = 'The harbour was quiet. “Is the lamp lit?” said Ines. “Not yet,” said Tom. “Then light it,” said Ines.';
const LINES = 'It was late.\n[speaker イネス]\nHello.\n[speaker トム]\nAye.';

/** Makes books that are spoken, ready and foreign, a purchase, and spoken texts. Returns the IDs of the books. */
export async function createBooks(server, token) {
  const bff = async (method, path, body) => (await server.call(method, `/v1/bff${path}`, { token, body })).body;
  const until = async (id, status) => {
    for (let tries = 0; tries < 600; tries += 1) {
      if ((await bff('GET', `/materials/${id}`)).status === status) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`the book is not ${status}`);
  };
  const make = async (title, text) => {
    const { id } = await bff('POST', '/materials', { text, title });
    await until(id, 'ready');
    return id;
  };
  const heart = (await bff('GET', '/ereaders')).data.find(({ slug }) => slug === 'heart').id;
  const spoken = await make('灯台守', '# One\n\nThe harbour was quiet, and the lamp was lit.\n\n# Two\n\nThe ships came home.\n\n# Three\n\nNobody knew why.');
  for (const index of [0, 1, 2]) await bff('PATCH', `/materials/${spoken}/chapters/${index}`, { title: ['灯り', '船', '謎'][index] });
  await bff('POST', `/materials/${spoken}/convert`, { ereader_id: heart });
  const ready = await make('対話', `# 一\n\n${`${DIALOGUE} `.repeat(6)}`);
  const named = await make('台本', LINES);
  const foreign = await make('物語', 'كان يا ما كان في قديم الزمان رجل يعيش في قرية صغيرة قرب البحر. '.repeat(5));
  for (const text of ['Hello.', 'The ships came home.']) await bff('POST', '/tts:synthesize', { text, ereader_id: heart });
  await bff('POST', '/purchases', { pack_id: '100000' });
  await until(spoken, 'completed');
  return { spoken, ready, named, foreign };
}

const press = (selector) => async (page) => page.locator(selector).first().click();
const dialog = async (page) => expectVisible(page.locator('dialog[open]'));
/** Presses a button that opens a dialog, and waits for it. */
const opens = (selector) => async (page) => {
  await press(selector)(page);
  await dialog(page);
};
const poor = (page) => page.route('**/v1/bff/credits/balance?*', (route) => route.fulfill({ json: { balance: 7, held: 0, available: 7, has_purchased_credits: false } }));
const alert = async (page) => expectVisible(page.getByRole('alert'));
async function play(page) {
  await press('ol .actions button')(page);
  await expectVisible(page.locator('.spoken-text span[data-word], .spoken-text mark'));
  await expectVisible(page.locator('section.player'));
}

/** `ids` are known when the pages are opened. */
export const translatedPages = (ids) => [
  ['/books', 'reader', async (page) => expectVisible(page.getByRole('article'))],
  ['/books', 'reader', async (page) => {
    await page.locator('input[name=view][value=list]').check({ force: true });
    await expectVisible(page.locator('tbody tr'));
  }],
  ['/books', 'reader', async (page) => {
    await page.locator('#sort').selectOption('series');
    await expectVisible(page.locator('.shelf'));
  }],
  ['/books', 'fresh', async (page) => expectVisible(page.locator('.empty'))],
  ['/books', 'fresh', press('.drop button:not(.primary)')],
  ['/books', 'fresh', press('.drop button:not(.primary) + button')],
  ['/books', 'reader', async (page) => {
    await page.locator('input[type=file]').setInputFiles({ name: 'b.epub', mimeType: '', buffer: Buffer.from([0, 1, 2, 255]) });
    await alert(page);
  }],
  [() => `/books/${ids().ready}`, 'reader', async (page) => {
    await expectVisible(page.locator('form.card h2'));
    await press('section.card button[aria-controls$="-list"]')(page);
    await press('section.card details summary')(page);
    await expectVisible(page.locator('section.card form li select'));
  }],
  [() => `/books/${ids().named}`, 'reader', async (page) => {
    await expectVisible(page.locator('form.card h2'));
    await press('section.card button[aria-controls$="-list"]')(page);
    await page.locator('section.card form li select').first().selectOption({ index: 1 });
    await expectVisible(page.locator('form.card .notice.warn'));
  }],
  [() => `/books/${ids().ready}`, 'reader', async (page) => {
    await poor(page);
    await page.reload();
    await expectVisible(page.locator('form.card .notice.warn'));
  }],
  [() => `/books/${ids().foreign}`, 'reader', async (page) => {
    await poor(page);
    await page.reload();
    await page.locator('form.card .notice.warn input[type=checkbox]').check();
    await expectCount(page.locator('form.card .notice.warn'), 2);
  }],
  [() => `/books/${ids().spoken}`, 'reader', play],
  [() => `/books/${ids().spoken}`, 'reader', async (page) => {
    await play(page);
    await opens('section.player button[aria-haspopup=dialog]')(page);
    await page.locator('dialog details').evaluate((details) => (details.open = true));
    await page.locator('dialog select').last().selectOption('15');
    await press('dialog section button')(page);
    await press('dialog ul li button:nth-child(2)')(page);
    await expectVisible(page.locator('dialog form input'));
  }],
  [() => `/books/${ids().spoken}`, 'reader', async (page) => {
    await play(page);
    await opens('.spoken-text + .row button')(page);
    await expectVisible(page.locator('dialog form button.primary'));
  }],
  [() => `/books/${ids().spoken}`, 'reader', async (page) => {
    await opens('ol .actions button:nth-child(2)')(page);
    await page.locator('dialog textarea').fill('The harbour was not quiet at all.');
    await page.keyboard.press('Escape');
    await alert(page);
  }],
  [() => `/books/${ids().spoken}`, 'reader', async (page) => {
    await press('section.card button[aria-controls$="-form"]')(page);
    const details = 'section.card:has(button[aria-controls$="-form"])';
    await page.locator(`${details} form input`).first().fill('');
    await press(`${details} form button.primary`)(page);
    await alert(page);
  }],
  [() => `/books/${ids().spoken}`, 'reader', async (page) => {
    await page.locator('section[aria-labelledby=shares] form input').fill('short');
    await press('section[aria-labelledby=shares] form button')(page);
    await expectVisible(page.locator('section[aria-labelledby=shares] .error'));
  }],
  ['/listen/none', 'reader', async (page) => expectVisible(page.locator('h1:not(.visually-hidden)'))],
  [() => `/books/${ids().spoken}`, 'reader', opens('main > .stack > div > button.danger')],
  [() => `/books/${ids().spoken}`, 'reader', async (page) => {
    await press('ol .heading button')(page);
    await press('section[aria-labelledby=feed] div > button')(page);
    await expectVisible(page.locator('section[aria-labelledby=feed] input, section[aria-labelledby=feed] .notice'));
  }],
  ['/books/mat_0', 'reader', alert],
  ['/speak', 'reader', async (page) => expectVisible(page.locator('section[aria-labelledby=code] pre'))],
  ['/speak', 'reader', async (page) => {
    await page.locator('textarea').first().fill(LINES);
    await expectVisible(page.locator('form li select'));
  }],
  ['/speak', 'reader', async (page) => {
    await page.locator('textarea').first().fill('The ships came home. '.repeat(300));
    await expectVisible(page.locator('form .notice button'));
  }],
  ['/speak', 'reader', press('form input[role=switch]')],
  ['/speak', 'reader', opens('.tools > button.small')],
  ['/speak', 'reader', opens('.tools > button.small + button.small')],
  ['/speak', 'reader', async (page) => {
    await press('form button.primary')(page);
    await expectVisible(page.locator('.spoken-text'));
  }],
  ['/speak', 'reader', async (page) => {
    await showManyVoices(page);
    await press('fieldset button[aria-controls$="-list"]')(page);
    await expectVisible(page.locator('fieldset [role=search] input'));
  }],
  ['/speak', 'fresh', async (page) => {
    await press('form button.primary')(page);
    await alert(page);
  }],
  ['/voices', 'reader', async (page) => showManyVoices(page)],
  ['/voices?say=heart', 'reader', async (page) => {
    await page.locator('li.open textarea').fill('Hello.');
    await press('li.open button.primary')(page);
    await expectVisible(page.locator('.spoken-text'));
  }],
  ['/voices?language=ja&engine=hibari', 'reader', showManyVoices],
  ['/voices?compare=heart,voice-3', 'reader', async (page) => {
    await showManyVoices(page);
    await page.locator('form textarea').fill('Hello.');
    await press('form button.primary')(page);
    await expectVisible(page.locator('.spoken-text'));
    await alert(page);
  }],
  ['/voices?compare=heart', 'reader', async (page) => expectVisible(page.locator('.tray button'))],
  ['/history', 'reader', async (page) => {
    await press('main li summary')(page);
    await expectVisible(page.locator('.bar [type=range]'));
  }],
  ['/history', 'reader', async (page) => {
    await press('main li summary')(page);
    await opens('main li .body > .row > button:last-child')(page);
  }],
  ['/history', 'fresh', async (page) => expectVisible(page.locator('.empty'))],
  ['/history?q=zzz', 'reader', async (page) => expectVisible(page.locator('.empty'))],
  ['/credits', 'reader', async (page) => {
    await press('td button[aria-expanded]')(page);
    await press('section.card details summary')(page);
    await expectVisible(page.locator('tr.part'));
  }],
  ['/credits', 'reader', async (page) => {
    await page.locator('section.card .segments input[value=ereader]').check({ force: true });
    await expectVisible(page.locator('.sums li'));
    await opens('td > button.small')(page);
  }],
  ['/credits', 'reader', async (page) => {
    await page.locator('section.card .segments input[value=book]').check({ force: true });
    await page.locator('section.card select').selectOption('own');
    await page.locator('#kind').selectOption('book');
    await page.locator('section[aria-labelledby=low] form button').click();
    await expectVisible(page.locator('.sums li'));
  }],
  ['/credits', 'fresh', async (page) => {
    await press('section[aria-labelledby=buy] button')(page);
    await expectVisible(page.locator('section[aria-labelledby=buy] .notice'));
  }],
  ['/credits?purchase=pur_0', 'reader', async (page) => expectVisible(page.locator('.notice.warn'))],
];
