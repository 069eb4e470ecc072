// A speech server for tests, which speaks OpenAI's protocol.
import { createServer } from 'node:http';

import { stopLater } from './server.js';

/** A speech server whose voice is a tone of some seconds, so that a part is not over before it is edited. `texts` is what it was asked to say; `hold` makes it wait until `release`. */
export class ToneServer {
  texts = [];
  #waiting = null;
  static async start(seconds) {
    const tone = new ToneServer();
    tone.server = createServer((request, response) => {
      let body = '';
      request.on('data', (bytes) => (body += bytes));
      request.on('end', async () => {
        tone.texts.push(JSON.parse(body).input);
        await tone.#waiting?.promise;
        response.writeHead(200, { 'Content-Type': 'audio/wav', Connection: 'close' }).end(wave(seconds));
      });
    });
    await new Promise((resolve) => tone.server.listen(0, '127.0.0.1', resolve));
    tone.url = `http://127.0.0.1:${tone.server.address().port}/v1`;
    stopLater(tone);
    return tone;
  }
  hold() {
    let release;
    this.#waiting = { promise: new Promise((resolve) => (release = resolve)) };
    this.release = () => {
      this.#waiting = null;
      release();
    };
  }
  stop() {
    this.release?.();
    this.server.close();
    this.server.closeAllConnections();
  }
}

/** 220 Hz as a WAV file. */
function wave(seconds) {
  const rate = 24_000;
  const samples = Int16Array.from({ length: seconds * rate }, (_, at) => 8000 * Math.sin((2 * Math.PI * 220 * at) / rate));
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.byteLength, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(2 * rate, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.byteLength, 40);
  return Buffer.concat([head, Buffer.from(samples.buffer)]);
}
