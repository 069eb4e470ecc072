// How documents are parsed and compared: users must agree to exactly what was published.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffDocuments } from '../../src/text/diff';
import { type Block, parseMarkdown, type Span } from '../../src/text/markdown';

const textOf = (spans: Span[]): string => spans.map((span) => span.text).join('');
/** A list as lines of `number text`, in which children are indented. */
function linesOf(block: Block, depth = 0): string[] {
  const indent = ' '.repeat(depth);
  if (block.kind !== 'list') return [indent + ('spans' in block ? textOf(block.spans) : '')];
  return block.items.flatMap((item) => [`${indent}${item.number ?? '-'} ${textOf(item.spans)}`, ...item.children.flatMap((child) => linesOf(child, depth + 1))]);
}

// Negative control: without the number of an item in `parseList` every list starts at 1.
test('numbers of lists are those of the document', () => {
  const document = ['4. four', '5. five', '', 'Between.', '', '6. six', '', '7. seven', '9) nine'].join('\n');
  const blocks = parseMarkdown(document);
  assert.deepEqual(blocks.map((block) => block.kind), ['list', 'paragraph', 'list']);
  assert.deepEqual(blocks.flatMap((block) => linesOf(block)), ['4 four', '5 five', 'Between.', '6 six', '7 seven', '9 nine']);
});

test('indented lines belong to the item above them', () => {
  const document = ['1. You may', '   - listen', '   - share', '', '     what you hear', '2. You may not', '   sell', '', '   at all', '', 'End.'].join('\n');
  assert.deepEqual(parseMarkdown(document).flatMap((block) => linesOf(block)), [
    '1 You may', ' - listen', ' - share', '  what you hear', '2 You may not sell', ' at all', 'End.',
  ]);
  assert.deepEqual(parseMarkdown('- a\n1. b').map((block) => block.kind === 'list' && block.ordered), [false, true]);
  assert.deepEqual(parseMarkdown('As follows:\n1. a\n2. b').map((block) => block.kind), ['paragraph', 'list']);
});

test('only links to the web and to mail addresses are links', () => {
  const kinds = (text: string): string[] => parseMarkdown(text).flatMap((block) => ('spans' in block ? block.spans.map((span) => span.kind) : []));
  assert.deepEqual(kinds('[a](https://a.example) [b](mailto:b@a.example)'), ['link', 'text', 'link']);
  assert.deepEqual(kinds('[x](javascript:alert)'), ['text']);
  assert.deepEqual(parseMarkdown('<b>bold</b>').flatMap((block) => linesOf(block)), ['<b>bold</b>']);
});

test('each difference is shown as it appears in its document', () => {
  const before = '# Terms\n\n1. one\n2. two\n3. three\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd.';
  const after = before.replace('2. two', '2. two and more').replace('| 1 | 2 |', '| 1 | 3 |');
  const changes = diffDocuments(before, after);
  assert.deepEqual(changes.map(({ kind, block }) => [kind, block.kind]), [
    ['same', 'heading'], ['same', 'list'], ['removed', 'list'], ['added', 'list'], ['same', 'list'],
    ['removed', 'table'], ['added', 'table'], ['same', 'paragraph'],
  ]);
  const lines = changes.flatMap(({ block }) => (block.kind === 'list' ? linesOf(block) : []));
  assert.deepEqual(lines, ['1 one', '2 two', '2 two and more', '3 three']);
});

// Negative control: with the blocks of a document cut to 2,000 the last paragraph of each is left out.
test('nothing of a long document is left out, however much of it changed', () => {
  const long = (word: string): string => Array.from({ length: 5000 }, (_, index) => `${word} ${index}.`).join('\n\n');
  const small = diffDocuments(long('Old'), long('Old').replace('Old 4000.', 'New 4000.'));
  assert.deepEqual([small.length, small.filter(({ kind }) => kind === 'same').length], [5001, 4999]);
  const large = diffDocuments(long('Old'), long('New'));
  const last = (kind: string): string => large.filter((change) => change.kind === kind).flatMap(({ block }) => linesOf(block)).at(-1) ?? '';
  assert.deepEqual([large.length, last('removed'), last('added')], [10_000, 'Old 4999.', 'New 4999.'] as [number, string, string]);
});
