// A server that answers what a test tells it, and keeps what it was sent.
import { createServer } from 'node:http';

export async function fakeServer(t) {
  const fake = { answers: [], sent: [], url: '' };
  const server = createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    fake.sent.push({ method: request.method, path: request.url, headers: request.headers, body: Buffer.concat(pieces) });
    const answer = { status: 200, body: {}, headers: {}, ...fake.answers.shift() };
    if (answer.cut) return request.socket.destroy();
    const bytes = Buffer.isBuffer(answer.body) ? answer.body : Buffer.from(JSON.stringify(answer.body));
    const kind = Buffer.isBuffer(answer.body) ? 'application/octet-stream' : 'application/json';
    response.writeHead(answer.status, { 'Content-Type': kind, 'Content-Length': bytes.length, ...answer.headers });
    if (answer.short) return response.write(bytes.subarray(0, bytes.length / 2), () => request.socket.destroy());
    response.end(bytes);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  fake.url = `http://127.0.0.1:${server.address().port}`;
  return fake;
}

export function refusal(status, code, headers = {}) {
  return { status, headers, body: { error: { code, message: `It is ${code}.`, request_id: 'req_1' } } };
}
