import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inMajorUnits, inMinorUnits, typedSum, wholeNumber } from '../../src/text/payments';
import { asksBeforeSpending } from '../../src/text/spending';

test('numbers are read as people in any of the languages type them', () => {
  for (const [text, number] of [
    ['100000', 100_000], ['100,000', 100_000], ['100.000', 100_000], ['100 000', 100_000], ['100\u202f000', 100_000], ['100’000', 100_000], [' 1,234,567 ', 1_234_567],
    ['1,00,000', 100_000], ['１００，０００', 100_000], ['0', 0],
  ] as const) {
    assert.equal(wholeNumber(text), number, text);
  }
  // Negative control: when all signs are removed, as before, 10,000.00 is a million.
  for (const text of ['', 'x', '10.5', '10,5', '10,000.00', '1.234,567', '-5', '1e3', '10 credits', '1,2345']) assert.equal(wholeNumber(text), null, text);
});

test('sums are read with their decimals and without their currency', () => {
  for (const [text, sum] of [
    ['20', 20], ['20.50', 20.5], ['20,5', 20.5], ['1.234,50', 1234.5], ['1,234.50', 1234.5], ['1,234', 1234], ['1 234,5', 1234.5], ['.5', 0.5], ['0', 0],
    ['20 €', 20], ['€20.50', 20.5], ['20 EUR', 20], ['usd 20', 20], ['￥1,200', 1200], ['1200円', 1200], ['２０', 20],
  ] as const) {
    assert.equal(typedSum(text), sum, text);
  }
  for (const text of ['', 'twenty', 'abc', '€', '20.505.5', '1.2.3', '-20', '.']) assert.equal(typedSum(text), null, text);
});

test('sums go from the smallest unit to the one that people count in and back', () => {
  assert.deepEqual([inMajorUnits(1999, 'eur'), inMinorUnits(19.99, 'eur')], [19.99, 1999]);
  assert.deepEqual([inMajorUnits(500, 'jpy'), inMinorUnits(500, 'jpy')], [500, 500]);
});

test('what takes much of the credits is asked about', () => {
  for (const [price, available, asks] of [[900, 1000, false], [1200, 50_000, false], [10_001, 50_000, true], [10_000, 50_000, false], [100_001, 10_000_000, true], [5000, null, false], [100_001, null, true]] as const) {
    assert.equal(asksBeforeSpending(price, available), asks, `${price} of ${available}`);
  }
});
