// What changed between two versions of a document, piece by piece: a paragraph, an entry of a list, a table. A document is read
// as a whole first, so that every piece is shown as it stands in it.
import { type Block, blocks } from './markdown';

export type Change = { kind: 'same' | 'added' | 'removed'; block: Block };

/** Cells of the table by which two texts are compared. Where it would be larger, what differs is shown whole, as gone and new. */
const MOST_CELLS = 9_000_000;

const pieces = (text: string): Block[] =>
  blocks(text).flatMap((block): Block[] => (block.kind === 'list' ? block.items.map((item) => ({ ...block, items: [item] })) : [block]));

/** The pieces of both versions in their order; nothing of either is left out. */
export function changes(before: string, after: string): Change[] {
  const [old, now] = [pieces(before), pieces(after)];
  const [was, is] = [old.map((one) => JSON.stringify(one)), now.map((one) => JSON.stringify(one))];
  const found: Change[] = [];
  const put = (kind: Change['kind'], list: Block[], from: number, to: number): void => {
    for (const block of list.slice(from, to)) found.push({ kind, block });
  };

  // Most of a new version is the old one: only what lies between the first and the last difference is compared.
  let first = 0;
  while (first < was.length && first < is.length && was[first] === is[first]) first += 1;
  let [endOld, endNow] = [was.length, is.length];
  while (endOld > first && endNow > first && was[endOld - 1] === is[endNow - 1]) {
    endOld -= 1;
    endNow -= 1;
  }
  put('same', now, 0, first);
  const [rows, columns] = [endOld - first, endNow - first];
  if (rows * columns > MOST_CELLS) {
    put('removed', old, first, endOld);
    put('added', now, first, endNow);
  } else {
    // The longest common subsequence.
    const width = columns + 1;
    const longest = new Uint32Array((rows + 1) * width);
    const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
    const isSame = (i: number, j: number): boolean => was[first + i] === is[first + j];
    for (let i = rows - 1; i >= 0; i -= 1) {
      for (let j = columns - 1; j >= 0; j -= 1) {
        longest[i * width + j] = isSame(i, j) ? 1 + at(i + 1, j + 1) : Math.max(at(i + 1, j), at(i, j + 1));
      }
    }
    let [i, j] = [0, 0];
    while (i < rows || j < columns) {
      if (i < rows && j < columns && isSame(i, j)) {
        put('same', now, first + j, first + j + 1);
        i += 1;
        j += 1;
      } else if (j >= columns || (i < rows && at(i + 1, j) >= at(i, j + 1))) {
        put('removed', old, first + i, first + i + 1);
        i += 1;
      } else {
        put('added', now, first + j, first + j + 1);
        j += 1;
      }
    }
  }
  put('same', now, endNow, is.length);
  return found;
}
