// The pages and dialogs of pronunciation, for tests/pages.test.js: the name of a screenshot, the path, the user and what to do first.
import { expectVisible } from './browser.js';

/** Makes a list of more words than a page shows, and an empty one. Returns the ID of the first. */
export async function createLists(bff, longName) {
  const entries = [{ word: 'Siobhan', ipa: 'ʃɪˈvɔːn' }, { word: 'Nguyen', alias: 'win' }, ...Array.from({ length: 90 }, (_, at) => ({ word: `${at} ${'long'.repeat(9)}`, x_sampa: 'i"nEs' }))];
  const { body } = await bff('POST', '/lexicons', { name: 'Names in my novel', language: 'en', entries, default: true });
  await bff('POST', '/lexicons', { name: longName, language: 'en-GB', entries: [] });
  return body.id;
}

const click = (name) => async (page) => page.getByRole('button', { name }).first().click();
async function openWrongWord(page) {
  await page.getByRole('button', { name: /^Play/ }).first().click();
  await page.getByRole('button', { name: 'Read wrongly?' }).click();
  await page.getByLabel('Say it as').fill('something else');
}

/** `ids` are known when the pages are opened. */
export const pronunciationPages = (ids) => [
  ['book-wrong', () => `/books/${ids().material}`, 'rich', async (page) => {
    await openWrongWord(page);
    await expectVisible(page.getByText(/^\d+ credits$/));
  }],
  ['book-again', () => `/books/${ids().material}`, 'rich', async (page) => {
    await openWrongWord(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expectVisible(page.getByText(/can be spoken again/));
  }],
  ['speak-voices', '/speak', 'rich', async (page) => {
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill(`It was late.\n[speaker Ines]\nHello.\n[speaker ${'Longname'.repeat(9)}]\nAye.`);
    await page.getByLabel('Word lists').selectOption('chosen');
    await expectVisible(page.getByRole('region', { name: 'Voices of the text' }));
  }],
  ['speak-pronounce', '/speak', 'rich', click('Pronounce…')],
  ['speak-voice', '/speak', 'rich', click('Voice…')],
  ['pronunciation', '/pronunciation', 'rich'],
  ['pronunciation-empty', '/pronunciation', 'fresh'],
  ['pronunciation-make', '/pronunciation', 'rich', click('New word list')],
  ['pronunciation-import', '/pronunciation', 'rich', async (page) => {
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByLabel('File').setInputFiles({ name: 'names.csv', mimeType: 'text/csv', buffer: Buffer.from(`A,b\nC,\n${'long'.repeat(30)},x,y\n`) });
    await expectVisible(page.getByText('Line 2:'));
  }],
  ['pronunciation-delete', '/pronunciation', 'rich', click(/^Delete/)],
  ['word-list', () => `/pronunciation/${ids().words}`, 'rich', async (page) => expectVisible(page.getByText('1 to 50 of 92 words'))],
  ['word-list-wrong', () => `/pronunciation/${ids().words}`, 'rich', async (page) => {
    await page.getByRole('button', { name: 'Add a word' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expectVisible(page.getByRole('alert'));
  }],
  ['word-list-unknown', '/pronunciation/lex_0', 'rich', async (page) => expectVisible(page.getByRole('alert'))],
];
