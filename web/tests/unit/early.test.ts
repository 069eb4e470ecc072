// Negative controls, each seen to fail without its line in api/early.ts: a request that changes something, the signal, and what `isEarly` says.
import assert from 'node:assert/strict';
import { test } from 'node:test';

const answers = new Map<string, Promise<Response>>();
Object.assign(globalThis, { lecternAnswers: answers });
// The end of all early answers by time would keep Node waiting.
const { setTimeout: later } = globalThis;
globalThis.setTimeout = (() => 0) as never;
const { endEarly, fetchEarly, isEarly } = await import('../../src/api/early');
globalThis.setTimeout = later;

const sent: string[] = [];
globalThis.fetch = async (input) => {
  const request = input as Request;
  sent.push(`${request.method} ${new URL(request.url).pathname}`);
  return new Response('new');
};
const request = (init: RequestInit = {}, path = 'places'): Request => new Request(`https://speech.example/v1/bff/${path}?environment=live`, init);
const keep = (answer: Promise<Response>): void => void answers.set('/v1/bff/places?environment=live', answer);
test('the first who asks gets the early answer, and the next one a new one', async () => {
  keep(Promise.resolve(new Response('early')));
  const [first, second] = [await fetchEarly(request()), await fetchEarly(request())];
  assert.deepEqual([await first.text(), await second.text()], ['early', 'new']);
  assert.deepEqual([isEarly(first), isEarly(second)], [true, false]);
  assert.deepEqual(sent, ['GET /v1/bff/places']);
});

test('after a change, or when somebody else signs in, everything is asked for anew', async () => {
  keep(Promise.resolve(new Response('early')));
  await fetchEarly(request({ method: 'PUT', body: '{}' }, 'materials/mat_1/place'));
  assert.equal(await (await fetchEarly(request())).text(), 'new');
  keep(Promise.resolve(new Response('early')));
  endEarly();
  assert.equal(await (await fetchEarly(request())).text(), 'new');
});

test('who loses patience does not wait for an early answer', async () => {
  keep(new Promise(() => undefined));
  await assert.rejects(fetchEarly(request({ signal: AbortSignal.timeout(1) })), (error: unknown) => (error as Error).name === 'TimeoutError');
});
