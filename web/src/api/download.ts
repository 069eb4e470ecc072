// Files that the browser saves. Audio may come from another origin, where browsers ignore the `download` attribute and open the link
// instead.

/** Lets the browser save what the page has made or fetched. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Click handler of a download link. Saves the file under the name in the link's `download` attribute. */
export async function download(event: MouseEvent): Promise<void> {
  const link = event.currentTarget as HTMLAnchorElement;
  if (link.origin === location.origin) return;
  event.preventDefault();
  const { href, download: name } = link;
  try {
    const response = await fetch(href, { credentials: 'omit' });
    if (!response.ok) throw new Error(String(response.status));
    saveFile(await response.blob(), name);
  } catch {
    // Without CORS the page cannot read the file. The user can save it from a new tab.
    open(href, '_blank', 'noopener,noreferrer');
  }
}
