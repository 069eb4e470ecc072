// The page that opens offline. The worker's own list has it as it was when this version was installed. An operator may have given it
// another brand since, so the one that the service sent last is kept too, with the files of the brand that it names.

export const PAGE_CACHE = 'lectern-brand';

const ANY = { ignoreVary: true };

const namesIn = (page: string): string[] => Array.from(page.matchAll(/"(\/(?:assets|brand)\/[^"]+)"/g), ([, name = '']) => name);
const isKept = async (name: string): Promise<boolean> => (await caches.match(name, ANY)) !== undefined;
/** Whether each of these files is kept. Of a version that is still being fetched, or was removed, some are not. */
const areKept = async (names: string[]): Promise<boolean> => (await Promise.all(names.map(isKept))).every(Boolean);

/** Keeps a page that the service has sent. All its addresses have the same one. */
export async function keepPage(response: Response): Promise<void> {
  const [cache, page] = [await caches.open(PAGE_CACHE), await response.clone().text()];
  // Feeds and whatever else an operator serves there are no pages of ours.
  if (!response.ok || response.redirected || !page.includes('id="app"')) return;
  if (page === (await (await cache.match('/', ANY))?.text())) return;
  const names = namesIn(page);
  const brand = names.filter((name) => name.startsWith('/brand/'));
  for (const name of brand) if (!(await isKept(name))) await cache.add(name);
  await cache.put('/', response);
  // A newer version's files may be on their way: the page is then of use as soon as they are there.
  const needed = new Set(['/', ...brand]);
  for (const { url } of await cache.keys()) if (!needed.has(new URL(url).pathname)) await cache.delete(url);
}

/** The page that was kept, if it can be shown without the service. */
export async function keptPage(): Promise<Response | undefined> {
  const kept = await caches.match('/', { cacheName: PAGE_CACHE, ...ANY });
  return kept && (await areKept(namesIn(await kept.clone().text()))) ? kept : undefined;
}
