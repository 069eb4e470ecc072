// Calls what the README does not, at a real service: for scripts/sdks.py, which sets LECTERN_BASE_URL and LECTERN_API_KEY.
import assert from 'node:assert/strict';

import { Lectern, errors } from '../dist/index.js';

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64');
const PLS = `<?xml version="1.0" encoding="UTF-8"?>
<lexicon version="1.0" xmlns="http://www.w3.org/2005/01/pronunciation-lexicon" alphabet="ipa" xml:lang="en-US">
<lexeme><grapheme>Siobhan</grapheme><alias>Shivawn</alias></lexeme></lexicon>`;

const client = new Lectern();
const { id: heart } = await client.ereaders.get('heart');
const begins = (bytes, text) => Buffer.from(bytes).subarray(0, text.length).toString() === text;
const drained = async (events) => {
  for await (const _ of events);
};

for (const replayed of [false, true]) {
  const audio = await client.speech.stream({ ereader_id: heart, text: 'Hello.', format: 'wav' }, { idempotencyKey: 'live-2' });
  assert.ok(begins(await audio.bytes(), 'RIFF'));
  assert.deepEqual([audio.contentType, audio.replayed, audio.characters, audio.credits], ['audio/wav', replayed, 6, 6]);
}
const socket = await client.speech.socket({ ereader_id: heart, format: 'pcm' });
socket.send('This is a sentence that goes on for a while, and then some. '.repeat(4));
let cancelled = false;
for await (const event of socket) {
  if (event.type === 'audio' && !cancelled) {
    cancelled = true;
    socket.cancel();
    socket.flush();
  } else if (event.type === 'flushed') {
    socket.send('Only this.');
    socket.end();
  } else if (event.type === 'done') assert.ok(event.credits_charged > 10 && event.credits_charged < 250);
}
await assert.rejects(drained((await client.speech.socket({ ereader_id: 'erd_0' })).speak(['Hello.'])), errors.EreaderNotFoundError);

const book = await client.materials.create({ text: '[speaker Ines]\nHello.\n[speaker Ada]\nHello, you.', title: 'Two', language: 'en' });
assert.equal((await client.materials.wait(book.id, { timeout: 60_000 })).status, 'ready');
const cast = await client.materials.setCast(book.id, { speakers: [{ name: 'Ines', ereader_id: heart }] });
assert.deepEqual(await client.materials.cast(book.id), cast);
const [said] = await client.materials.quotes(book.id, { speaker: 'Ada' }).all();
const place = { chunk_index: said.chunk_index, start: said.start, text: said.text };
const { quotes: changed } = await client.materials.setQuotes(book.id, { quotes: [{ ...place, speaker: null }] });
assert.deepEqual(changed, [{ ...said, speaker: null, confidence: null, given: true }]);
assert.deepEqual(await client.materials.quotes(book.id, { unattributed: true }).all(), []);
assert.equal((await client.materials.update(book.id, { author: 'Ada', series: null })).author, 'Ada');
assert.ok((await client.materials.setCover(book.id, PIXEL)).has_cover);
const cover = await client.materials.cover(book.id);
assert.ok(cover.contentType === 'image/png' && (await cover.bytes()).length);
assert.ok(!(await client.materials.deleteCover(book.id)).has_cover);
const [chapter] = await client.materials.chapters(book.id);
assert.equal((await client.materials.updateChapter(book.id, chapter.index, { title: 'Été' })).title, 'Été');
assert.equal((await client.materials.setChunkText(book.id, 0, 'Café.')).text, 'Café.');
assert.equal((await client.materials.chunkText(book.id, 0)).text, 'Café.');
await assert.rejects(client.materials.audioUrl(book.id), errors.ChunkNotReadyError);
assert.equal((await client.materials.convert(book.id, { ereader_id: heart, format: 'flac' })).credits_held, 5);
assert.equal((await client.materials.wait(book.id, { timeout: 60_000 })).status, 'completed');
const kinds = [];
for await (const { type } of client.materials.events(book.id)) kinds.push(type);
assert.deepEqual(kinds.slice(-2), ['chunk.completed', 'material.completed']);
assert.deepEqual((await client.materials.chunks(book.id).all()).map(({ status }) => status), ['completed']);
assert.ok(begins(await (await client.materials.chunkAudio(book.id, 0)).bytes(), 'fLaC'));
const { audio_url: address } = await client.materials.chunkAudioUrl(book.id, 0);
assert.ok(begins(await (await client.files.open(address)).bytes(), 'fLaC'));
assert.ok((await client.materials.chunkTimestamps(book.id, 0)).timestamps.length);
assert.match(await client.materials.captions(book.id, { format: 'srt' }), /^1\n/);
assert.ok((await client.materials.audioUrl(book.id, { format: 'epub', granularity: 'word' })).audio_url);
const feed = await client.materials.makeFeed(book.id);
assert.deepEqual(await client.materials.feed(book.id), feed);
assert.match(Buffer.from(await (await client.files.open(feed.url)).bytes()).toString(), /<rss/);
await client.materials.deleteFeed(book.id);
await assert.rejects(client.materials.feed(book.id), errors.NotFoundError);
assert.equal((await client.materials.cancel(book.id)).status, 'completed');
assert.equal((await client.materials.delete(book.id)).status, 'deleted');

const lexicon = await client.lexicons.create({ name: 'Names', language: 'en', entries: [{ word: 'Lectern', alias: 'lek turn' }] });
const { entries } = await client.lexicons.get(lexicon.id, { include: 'entries' });
assert.equal(entries[0].alias, 'lek turn');
assert.equal((await client.lexicons.replace(lexicon.id, { name: 'N', language: 'en', entries })).name, 'N');
assert.equal((await client.lexicons.replaceFromPls(lexicon.id, PLS, { name: 'PLS' })).entries_count, 1);
assert.ok((await client.lexicons.createFromPls(PLS, { name: 'Three' })).language);
await client.lexicons.delete(lexicon.id);

const url = 'https://127.0.0.1:9443/hook';
const hook = await client.webhooks.create({ url, events: ['chunk.completed'], description: 'A test' });
assert.equal((await client.webhooks.get(hook.id)).url, url);
assert.equal((await client.webhooks.update(hook.id, { description: null })).description, null);
assert.notEqual((await client.webhooks.rotateSecret(hook.id)).secret, hook.secret);
const delivery = await client.webhooks.test(hook.id);
assert.deepEqual((await client.webhooks.deliveries(hook.id).all()).map(({ id }) => id), [delivery.id]);
assert.equal((await client.webhooks.delivery(hook.id, delivery.id)).event_type, 'webhook.test');
await client.webhooks.retryDelivery(hook.id, delivery.id).catch((error) => assert.ok(error instanceof errors.AlreadyInFlightError));
await client.webhooks.delete(hook.id);

const key = await client.keys.create({ name: 'Reader', scopes: ['read'], environment: 'test' });
const other = new Lectern({ apiKey: key.key });
await assert.rejects(other.speech.synthesize({ ereader_id: heart, text: 'Hello.' }), errors.InsufficientScopeError);
await assert.rejects(other.speech.socket({ ereader_id: heart }), errors.InsufficientScopeError);
await client.keys.revoke(key.id);
await assert.rejects(other.account.me(), errors.ApiKeyRevokedError);

const { balance, held, available } = await client.credits.balance();
assert.equal(available, balance - held);
assert.ok((await client.credits.usage({ group_by: 'ereader' })).data.length);
assert.ok((await client.events.list({ type: 'chunk.completed', limit: 1 }).page()).data[0].data.material_id);
assert.ok((await (await client.ereaders.sample('heart')).bytes()).length);
assert.equal((await client.files.openapi()).openapi, '3.1.0');
assert.ok((await client.request('get_subscription')).character_limit);
await assert.rejects(client.request('web_list_keys'), errors.ApiKeyNotAllowedOnBffError);
