// Speech that is played while it arrives, and texts that become books.
import './browser';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canPlayLive, LiveSource } from '../../src/state/livesource';
import { titleOf } from '../../src/text/words';

/** A buffer that takes one piece at a time, as those of browsers do. */
class FakeBuffer extends EventTarget {
  updating = false;
  constructor(readonly log: string[]) {
    super();
  }
  appendBuffer(bytes: Uint8Array): void {
    assert.ok(!this.updating, 'a second piece before the first was taken');
    this.updating = true;
    this.log.push(`append ${bytes.join()}`);
  }
  take(): void {
    this.updating = false;
    this.dispatchEvent(new Event('updateend'));
  }
}

class FakeSource extends EventTarget {
  static made: FakeSource[] = [];
  static isTypeSupported = (type: string): boolean => type === 'audio/mpeg';
  readyState = 'closed';
  readonly log: string[] = [];
  readonly buffer = new FakeBuffer(this.log);

  constructor() {
    super();
    FakeSource.made.push(this);
  }
  addSourceBuffer(type: string): FakeBuffer {
    this.log.push(`buffer ${type}`);
    return this.buffer;
  }
  open(): void {
    this.readyState = 'open';
    this.dispatchEvent(new Event('sourceopen'));
  }
  endOfStream(): void {
    this.readyState = 'ended';
    this.log.push('end');
  }
}

// Negative controls, each seen: without `updating` in `#feed` a second piece comes before the first was taken; with `endOfStream` in
// `end`, the second piece is missing.
test('pieces are fed one by one, and the end comes after the last', async () => {
  assert.ok(!canPlayLive(), 'Node plays nothing');
  Object.assign(globalThis, { MediaSource: undefined, ManagedMediaSource: FakeSource });
  URL.createObjectURL = (object) => (object instanceof Blob ? `blob:${object.size}` : 'blob:live');
  assert.ok(canPlayLive());
  const live = new LiveSource();
  const source = FakeSource.made[0]!;
  live.append(new Uint8Array([1, 2]));
  live.append(new Uint8Array());
  assert.deepEqual(source.log, [], 'before an element has opened it');
  source.open();
  live.append(new Uint8Array([3]));
  live.end();
  assert.deepEqual(source.log, ['buffer audio/mpeg', 'append 1,2']);
  source.buffer.take();
  source.buffer.take();
  assert.deepEqual(source.log, ['buffer audio/mpeg', 'append 1,2', 'append 3', 'end']);
  assert.deepEqual([live.url, live.whole, live.isEmpty], ['blob:live', 'blob:3', false]);
});

test('a book is called as its first line', () => {
  assert.equal(titleOf('  \n The lantern keeper \r\nIt was late.'), 'The lantern keeper');
  assert.equal(titleOf('It was late. '.repeat(20)), `${'It was late. '.repeat(6).slice(0, -2)}…`);
  assert.equal(Array.from(titleOf('灯'.repeat(200))).length, 81);
});
