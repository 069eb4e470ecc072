// Verifying webhooks, with what docs/WEBHOOKS.md says can go wrong.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';

import { LecternError, WebhookVerificationError, webhooks } from '../dist/index.js';

const secret = () => `whsec_${randomBytes(32).toString('base64')}`;
const SECRET = secret();
const BODY = JSON.stringify({ type: 'chunk.completed', timestamp: '2026-11-21T07:08:11.524Z', data: { material_id: 'mat_1' } });

function signed(at = new Date(), by = SECRET) {
  const signature = new Webhook(by).sign('evt_1', at, BODY);
  return { 'Webhook-Id': 'evt_1', 'webhook-timestamp': String(Math.floor(at / 1000)), 'webhook-signature': signature };
}

test('a signed event is read', () => {
  for (const [body, headers] of [[BODY, signed()], [Buffer.from(BODY), signed()], [new TextEncoder().encode(BODY).buffer, new Headers(signed())]]) {
    const event = webhooks.verify(body, headers, SECRET);
    assert.deepEqual(event, { id: 'evt_1', type: 'chunk.completed', timestamp: '2026-11-21T07:08:11.524Z', data: { material_id: 'mat_1' } });
  }
  const two = { ...signed(), 'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} ${signed()['webhook-signature']}` };
  assert.equal(webhooks.verify(BODY, two, SECRET).id, 'evt_1');
});

test('forgeries are refused', () => {
  const { 'webhook-signature': _, ...unsigned } = signed();
  const forged = {
    'another body': [BODY.replace('mat_1', 'mat_2'), signed()],
    'another id': [BODY, { ...signed(), 'Webhook-Id': 'evt_2' }],
    'another secret': [BODY, signed(new Date(), secret())],
    'long ago': [BODY, signed(new Date(Date.now() - 360_000))],
    'from the future': [BODY, signed(new Date(Date.now() + 360_000))],
    'no signature': [BODY, unsigned],
    'a signature of no form': [BODY, { ...signed(), 'webhook-signature': 'v1' }],
    'a signature that is not base64': [BODY, { ...signed(), 'webhook-signature': 'v1,é' }],
    'a time that is none': [BODY, { ...signed(), 'webhook-timestamp': 'soon' }],
  };
  for (const [what, [body, headers]] of Object.entries(forged)) {
    assert.throws(() => webhooks.verify(body, headers, SECRET), WebhookVerificationError, what);
  }
});

test('a secret that is none is not shown', () => {
  assert.throws(() => webhooks.verify(BODY, signed(), 'whsec_é'), (error) => error instanceof LecternError && !error.message.includes('é'));
});
