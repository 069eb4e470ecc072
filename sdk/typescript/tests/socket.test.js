// Sockets, against a server that speaks as docs/SOCKET.md says.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { WebSocketServer } from 'ws';

import { Lectern, errors } from '../dist/index.js';

const KEY = 'svc_test_x';
const WORD = { text: 'Hello', start_char: 0, end_char: 5, start_ms: 0, end_ms: 400 };

async function begin(t) {
  const state = { received: [], refusals: [], protocols: '' };
  const refused = (response) => {
    const refusal = state.refusals[0];
    response.writeHead(refusal?.status ?? 400, { 'Retry-After': '0' });
    response.end(JSON.stringify({ error: { code: refusal?.code ?? 'bad_request', message: 'No.', request_id: 'req_1' } }));
    if (refusal) state.refusals.shift();
  };
  const server = createServer((_, response) => refused(response));
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: (offered) => (offered.has('lectern.v1') ? 'lectern.v1' : false) });
  server.on('upgrade', (request, connection, head) => {
    state.protocols = request.headers['sec-websocket-protocol'];
    if (state.refusals.length) return connection.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
    sockets.handleUpgrade(request, connection, head, (socket) => {
      const say = (message) => socket.send(JSON.stringify(message));
      socket.on('message', (data) => {
        const told = JSON.parse(data.toString());
        state.received.push(told);
        if (told.type === 'text' && told.text === 'fail') {
          say({ type: 'error', error: { code: 'insufficient_balance', message: 'Too few.', request_id: 'req_9' } });
          socket.close(1008);
        } else if (told.type === 'text') {
          say({ type: 'words', words: [WORD] });
          say({ type: 'moon' });
          socket.send(Buffer.from(told.text));
        } else if (told.type === 'flush') say({ type: 'flushed' });
        else if (told.type === 'end') {
          say({ type: 'done', characters: 6, credits_charged: 7 });
          socket.close(1000);
        }
      });
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  });
  const client = new Lectern({ apiKey: KEY, baseURL: `http://127.0.0.1:${server.address().port}` });
  return { state, client };
}

async function heard(events) {
  const found = [];
  for await (const event of events) found.push(event);
  return found;
}

test('texts go in and audio comes out', async (t) => {
  const { state, client } = await begin(t);
  const socket = await client.speech.socket({ ereader_id: 'erd_1', format: 'pcm' });
  const events = await heard(socket.speak(['Hello ', 'you.']));
  assert.equal(state.protocols.replace(/\s/g, ''), `lectern.v1,lectern.key.${KEY}`);
  assert.deepEqual(state.received[0], { type: 'start', ereader_id: 'erd_1', format: 'pcm' });
  const audio = events.filter(({ type }) => type === 'audio').map(({ data }) => Buffer.from(data).toString());
  assert.equal(audio.join(''), 'Hello you.');
  assert.deepEqual(events[0], { type: 'words', words: [WORD] });
  assert.deepEqual(events.at(-1), { type: 'done', characters: 6, credits_charged: 7 });
});

test('it can be flushed and cancelled', async (t) => {
  const { state, client } = await begin(t);
  const socket = await client.speech.socket({ ereader_id: 'erd_1' });
  socket.send('Hello.');
  socket.cancel();
  socket.flush();
  const kinds = [];
  for await (const event of socket) {
    kinds.push(event.type);
    if (event.type === 'flushed') socket.end();
  }
  assert.deepEqual(kinds, ['words', 'audio', 'flushed', 'done']);
  assert.deepEqual(state.received.map(({ type }) => type), ['start', 'text', 'cancel', 'flush', 'end']);
});

test('an error has the class of its code', async (t) => {
  const { client } = await begin(t);
  const socket = await client.speech.socket({ ereader_id: 'erd_1' });
  await assert.rejects(heard(socket.speak(['fail'])), (error) => error instanceof errors.InsufficientBalanceError && error.requestId === 'req_9');
});

test('long texts are several messages', async (t) => {
  const { state, client } = await begin(t);
  const text = '👋\u0001'.repeat(10_000);
  await heard((await client.speech.socket({ ereader_id: 'erd_1' })).speak([text]));
  const texts = state.received.filter(({ type }) => type === 'text').map(({ text }) => text);
  assert.equal(texts.join(''), text);
  assert.ok(texts.every((one) => Buffer.byteLength(JSON.stringify({ type: 'text', text: one })) < 65_536));
});

test('a failure of the texts is told', async (t) => {
  const { client } = await begin(t);
  async function* texts() {
    yield 'Hello.';
    throw new Error('the model is away');
  }
  await assert.rejects(heard((await client.speech.socket({ ereader_id: 'erd_1' })).speak(texts())), /away/);
});

test('a refusal is typed and one that passes is tried again', async (t) => {
  const { state, client } = await begin(t);
  state.refusals = [{ status: 429, code: 'rate_limited' }];
  const socket = await client.speech.socket({ ereader_id: 'erd_1' });
  socket.end();
  assert.equal((await heard(socket)).length, 1);
  state.refusals = [{ status: 403, code: 'insufficient_scope' }];
  await assert.rejects(client.speech.socket({ ereader_id: 'erd_1' }), errors.InsufficientScopeError);
});
