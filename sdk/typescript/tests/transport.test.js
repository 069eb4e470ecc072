// What the client does when a request fails.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';

import { APIConnectionError, APITimeoutError, Lectern, LecternError, WaitTimeoutError, errors } from '../dist/index.js';
import { fileFrom, saveTo } from '../dist/node.js';
import { fakeServer, refusal } from './fake.js';

const KEY = 'svc_test_secretsecretsecret';
const HELLO = { ereader_id: 'erd_1', text: 'Hello.' };

async function begin(t, options = {}) {
  const fake = await fakeServer(t);
  return { fake, client: new Lectern({ apiKey: KEY, baseURL: fake.url, timeout: 5_000, ...options }) };
}

async function folder(t) {
  const path = await mkdtemp(join(tmpdir(), 'lectern-sdk-'));
  t.after(() => rm(path, { recursive: true }));
  return path;
}

test('a refused request is sent again after the time asked for with the same idempotency key', async (t) => {
  const { fake, client } = await begin(t);
  fake.answers = [refusal(429, 'rate_limited', { 'Retry-After': '1' }), refusal(503, 'service_unavailable', { 'Retry-After': '0' }), { body: { id: 'syn_1' } }];
  const begun = Date.now();
  assert.equal((await client.speech.synthesize(HELLO)).id, 'syn_1');
  assert.ok(Date.now() - begun >= 990);
  const keys = new Set(fake.sent.map(({ headers }) => headers['idempotency-key']));
  assert.deepEqual([fake.sent.length, keys.size], [3, 1]);
  assert.match([...keys][0], /^[A-Za-z0-9_-]{1,128}$/);
  await client.speech.synthesize(HELLO);
  assert.ok(!keys.has(fake.sent[3].headers['idempotency-key']), 'another call has another key');
});

test('a wait that is too long is not waited for', async (t) => {
  const { fake, client } = await begin(t);
  fake.answers = [refusal(429, 'rate_limited', { 'Retry-After': '61' })];
  await assert.rejects(client.speech.synthesize(HELLO), (error) => error instanceof errors.RateLimitedError && error.retryAfter === 61);
});

test('it gives up after the last retry', async (t) => {
  const { fake, client } = await begin(t);
  fake.answers = Array(4).fill(refusal(503, 'service_unavailable', { 'Retry-After': '0' }));
  await assert.rejects(client.account.me(), errors.ServiceUnavailableError);
  assert.equal(fake.sent.length, 4);
});

test('what cannot be repeated is sent again only if it was refused', async (t) => {
  const { fake, client } = await begin(t);
  const login = () => client.account.login({ email: 'a@example.com', password: 'x' });
  fake.answers = [refusal(429, 'rate_limited', { 'Retry-After': '0' }), refusal(500, 'internal_error')];
  await assert.rejects(login(), errors.InternalError);
  fake.answers = [{ cut: true }];
  await assert.rejects(login(), APIConnectionError);
  assert.equal(fake.sent.length, 3);
});

test('a broken connection is tried again', async (t) => {
  const { fake, client } = await begin(t);
  fake.answers = [{ cut: true }, { body: { id: 'syn_1' }, short: true }, { body: { id: 'syn_1' } }];
  assert.equal((await client.speech.synthesize(HELLO)).id, 'syn_1');
  assert.equal(new Set(fake.sent.map(({ headers }) => headers['idempotency-key'])).size, 1);
});

test('errors have a class for each code, and a newer code is of its family', async (t) => {
  const { fake, client } = await begin(t);
  const error = { code: 'ereader_locked', message: 'No.', details: { locked_ereader_id: 'erd_2' }, request_id: 'req_7' };
  fake.answers = [{ status: 409, body: { error } }];
  await assert.rejects(client.materials.convert('mat_1', { ereader_id: 'erd_1' }), (caught) => {
    assert.ok(caught instanceof errors.EreaderLockedError && caught instanceof errors.ConflictError);
    assert.deepEqual([caught.name, caught.status, caught.code], ['EreaderLockedError', 409, 'ereader_locked']);
    assert.deepEqual(caught.details, { locked_ereader_id: 'erd_2' });
    assert.equal(caught.message, 'No. (ereader_locked, req_7)');
    return true;
  });
  fake.answers = [refusal(404, 'moon_not_found')];
  await assert.rejects(client.account.me(), (caught) => caught instanceof errors.NotFoundError && caught.code === 'moon_not_found');
  fake.answers = [{ status: 502, body: Buffer.from('<html>') }, { status: 502, body: Buffer.from('<html>') }];
  await assert.rejects(client.account.me({ maxRetries: 0 }), (caught) => caught instanceof errors.ServerError && caught.status === 502);
});

test('a service that says nothing is not waited for without end', async (t) => {
  const silent = createServer(() => undefined);
  await new Promise((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.after(() => silent.close());
  const client = new Lectern({ apiKey: KEY, baseURL: `http://127.0.0.1:${silent.address().port}`, timeout: 100, maxRetries: 0 });
  await assert.rejects(client.account.me(), APITimeoutError);
  await assert.rejects(client.account.me({ signal: AbortSignal.timeout(20) }), { name: 'TimeoutError' });
});

test('nothing shows the key', async (t) => {
  const { fake, client } = await begin(t, { maxRetries: 0 });
  let shown = inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client);
  const unreachable = new Lectern({ apiKey: KEY, baseURL: 'http://127.0.0.1:9', maxRetries: 0 });
  let count = 0;
  for (const one of [client, unreachable]) {
    fake.answers = [refusal(401, 'invalid_api_key'), { cut: true }, { cut: true }];
    for (const call of [() => one.account.me(), () => one.account.me(), () => one.speech.socket({ ereader_id: 'erd_1' })]) {
      await call().catch((error) => {
        count += 1;
        shown += inspect(error, { depth: 9, showHidden: true }) + error.stack + String(error);
      });
    }
  }
  try {
    new Lectern({ apiKey: `${KEY}\n`, baseURL: fake.url });
  } catch (error) {
    count += 1;
    shown += inspect(error, { depth: 9, showHidden: true });
  }
  assert.equal(count, 7);
  assert.doesNotMatch(shown, /secretsecret/);
});

test('the key is not sent with a URL of audio', async (t) => {
  const { fake, client } = await begin(t);
  fake.answers = [{ body: Buffer.from('sound') }];
  const stream = await client.files.open(`${fake.url}/media/x.mp3?expires=1&signature=2`);
  assert.equal(Buffer.from(await stream.bytes()).toString(), 'sound');
  assert.equal(fake.sent[0].headers.authorization, undefined);
  assert.equal(fake.sent[0].path, '/media/x.mp3?expires=1&signature=2');
});

test('lists go on to the last page', async (t) => {
  const { fake, client } = await begin(t);
  fake.answers = [{ body: { data: [{ id: 'mat_1' }, { id: 'mat_2' }], next_cursor: 'c/2' } }, { body: { data: [{ id: 'mat_3' }] } }];
  const list = client.materials.list({ limit: 2 });
  assert.equal(fake.sent.length, 0);
  assert.deepEqual((await list.all()).map(({ id }) => id), ['mat_1', 'mat_2', 'mat_3']);
  assert.deepEqual(fake.sent.map(({ path }) => path), ['/v1/saas/materials?limit=2', '/v1/saas/materials?limit=2&cursor=c%2F2']);
});

test('an upload tells how far it is and can be sent again', async (t) => {
  const { fake, client } = await begin(t);
  const content = new Uint8Array(300_000).fill(120);
  const path = join(await folder(t), 'a "book".txt');
  await writeFile(path, content);
  for (const file of [await fileFrom(path), content, new Blob([content])]) {
    const told = [];
    fake.sent = [];
    fake.answers = [refusal(503, 'service_unavailable', { 'Retry-After': '0' }), { status: 202, body: { id: 'mat_1' } }];
    await client.materials.upload(file, { title: 'Été', onProgress: (...far) => told.push(far) });
    assert.deepEqual(told.at(-1)[0], told.at(-1)[1]);
    assert.ok(told.length > 3);
    assert.equal(fake.sent.length, 2);
    for (const { body, headers } of fake.sent) {
      const form = await new Response(body, { headers: { 'Content-Type': headers['content-type'] } }).formData();
      assert.equal(form.get('title'), 'Été');
      assert.equal(form.get('file').size, 300_000);
      if (file instanceof File) assert.equal(form.get('file').name, 'a "book".txt');
    }
  }
});

test('a file appears when it is whole', async (t) => {
  const { fake, client } = await begin(t);
  const place = await folder(t);
  const path = join(place, 'book.m4b');
  const sound = Buffer.alloc(100_000, 'x');
  fake.answers = [{ body: sound, short: true }];
  await assert.rejects(saveTo(path, await client.materials.audio('mat_1', { format: 'm4b' })), APIConnectionError);
  assert.deepEqual(await readdir(place), []);
  fake.answers = [{ body: sound }];
  const told = [];
  await saveTo(path, await client.materials.audio('mat_1'), { onProgress: (...far) => told.push(far) });
  assert.deepEqual([(await stat(path)).size, told.at(-1)], [100_000, [100_000, 100_000]]);
});

test('who reads slowly has the time for it', async (t) => {
  // Negative control: with `idle` for `pause` in streams.ts, the stream breaks.
  const { fake, client } = await begin(t, { timeout: 100 });
  fake.answers = [{ body: Buffer.alloc(1_000_000) }];
  let bytes = 0;
  for await (const piece of await client.materials.audio('mat_1')) {
    if (bytes === 0) await new Promise((resolve) => setTimeout(resolve, 300));
    bytes += piece.byteLength;
  }
  assert.equal(bytes, 1_000_000);
});

test('a file that is being made is waited for', async (t) => {
  const { fake, client } = await begin(t);
  const making = { status: 202, body: { status: 'assembling', progress: 0.25 }, headers: { 'Retry-After': '0' } };
  fake.answers = [making, { body: Buffer.from('sound') }];
  const told = [];
  const stream = await client.materials.audio('mat_1', { onAssembling: (progress) => told.push(progress) });
  assert.equal((await stream.blob()).size, 5);
  assert.deepEqual(told, [0.25]);
  fake.answers = [{ ...making, headers: { 'Retry-After': '9' } }];
  await assert.rejects(client.materials.audioUrl('mat_1', { timeout: 1 }), WaitTimeoutError);
});

test('waiting follows the events', async (t) => {
  const { fake, client } = await begin(t);
  const events = Buffer.from(': hello\n\nid: 1\nevent: material.ready\ndata: {"status": "ready"}\n\n');
  fake.answers = [{ body: { status: 'processing' } }, { body: events, headers: { 'Content-Type': 'text/event-stream' } }, { body: { status: 'ready' } }];
  const seen = [];
  assert.equal((await client.materials.wait('mat_1', { onEvent: (event) => seen.push(event) })).status, 'ready');
  assert.deepEqual(seen, [{ type: 'material.ready', sequence: 1, data: { status: 'ready' } }]);
});

test('settings are checked', async () => {
  for (const baseURL of [undefined, 'speech.example.com', 'https://speech.example.com/v1']) {
    assert.throws(() => new Lectern({ apiKey: KEY, baseURL }), LecternError);
  }
  await assert.rejects(new Lectern({ baseURL: 'http://127.0.0.1:9' }).account.me(), /LECTERN_API_KEY/);
});
