// Downloads audio from another origin, where browsers ignore the `download` attribute and open the link instead.

/** Click handler of a download link. Saves the file under the name in the link's `download` attribute. */
export async function download(event: MouseEvent): Promise<void> {
  const link = event.currentTarget as HTMLAnchorElement;
  if (link.origin === location.origin) return;
  event.preventDefault();
  const { href, download: name } = link;
  try {
    const response = await fetch(href, { credentials: 'omit' });
    if (!response.ok) throw new Error(String(response.status));
    const saved = document.createElement('a');
    saved.href = URL.createObjectURL(await response.blob());
    saved.download = name;
    saved.click();
    setTimeout(() => URL.revokeObjectURL(saved.href), 60_000);
  } catch {
    // Without CORS the page cannot read the file. The user can save it from a new tab.
    open(href, '_blank', 'noopener,noreferrer');
  }
}
