// What stands around a quote.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { surroundings } from '../../src/text/quotes';

test('places are counted in Unicode characters', () => {
  const text = '😀 “Hi,” said Ines.';
  assert.deepEqual(surroundings(text, { start: 2, text: '“Hi,”' }), { before: '😀 ', after: ' said Ines.' });
});

test('the white space of a stretch is not among its words', () => {
  const text = 'Late.\n[speaker Ines]\nHello.\n\nBye.';
  const start = text.indexOf('\nHello.');
  assert.deepEqual(surroundings(text, { start, text: '\nHello.\n\n' }), { before: 'Late.\n[speaker Ines]\n', after: '\n\nBye.' });
});

test('a long text is cut off on both sides', () => {
  const { before, after } = surroundings(`${'a'.repeat(200)}“Hi”${'b'.repeat(200)}`, { start: 200, text: '“Hi”' });
  assert.deepEqual([before, after], [`…${'a'.repeat(100)}`, `${'b'.repeat(100)}…`]);
  assert.deepEqual(surroundings('', { start: 0, text: '“Hi”' }), { before: '', after: '' });
});
