// How documents are read and compared: what people agree to must be what was published. And how languages compare, which must be
// as the service compares them.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { build } from 'esbuild';

const source = new URL('../src/text/', import.meta.url).pathname;
const contents = `export * from ${JSON.stringify(`${source}changes.ts`)}; export * from ${JSON.stringify(`${source}markdown.ts`)}; export * from ${JSON.stringify(`${source}language.ts`)};`;
const { outputFiles } = await build({ stdin: { contents, resolveDir: source }, bundle: true, write: false, format: 'esm' });
const { blocks, changes, languageChoices, primary, speaks } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`);

const words = (spans) => spans.map((span) => span.text).join('');
/** A list as its lines, `number text`, what is under an entry indented. */
const lines = (block, depth = 0) =>
  block.kind === 'list'
    ? block.items.flatMap((item) => [`${' '.repeat(depth)}${item.number ?? '-'} ${words(item.spans)}`, ...item.inner.flatMap((one) => lines(one, depth + 1))])
    : [`${' '.repeat(depth)}${words(block.spans ?? [])}`];

// Negative control: with the number of an entry left out of `listAt` every list begins at its first.
test('numbers of lists are those of the document', () => {
  const document = ['4. four', '5. five', '', 'Between.', '', '6. six', '', '7. seven', '9) nine'].join('\n');
  const found = blocks(document);
  assert.deepEqual(found.map((block) => block.kind), ['list', 'paragraph', 'list']);
  assert.deepEqual(found.flatMap((block) => lines(block)), ['4 four', '5 five', 'Between.', '6 six', '7 seven', '9 nine']);
});

test('what is indented under an entry belongs to it', () => {
  const document = ['1. You may', '   - listen', '   - share', '', '     what you hear', '2. You may not', '   sell', '', '   at all', '', 'End.'].join('\n');
  assert.deepEqual(blocks(document).flatMap((block) => lines(block)), [
    '1 You may', ' - listen', ' - share', '  what you hear', '2 You may not sell', ' at all', 'End.',
  ]);
  assert.deepEqual(blocks('- a\n1. b').map((block) => block.ordered), [false, true]);
  assert.deepEqual(blocks('As follows:\n1. a\n2. b').map((block) => block.kind), ['paragraph', 'list']);
});

test('changes are found piece by piece, each as it stands in its document', () => {
  const before = '# Terms\n\n1. one\n2. two\n3. three\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd.';
  const after = before.replace('2. two', '2. two and more').replace('| 1 | 2 |', '| 1 | 3 |');
  const found = changes(before, after);
  assert.deepEqual(found.map(({ kind, block }) => [kind, block.kind]), [
    ['same', 'heading'], ['same', 'list'], ['removed', 'list'], ['added', 'list'], ['same', 'list'],
    ['removed', 'table'], ['added', 'table'], ['same', 'paragraph'],
  ]);
  assert.deepEqual(found.flatMap(({ block }) => (block.kind === 'list' ? lines(block) : [])), ['1 one', '2 two', '2 two and more', '3 three']);
});

// Negative control: with `pieces` cut to 2,000 the last paragraph of each is left out.
test('nothing of a long document is left out, however much of it changed', () => {
  const long = (word) => Array.from({ length: 5000 }, (_, at) => `${word} ${at}.`).join('\n\n');
  const one = changes(long('Was'), long('Was').replace('Was 4000.', 'Is 4000.'));
  assert.deepEqual([one.length, one.filter(({ kind }) => kind === 'same').length], [5001, 4999]);
  const all = changes(long('Was'), long('Is'));
  const last = (kind) => words(all.filter((one) => one.kind === kind).at(-1).block.spans);
  assert.deepEqual([all.length, last('removed'), last('added')], [10_000, 'Was 4999.', 'Is 4999.']);
});

// Negative control: with the raw subtags compared, each of the other codes is another language, `eng` than `en` too.
test('a language is the same by all its codes, as it is to the service', async () => {
  const service = await readFile(new URL('../../crates/types/src/language.rs', import.meta.url), 'utf8');
  const codes = [...service.matchAll(/\(&\[([^\]]+)\], "(\w+)"\)/g)].map(([, others, preferred]) => [others.match(/\w+/g), preferred]);
  assert.ok(codes.length >= 50, 'the service has another list');
  for (const [others, preferred] of codes) for (const code of [preferred, ...others]) assert.equal(primary(code), preferred, code);
  assert.ok(speaks(['en-US'], 'eng') && speaks(['en-US'], 'ENG-gb') && speaks(['fr'], 'fre'));
  assert.ok(!speaks(['en-US'], 'enm') && !speaks(['en-US'], 'fr_FR') && !speaks(['en-US'], ''));
  // The language of a book that says `eng` is offered once.
  assert.equal(languageChoices('eng').filter((one) => one.name === 'English').length, 1);
  assert.equal(languageChoices('fr_FR').filter((one) => one.name === 'French').length, 1);
});
