// Downloads audio whose address is at another origin: there a browser follows a link instead of saving what it leads to.

/** Saves what the pressed link leads to, under the name that it has for it. */
export async function download(event: MouseEvent): Promise<void> {
  const link = event.currentTarget as HTMLAnchorElement;
  if (link.origin === location.origin) return;
  event.preventDefault();
  const { href, download: name } = link;
  try {
    const answer = await fetch(href, { credentials: 'omit' });
    if (!answer.ok) throw new Error(String(answer.status));
    const saved = document.createElement('a');
    saved.href = URL.createObjectURL(await answer.blob());
    saved.download = name;
    saved.click();
    setTimeout(() => URL.revokeObjectURL(saved.href), 60_000);
  } catch {
    // A storage that lets no page read it shows the audio in a tab of its own, from where it can be saved.
    open(href, '_blank', 'noopener,noreferrer');
  }
}
