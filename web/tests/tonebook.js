// A server whose only voice is a tone, so that a book takes no time to make, and a book of four such parts.
import { Server } from './server.js';
import { ToneServer } from './tone.js';

export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
export const TITLE = 'The Lantern Keeper';
export const CHAPTERS = ['The Quay', 'The Lamp', 'The Storm', 'Home'];

/** `seconds`: the length of each part. */
export async function startToneServer(seconds) {
  const tone = await ToneServer.start(seconds);
  const server = await Server.start({ LECTERN_UPSTREAM__BASE_URL: tone.url });
  await server.admin('voices', 'add', '--slug', 'tone', '--name', 'Tone', '--engine', 'upstream', '--voice', 'tone', '--tier', 'free', '--price', '1', '--language', 'en-US', '--description', 'A tone.');
  return server;
}

/** A book that belongs to `email`. Returns its ID and what calls the service. */
export async function makeBook(server, email) {
  const token = await server.session(email);
  const call = async (method, path, body) => (await server.call(method, `/v1/bff${path}`, { token, body })).body;
  const text = CHAPTERS.map((title) => `# ${title}\n\nThe lamp was lit, and the ships came home along the stones of the quay.`).join('\n\n');
  const { id } = await call('POST', '/materials', { text, title: TITLE, language: 'en' });
  const until = async (status) => {
    for (let tries = 0; tries < 400; tries += 1) {
      if ((await call('GET', `/materials/${id}`)).status === status) return;
      await sleep(50);
    }
    throw new Error(`the book is not ${status}`);
  };
  await until('ready');
  const { id: ereader_id } = (await call('GET', '/ereaders')).data.find(({ slug }) => slug === 'tone');
  await call('POST', `/materials/${id}/convert`, { ereader_id });
  await until('completed');
  return { id, call };
}

export const button = (page, name) => page.getByRole('button', { name, exact: true });
export const player = (page) => page.getByRole('region', { name: 'Player' });
export const startChapter = async (page, number) => {
  await button(page, `Play ${CHAPTERS[number - 1]}, part ${number}`).click();
  await page.waitForFunction(() => document.querySelector('audio[data-current]')?.currentTime > 0.1);
};
export const pause = (page) => player(page).getByRole('button', { name: 'Pause', exact: true }).locator('visible=true').click();
/** Waits until `read` answers what `accept` wants. */
export async function eventually(read, accept) {
  let found;
  for (let tries = 0; tries < 100; tries += 1) {
    found = await read();
    if (accept(found)) return found;
    await sleep(100);
  }
  throw new Error(`still ${JSON.stringify(found)}`);
}
