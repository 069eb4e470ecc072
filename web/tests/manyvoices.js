// A catalog of 60 voices in eight languages, for tests of pages that show many.
import { expectVisible } from './browser.js';

/** Reloads the page with these voices. All but the real ones are unknown to the service. */
export async function showManyVoices(page) {
  const languages = ['en-US', 'en-GB', 'es', 'fr-FR', 'hi', 'it', 'ja', 'pt-BR', 'zh'];
  await page.route('**/v1/bff/ereaders?*', async (route) => {
    const answer = await route.fetch();
    const { data } = await answer.json();
    const fake = (_, at) => ({
      ...data[0], id: `erd_${String(at).padStart(32, '0')}`, slug: `voice-${at}`, name: at === 4 ? 'Longname'.repeat(9) : `Voice ${at}`, description: at % 3 ? 'A warm, even voice for long reading.' : '',
      engine: 'kokoro', grade: 'ABCD'[at % 5] ?? null, preview: at % 9 === 4, favorite: at === 3, tier: at % 10 === 9 ? 'standard' : 'free', price_per_character: at % 5 < 2 ? 4 : 3,
      languages: [languages[at % 9]], gender: at % 2 ? 'male' : 'female',
    });
    await route.fulfill({ response: answer, json: { data: [...data, ...Array.from({ length: 58 }, fake)], next_cursor: null } });
  });
  await page.reload();
  await expectVisible(page.getByRole('heading', { level: 1 }));
  await page.waitForLoadState('networkidle');
}
