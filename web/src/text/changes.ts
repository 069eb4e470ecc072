// What changed between two versions of a document, paragraph by paragraph.
export type Change = { kind: 'same' | 'added' | 'removed'; text: string };

const paragraphs = (text: string): string[] =>
  text.replace(/\r\n?/g, '\n').split(/\n{2,}|\n(?=\s*(?:[-*+#|]|\d+[.)]))/).map((part) => part.trim()).filter(Boolean);

/** Longest common subsequence; documents are some hundred paragraphs long, and longer ones are cut to what can be compared. */
export function changes(before: string, after: string): Change[] {
  const [old, now] = [paragraphs(before).slice(0, 2000), paragraphs(after).slice(0, 2000)];
  const width = now.length + 1;
  const longest = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] =
        old[i] === now[j]
          ? 1 + (longest[(i + 1) * width + j + 1] ?? 0)
          : Math.max(longest[(i + 1) * width + j] ?? 0, longest[i * width + j + 1] ?? 0);
    }
  }
  const found: Change[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      found.push({ kind: 'same', text: now[j] ?? '' });
      i += 1;
      j += 1;
    } else if (j >= now.length || (i < old.length && (longest[(i + 1) * width + j] ?? 0) >= (longest[i * width + j + 1] ?? 0))) {
      found.push({ kind: 'removed', text: old[i] ?? '' });
      i += 1;
    } else {
      found.push({ kind: 'added', text: now[j] ?? '' });
      j += 1;
    }
  }
  return found;
}
