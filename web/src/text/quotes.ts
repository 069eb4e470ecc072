// Quotes within the text that they are from.

/** The most characters that are shown before and after a quote. */
const MOST = 100;

/** What stands before and after the words of a quote in the text of its part; nothing where the text is not known. */
export function surroundings(text: string, { start, text: quote }: { start: number; text: string }): { before: string; after: string } {
  if (!text) return { before: '', after: '' };
  // The service counts Unicode characters, and a string has UTF-16 units. White space is a unit each.
  const characters = [...text];
  const first = start + quote.length - quote.trimStart().length;
  const end = start + [...quote.trimEnd()].length;
  const before = characters.slice(Math.max(0, first - MOST), first).join('');
  const after = characters.slice(end, end + MOST).join('');
  return {
    before: first > MOST ? `…${before}` : before.trimStart(),
    after: end + MOST < characters.length ? `${after}…` : after.trimEnd(),
  };
}
