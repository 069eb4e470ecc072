// What axe-core finds on a page, as lines.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function findFaults(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, html, failureSummary }) => `${id}: ${target} ${html}: ${failureSummary}`));
}
