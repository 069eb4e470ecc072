// The differences between two versions of a document, block by block. Both are parsed as a whole first, so that each block is
// shown as it appears in its document. A list is compared item by item.
import { type Block, parseMarkdown } from './markdown';

export type Change = { kind: 'same' | 'added' | 'removed'; block: Block };

/** The largest comparison table, in cells. Above it, everything between the first and the last difference is shown as replaced. */
const MAX_CELLS = 9_000_000;

const comparedBlocks = (text: string): Block[] =>
  parseMarkdown(text).flatMap((block): Block[] => (block.kind === 'list' ? block.items.map((item) => ({ ...block, items: [item] })) : [block]));

/** All blocks of both versions, in order. */
export function diffDocuments(before: string, after: string): Change[] {
  const [oldBlocks, newBlocks] = [comparedBlocks(before), comparedBlocks(after)];
  const [oldKeys, newKeys] = [oldBlocks.map((block) => JSON.stringify(block)), newBlocks.map((block) => JSON.stringify(block))];
  const changes: Change[] = [];
  const add = (kind: Change['kind'], blocks: Block[], from: number, to: number): void => {
    for (const block of blocks.slice(from, to)) changes.push({ kind, block });
  };

  // Versions differ little, so only the range between the first and the last difference is compared.
  let first = 0;
  while (first < oldKeys.length && first < newKeys.length && oldKeys[first] === newKeys[first]) first += 1;
  let [endOld, endNew] = [oldKeys.length, newKeys.length];
  while (endOld > first && endNew > first && oldKeys[endOld - 1] === newKeys[endNew - 1]) {
    endOld -= 1;
    endNew -= 1;
  }
  add('same', newBlocks, 0, first);
  const [rows, columns] = [endOld - first, endNew - first];
  if (rows * columns > MAX_CELLS) {
    add('removed', oldBlocks, first, endOld);
    add('added', newBlocks, first, endNew);
  } else {
    // Longest common subsequence: `lengths` holds its length for each pair of suffixes.
    const width = columns + 1;
    const lengths = new Uint32Array((rows + 1) * width);
    const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
    const isSame = (i: number, j: number): boolean => oldKeys[first + i] === newKeys[first + j];
    for (let i = rows - 1; i >= 0; i -= 1) {
      for (let j = columns - 1; j >= 0; j -= 1) {
        lengths[i * width + j] = isSame(i, j) ? 1 + at(i + 1, j + 1) : Math.max(at(i + 1, j), at(i, j + 1));
      }
    }
    let [i, j] = [0, 0];
    while (i < rows || j < columns) {
      if (i < rows && j < columns && isSame(i, j)) {
        add('same', newBlocks, first + j, first + j + 1);
        i += 1;
        j += 1;
      } else if (j >= columns || (i < rows && at(i + 1, j) >= at(i, j + 1))) {
        add('removed', oldBlocks, first + i, first + i + 1);
        i += 1;
      } else {
        add('added', newBlocks, first + j, first + j + 1);
        j += 1;
      }
    }
  }
  add('same', newBlocks, endNew, newKeys.length);
  return changes;
}
