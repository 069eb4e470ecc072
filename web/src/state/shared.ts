// What another page or program gives the library to read: the bookmark of the upload form, or the menu to share of a telephone.
import { address, setQuery } from './router.svelte';

/** The address or the text that was shared, which is taken out of this page's address. */
export function takeShared(): { url: string; text: string } {
  const query = address.query;
  const [url, text] = ['url', 'text'].map((name) => query.get(name)?.trim() ?? '') as [string, string];
  if (!url && !text) return { url, text };
  for (const name of ['url', 'text', 'title']) query.delete(name);
  setQuery(query, 'replace');
  // A telephone puts an address into the text.
  return !url && /^https:\/\/\S+$/i.test(text) ? { url: text, text: '' } : { url, text: url ? '' : text };
}
