// Usage and what it costs: ranges of days, colors, and the month ahead.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { dayAfter, daysOf, harmless, lastDays } from '../../src/text/days';
import { assignColors, COLORS, forecast, priceOf, rangeProblem, seriesByVoice } from '../../src/text/usage';

const TODAY = Date.parse('2026-03-10T15:00:00Z');

test('ranges of days include both ends, and name what is wrong with them', () => {
  assert.deepEqual(lastDays(3, TODAY), { from: '2026-03-08', to: '2026-03-10' });
  assert.deepEqual(daysOf({ from: '2026-02-27', to: '2026-03-01' }), ['2026-02-27', '2026-02-28', '2026-03-01']);
  assert.equal(dayAfter('2026-12-31'), '2027-01-01');
  assert.equal(rangeProblem({ from: '2026-03-02', to: '2026-03-01' }), 'The first day is after the last one.');
  assert.equal(rangeProblem({ from: '', to: '2026-03-01' }), 'Choose both days.');
  assert.equal(rangeProblem({ from: '2025-03-01', to: '2026-03-01' }), null);
  assert.equal(rangeProblem({ from: '2025-02-28', to: '2026-03-01' }), 'At most 366 days at once.');
});

test('a voice keeps its color whatever else is used', () => {
  const first = assignColors({}, ['heart', 'robin']);
  assert.deepEqual(first, { heart: 0, robin: 1 });
  const later = assignColors(first, ['alma', 'heart', 'robin']);
  assert.deepEqual(later, { heart: 0, robin: 1, alma: 2 });
  const many = assignColors(later, ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  assert.equal(Object.values(many).every((color) => color >= 0 && color < COLORS), true);
  assert.equal(Math.max(...Array.from({ length: COLORS }, (_, color) => Object.values(many).filter((one) => one === color).length)), 2);
});

test('bars are stacked by voice, the one that said the most first', () => {
  const usage = [
    { day: '2026-03-01', ereader_id: 'erd_a', characters: 5, credits: 5 },
    { day: '2026-03-02', ereader_id: 'erd_b', characters: 50, credits: 50 },
    { day: '2026-02-01', ereader_id: 'erd_b', characters: 900, credits: 900 },
  ];
  assert.deepEqual(seriesByVoice(usage, ['2026-03-01', '2026-03-02'], new Map([['erd_b', 'Heart']])), [
    { id: 'erd_b', name: 'Heart', values: [0, 50] },
    { id: 'erd_a', name: 'Removed voice', values: [5, 0] },
  ]);
});

test('the month ahead goes on like the days since the first one that was paid for', () => {
  assert.equal(forecast([], 1000, TODAY), null);
  assert.equal(forecast([{ key: '2026-03-09', credits: 0 }], 1000, TODAY), null);
  // On the second day of an account: a week counts at least.
  assert.deepEqual(forecast([{ key: '2026-03-09', credits: 700 }], 1000, TODAY), { perMonth: 3000, days: 10, basedOn: 7 });
  assert.deepEqual(forecast([{ key: '2026-02-09', credits: 100 }, { key: '2026-03-01', credits: 200 }], 5, TODAY), { perMonth: 300, days: 0, basedOn: 30 });
  assert.equal(forecast([{ key: '2026-03-09', credits: 700 }], -3, TODAY)?.days, 0);
  assert.deepEqual(priceOf(3000, [{ credits: 1000, price_minor: 500, currency: 'eur' }, { credits: 10_000, price_minor: 4000, currency: 'eur' }]), { minor: 1200, currency: 'eur' });
  assert.equal(priceOf(3000, []), null);
});

test('a spreadsheet takes no text for a formula', () => {
  assert.deepEqual(['=1+1', '+1', '-1', '@x', 'Emma'].map(harmless), ["'=1+1", "'+1", "'-1", "'@x", 'Emma']);
});
