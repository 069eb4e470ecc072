// What the client promises about errors and repeated requests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, errorFromResponse } from '../../src/api/error';
import { IdempotentRequest, newIdempotencyKey } from '../../src/api/idempotency';

test('an error envelope becomes an ApiError, and so does a response without one', () => {
  const error = errorFromResponse(422, { error: { code: 'validation_failed', message: 'Invalid.', details: { fields: { name: 'is empty' } } } }, '30');
  assert.deepEqual([error.code, error.status, error.retryAfterSeconds, error.field('name'), error.field('url')], ['validation_failed', 422, 30, 'is empty', null] as unknown[]);
  const unreadable = errorFromResponse(502, '<html>', 'Wed, 21 Oct 2026 07:28:00 GMT');
  assert.deepEqual([unreadable.code, unreadable.retryAfterSeconds], ['unreadable', null] as unknown[]);
});

test('idempotency keys are 32 hexadecimal digits, and differ', () => {
  const [first, second] = [newIdempotencyKey(), newIdempotencyKey()];
  assert.ok(/^[0-9a-f]{32}$/.test(first) && first !== second);
});

type Sent = { key: string; body: number };
/** Sends forms through one request. Each outcome is a response, or the error that the call rejects with. */
async function sendAll(steps: [form: string, outcome: string | Error][]): Promise<Sent[]> {
  const request = new IdempotentRequest<number>();
  const sent: Sent[] = [];
  let bodies = 0;
  for (const [form, outcome] of steps) {
    const call = async (key: string, body: number): Promise<string> => {
      sent.push({ key, body });
      if (outcome instanceof Error) throw outcome;
      return outcome;
    };
    await request.send(form, () => (bodies += 1), call).catch(() => undefined);
  }
  return sent;
}
const lost = new ApiError('unreachable', '', 0);

// Negative control: with a new key for each call the first two differ.
test('after a lost response the same form is sent under the same key', async () => {
  const [first, second, third] = await sendAll([['a', lost], ['a', new ApiError('internal_error', '', 500)], ['a', 'done']]);
  assert.deepEqual([second, third], [first, first]);
});

test('a changed form, an answered one and a refused one are new requests', async () => {
  const sent = await sendAll([['a', lost], ['b', 'done'], ['b', new ApiError('validation_failed', '', 422)], ['b', 'done']]);
  assert.equal(new Set(sent.map(({ key }) => key)).size, 4);
  assert.deepEqual(sent.map(({ body }) => body), [1, 2, 3, 4]);
});
