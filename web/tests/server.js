// What browser tests run against: a real server with its own data folder and the commands of its operator, a webhook receiver, a
// proxy that loses responses, and a fake Stripe with the published wire format.
import { spawn, execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);
const { LECTERN_BINARY: binary, LECTERN_SPEECH__VOICES_DIR: VOICES_DIR } = process.env;
if (!binary) throw new Error('LECTERN_BINARY must name the program to test');

export const PASSWORD = 'nine otters under the bridge';

/**
 * Everything that is still running. A failed test leaves its servers running, and Node does not exit while anything listens, so
 * each test file calls `stopAll` after its last test.
 */
const running = new Set();

export async function stopAll() {
  const results = await Promise.allSettled([...running].map((stoppable) => stoppable.stop()));
  const failed = results.filter(({ status }) => status === 'rejected').map(({ reason }) => reason);
  if (failed.length) throw new AggregateError(failed, 'some could not be stopped');
}

/** Lets `stopAll` stop something. */
export function stopLater(stoppable) {
  running.add(stoppable);
}

export class Server {
  /** `settings` are environment variables, `args` are arguments of `lectern serve`. */
  static async start(settings = {}, args = []) {
    const server = new Server();
    server.folder = await mkdtemp(join(tmpdir(), 'lectern-web.'));
    server.environment = {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      // Without it the catalog has the voices of every pack that the user has fetched.
      ...(VOICES_DIR && { LECTERN_SPEECH__VOICES_DIR: VOICES_DIR }),
      LECTERN_DATA_DIR: join(server.folder, 'data'),
      LECTERN_HTTP__LISTEN: '127.0.0.1:0',
      LECTERN_MANAGEMENT__LISTEN: '127.0.0.1:0',
      LECTERN_HTTP__SHUTDOWN_SECONDS: '1',
      // All tests share one IP address. Rate limits have tests of their own.
      LECTERN_RATE_LIMIT__LOGIN_PER_MINUTE: '100000',
      LECTERN_RATE_LIMIT__REGISTER_PER_MINUTE: '100000',
      LECTERN_LOG__FILTER: 'warn',
      ...settings,
    };
    server.process = spawn(binary, ['serve', ...args], { env: server.environment, stdio: ['ignore', 'pipe', 'inherit'] });
    running.add(server);
    const lines = createInterface({ input: server.process.stdout });
    server.output = '';
    lines.on('line', (line) => (server.output += `${line}\n`));
    const first = await new Promise((resolve, reject) => {
      lines.once('line', resolve);
      server.process.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    });
    server.url = `http://${JSON.parse(first).listening}`;
    return server;
  }

  /** Waits until the server has printed a match of `pattern`, and returns it. */
  async waitForOutput(pattern) {
    for (let tries = 0; tries < 300; tries += 1) {
      const found = this.output.match(pattern);
      if (found) return found[0];
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`the output does not match ${pattern}:\n${this.output}`);
  }

  async stop() {
    running.delete(this);
    const { exitCode, signalCode } = this.process;
    if (exitCode === null && signalCode === null) {
      const ended = new Promise((resolve) => this.process.once('exit', resolve));
      this.process.kill('SIGTERM');
      const late = setTimeout(() => this.process.kill('SIGKILL'), 20_000);
      await ended;
      clearTimeout(late);
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  async admin(...args) {
    const { stdout } = await run(binary, ['admin', ...args, '--json'], { env: this.environment });
    return JSON.parse(stdout);
  }

  async publish(kind, version, text) {
    const file = join(this.folder, `${kind}.md`);
    await writeFile(file, text);
    await this.admin('terms', 'publish', '--kind', kind, '--version', version, '--file', file);
    // Other processes notice a publication within a second.
    await new Promise((resolve) => setTimeout(resolve, 1100));
  }

  /** The link to `page` in the newest email to this address. */
  async link(email, page) {
    for (let tries = 0; tries < 100; tries += 1) {
      const folder = join(this.folder, 'data', 'outbox');
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort().reverse();
      for (const name of names) {
        const mail = await readFile(join(folder, name), 'utf8');
        const link = mail.includes(`To: ${email}`) && new RegExp(`http\\S*/${page}\\?token=\\S+`).exec(mail);
        if (link) return link[0];
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`no email to ${email} with a link to /${page}`);
  }

  async call(method, path, { token, body } = {}) {
    const headers = { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) };
    const answer = await fetch(this.url + path, { method, headers, body: body && JSON.stringify(body) });
    return { status: answer.status, body: await answer.json().catch(() => null) };
  }

  /** Registers and confirms an account. Returns its invitation, with the first keys. */
  async account(email, credits = 100_000, tier = 'free') {
    const args = ['--email', email, '--tier', tier, ...(credits ? ['--credits', String(credits)] : [])];
    const invited = await this.admin('invite', 'create', ...args);
    await this.call('POST', '/v1/saas/auth/register', { body: { password: PASSWORD, invite_token: invited.invite_token } });
    await this.admin('account', 'confirm-email', '--account', email);
    return invited;
  }

  async session(email, password = PASSWORD) {
    const login = await this.call('POST', '/v1/saas/auth/login', { body: { email, password } });
    return login.body.session_token;
  }
}

/** A webhook receiver with its own certificate authority, which answers every event with the same response. */
export class WebhookReceiver {
  static async start(folder, status, body) {
    const [ca, caKey, key, request, extensions, cert] = ['ca.pem', 'ca.key', 'leaf.key', 'leaf.csr', 'leaf.ext', 'leaf.pem'].map((name) => join(folder, name));
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    await writeFile(extensions, 'subjectAltName=IP:127.0.0.1\n');
    await run('openssl', ['req', '-x509', ...curve, '-subj', '/CN=Test authority', '-days', '2', '-keyout', caKey, '-out', ca]);
    await run('openssl', ['req', ...curve, '-subj', '/CN=127.0.0.1', '-keyout', key, '-out', request]);
    await run('openssl', ['x509', '-req', '-in', request, '-CA', ca, '-CAkey', caKey, '-CAcreateserial', '-days', '2', '-extfile', extensions, '-out', cert]);
    const receiver = new WebhookReceiver();
    receiver.ca = ca;
    receiver.server = createSecureServer({ key: await readFile(key), cert: await readFile(cert) }, (request, response) => {
      request.resume();
      request.on('end', () => response.writeHead(status, { 'Content-Type': 'text/html' }).end(body));
    });
    await new Promise((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    running.add(receiver);
    receiver.url = `https://127.0.0.1:${receiver.server.address().port}/hook`;
    return receiver;
  }

  stop() {
    running.delete(this);
    this.server.close();
    this.server.closeAllConnections?.();
  }
}

/** A port that nothing listens on. */
export async function freePort() {
  const listener = createTcpServer();
  await new Promise((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  return port;
}

/** A proxy that closes the connection once, in the middle of the response to the first POST to `path`. */
export class FlakyProxy {
  /** Breaks the first answer to `POST path`: in its body's first bytes, or `after` more of them. */
  static async start(server, path, { after = 0 } = {}) {
    const proxy = new FlakyProxy();
    proxy.broken = 0;
    proxy.clients = new Set();
    const { hostname, port } = new URL(server.url);
    proxy.listener = createTcpServer((client) => {
      const upstream = connect(Number(port), hostname);
      let isTarget = false;
      let passed = null;
      let previous = '';
      proxy.clients.add(client);
      client.on('close', () => proxy.clients.delete(client));
      client.on('data', (bytes) => {
        // The request line may be split between two chunks.
        isTarget ||= (previous + bytes.toString('latin1')).includes(`POST ${path}`);
        previous = bytes.toString('latin1').slice(-path.length - 5);
        upstream.write(bytes);
      });
      upstream.on('data', (bytes) => {
        const head = bytes.indexOf('\r\n\r\n');
        if (isTarget && head > 0) passed ??= 0;
        if (passed !== null && !proxy.broken && (after ? (passed += bytes.length) > after : head > 0)) {
          proxy.broken += 1;
          client.end(bytes.subarray(0, head + 10), () => client.destroy());
          upstream.destroy();
        } else client.write(bytes);
      });
      for (const [from, to] of [[client, upstream], [upstream, client]]) {
        from.on('error', () => to.destroy());
        from.on('close', () => to.destroy());
      }
    });
    await new Promise((resolve) => proxy.listener.listen(0, '127.0.0.1', resolve));
    running.add(proxy);
    proxy.url = `http://127.0.0.1:${proxy.listener.address().port}`;
    return proxy;
  }

  stop() {
    running.delete(this);
    this.listener.close();
    for (const client of this.clients) client.destroy();
  }
}

const SECRET = 'whsec_only_for_tests';

/** A fake Stripe whose checkout has one page, with a link for each outcome. */
export class FakeStripe {
  static async start() {
    const stripe = new FakeStripe();
    stripe.sessions = new Map();
    stripe.server = createServer((request, response) => stripe.answer(request, response));
    await new Promise((resolve) => stripe.server.listen(0, '127.0.0.1', resolve));
    running.add(stripe);
    stripe.base = `http://127.0.0.1:${stripe.server.address().port}`;
    stripe.settings = {
      LECTERN_STRIPE__SECRET_KEY: 'sk_test_only',
      LECTERN_STRIPE__WEBHOOK_SECRET: SECRET,
      LECTERN_STRIPE__API_BASE: stripe.base,
    };
    return stripe;
  }

  stop() {
    running.delete(this);
    this.server.close();
    this.server.closeAllConnections?.();
  }

  async answer(request, response) {
    const url = new URL(request.url, this.base);
    let text = '';
    for await (const piece of request) text += piece;
    const form = new URLSearchParams(text);
    const kept = this.answerOfCards(request.method, url.pathname);
    if (kept) {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(kept));
      return;
    }
    if (request.method === 'POST' && url.pathname === '/v1/checkout/sessions') {
      const id = `cs_test_${this.sessions.size + 1}`;
      this.sessions.set(id, form);
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ id, object: 'checkout.session', payment_status: 'unpaid', url: `${this.base}/pay/${id}` }));
      return;
    }
    await this.checkout(url, response);
  }

  /** What is asked of Stripe for a card that it keeps. Each payment succeeds. */
  answerOfCards(method, path) {
    const answers = {
      'POST /v1/customers': { id: 'cus_1' },
      'GET /v1/setup_intents/seti_1': { payment_method: { id: 'pm_1', card: { brand: 'visa', last4: '4242' } } },
      'POST /v1/payment_intents': { id: 'pi_1', status: 'succeeded' },
      'GET /v1/payment_intents': { data: [] },
      'POST /v1/payment_methods/pm_1/detach': { id: 'pm_1' },
    };
    return answers[`${method} ${path}`];
  }

  /** The pages that a customer sees. */
  async checkout(url, response) {
    const [, , id, what] = url.pathname.split('/');
    const form = this.sessions.get(id);
    if (!form) return response.writeHead(404).end();
    if (form.get('mode') === 'setup') {
      if (what === 'kept') {
        await this.report('checkout.session.completed', id, form, { id, mode: 'setup', customer: form.get('customer'), setup_intent: 'seti_1' });
        return response.writeHead(303, { Location: form.get('success_url') }).end();
      }
      response.setHeader('Content-Type', 'text/html');
      return response.end(`<h1>Keep a card</h1><p><a href="/pay/${id}/kept">Keep the card</a></p><p><a href="${form.get('cancel_url')}">Back</a></p>`);
    }
    if (what === 'declined') {
      // A declined card does not end the checkout: the customer can try another one.
      response.setHeader('Content-Type', 'text/html');
      response.end(`<p role="alert">Your card was declined.</p><p><a href="/pay/${id}">Try another card</a></p>`);
      return;
    }
    if (what === 'paid' || what === 'failed') {
      const kind = what === 'paid' ? 'completed' : 'async_payment_failed';
      // Stripe may send an event more than once.
      for (let time = 0; time < 2; time += 1) await this.send(`checkout.session.${kind}`, id, form, what === 'paid' ? 'paid' : 'unpaid');
      response.writeHead(303, { Location: form.get('success_url') }).end();
      return;
    }
    response.setHeader('Content-Type', 'text/html');
    const link = (to, text) => `<p><a href="${to}">${text}</a></p>`;
    response.end(
      `<h1>Pay</h1>${link(`/pay/${id}/paid`, 'Pay')}${link(`/pay/${id}/declined`, 'Pay with a card that is declined')}${link(`/pay/${id}/failed`, 'Pay from a bank account that is empty')}${link(form.get('cancel_url'), 'Back')}`,
    );
  }

  async send(type, id, form, payment_status) {
    const object = {
      id,
      object: 'checkout.session',
      client_reference_id: form.get('client_reference_id'),
      payment_status,
      amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]'),
    };
    await this.report(type, id, form, object);
  }

  /** Sends an event as Stripe does. */
  async report(type, id, form, object) {
    const body = JSON.stringify({ id: `evt_${id}`, object: 'event', created: Math.floor(Date.now() / 1000), type, data: { object } });
    const time = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex');
    const headers = { 'Stripe-Signature': `t=${time},v1=${signature}`, 'Content-Type': 'application/json' };
    const answer = await fetch(new URL('/v1/payments/stripe/events', form.get('success_url')), { method: 'POST', headers, body });
    if (answer.status !== 200) throw new Error(`the event was answered with ${answer.status}`);
  }
}
