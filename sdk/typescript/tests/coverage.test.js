// Every operation of openapi.json can be called, and those of `/v1/saas` have a method. That the fields are all there is the
// compiler's to say: bodies and queries have the generated types.
//
// Seen to fail: with an operation added to openapi.json after the generated part was made, and without `Materials.feed`.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { APIError, Lectern, errors, operations } from '../dist/index.js';
import { openSocket } from '../dist/socket.js';

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'));
const declared = new Map(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [operation.operationId, { method: method.toUpperCase(), path, operation }]),
  ),
);
const forKeys = [...declared].filter(([, { path }]) => /^\/(v1\/saas|media|feeds)\/|^\/openapi/.test(path)).map(([id]) => id);

const resolve = (item) => (item.$ref ? resolve(item.$ref.slice(2).split('/').reduce((node, part) => node[part], document)) : item);

function operationOf(method, url) {
  const { pathname } = new URL(url);
  const fits = ([, one]) => one.method === method && new RegExp(`^${one.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname);
  const braces = ([, { path }]) => path.split('{').length;
  return [...declared].filter(fits).sort((one, other) => braces(one) - braces(other))[0][0];
}

function recording() {
  const called = new Set();
  const fetch = async (url, { method }) => {
    called.add(operationOf(method, url));
    return Response.json({ data: [], progress: 1 });
  };
  return { called, client: new Lectern({ apiKey: 'svc_test_x', baseURL: 'http://test', fetch }) };
}

/** Calls a method of a resource with an argument for each of its parameters, and uses what it answers. */
async function use(method) {
  const given = { file: new Blob(['x']), picture: new Blob(['x']), index: 3, url: 'http://test/media/x.mp3?expires=1&signature=2', body: {} };
  const names = /\(([^)]*)\)/.exec(method.toString())[1].split(',').map((name) => name.trim());
  const answer = method(...names.filter((name) => /^\w+$/.test(name)).map((name) => given[name] ?? (name === 'options' ? {} : 'x')));
  if (answer[Symbol.asyncIterator]) for await (const _ of answer);
  else await (await answer).cancel?.();
}

test('every operation can be called', async () => {
  assert.deepEqual(new Set(Object.keys(operations)), new Set(declared.keys()));
  const { called, client } = recording();
  for (const [id, { method, path, operation }] of declared) {
    const parameters = (operation.parameters ?? []).map(resolve);
    assert.deepEqual([operations[id].method, operations[id].path], [method, path]);
    assert.equal(operations[id].idempotent, parameters.some(({ name }) => name === 'Idempotency-Key'), id);
    const named = parameters.filter((one) => one.in === 'path').map(({ name }) => [name, 'a b/c']);
    await client.request(id, { path: Object.fromEntries(named) });
  }
  assert.deepEqual(called, new Set(declared.keys()));
});

test('every operation for keys has a method', async () => {
  const { called, client } = recording();
  for (const resource of Object.values(client)) {
    const prototype = Object.getPrototypeOf(resource);
    for (const name of Object.getOwnPropertyNames(prototype)) {
      if (name !== 'constructor' && name !== 'socket') await use(Object.assign(resource[name].bind(resource), { toString: () => prototype[name].toString() }));
    }
  }
  await (await client.files.open('http://test/feeds/mat_1/secret/feed.xml')).cancel();
  assert.equal(typeof client.speech.socket, 'function');
  assert.equal(typeof openSocket, 'function');
  called.add('open_socket');
  assert.deepEqual(forKeys.filter((id) => !called.has(id)), []);
});

test('every code has a class', () => {
  assert.deepEqual(Object.keys(errors.byCode).sort(), [...document.components.schemas.ErrorCode.enum].sort());
  for (const one of Object.values(errors.byCode)) assert.ok(one.prototype instanceof APIError);
});
