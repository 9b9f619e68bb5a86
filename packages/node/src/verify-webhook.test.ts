import { createHmac, generateKeyPairSync, sign as signWithKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { verifyWebhook } from './verify-webhook.ts';
import { WebhookVerificationError } from './webhook-verification-error.ts';

interface Vector {
  name: string;
  secret: string;
  id: string;
  timestamp: number;
  utf8: boolean;
  body_base64: string;
  signature: string;
}

const file = new URL('../../contract/vectors/webhooks.json', import.meta.url);
const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: Vector[] };
const texts = vectors.filter((vector) => vector.utf8);

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const body = '{"id":"evt_1","type":"plan.created","data":{"amount":1.0}}';
const sentAt = 1_769_968_800;
const clock = (offset = 0) => ({ now: () => new Date((sentAt + offset) * 1000) });

function sign(bytes: string | Uint8Array, { id = 'evt_1', timestamp = sentAt, key = secret } = {}) {
  const digest = createHmac('sha256', Buffer.from(key.slice(6), 'base64'))
    .update(`${id}.${timestamp}.`)
    .update(bytes)
    .digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${digest}`,
  };
}

function reasonOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason;
    throw error;
  }
  return 'verified';
}

test.each(texts)('verifies $name, as bytes and as text', (vector) => {
  const bytes = Buffer.from(vector.body_base64, 'base64');
  const headers = {
    'webhook-id': vector.id,
    'webhook-timestamp': String(vector.timestamp),
    'webhook-signature': `v1a,zzz v1,AAAA ${vector.signature}`,
  };
  const options = { now: () => new Date(vector.timestamp * 1000) };
  const event = verifyWebhook(bytes, headers, vector.secret, options);
  expect(event).toEqual(JSON.parse(bytes.toString()));
  expect(verifyWebhook(bytes.toString(), headers, vector.secret, options)).toEqual(event);

  const changed = Buffer.from(bytes);
  changed[2] = 0x7e;
  expect(reasonOf(() => verifyWebhook(changed, headers, vector.secret, options))).toBe('mismatch');
});

test('refuses bytes that are not UTF-8, even with a valid signature', () => {
  const bytes = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]);
  expect(reasonOf(() => verifyWebhook(bytes, sign(bytes), secret, clock()))).toBe('mismatch');
});

test('accepts what the upstream library signs', () => {
  const signature = new Webhook(secret).sign('evt_1', new Date(sentAt * 1000), body);
  const headers = { ...sign(body), 'webhook-signature': signature };
  expect(verifyWebhook(body, headers, secret, clock()).id).toBe('evt_1');
});

test('reads fetch Headers, Node records, upper case, arrays of values and pairs', () => {
  const record = sign(body);
  const upper = Object.fromEntries(Object.entries(record).map(([k, v]) => [k.toUpperCase(), v]));
  const arrays = Object.fromEntries(Object.entries(record).map(([k, v]) => [k, [v]]));
  const noise = { host: 'portal.example', 'set-cookie': undefined };
  for (const headers of [
    record,
    upper,
    arrays,
    { ...noise, ...record },
    new Headers(record),
    new Map(Object.entries(record)),
    Object.entries(record),
  ]) {
    expect(verifyWebhook(body, headers, secret, clock()).type).toBe('plan.created');
  }
});

test('reads svix headers alone, and never mixes the two families', () => {
  const signed = sign(body);
  const svix = {
    'svix-id': signed['webhook-id'],
    'svix-timestamp': signed['webhook-timestamp'],
    'svix-signature': signed['webhook-signature'],
  };
  expect(verifyWebhook(body, svix, secret, clock()).id).toBe('evt_1');
  const { 'svix-signature': _, ...half } = svix;
  const mixed = { ...half, 'webhook-signature': signed['webhook-signature'] };
  expect(reasonOf(() => verifyWebhook(body, mixed, secret, clock()))).toBe('missing_header');
});

test('accepts any live secret and any v1 entry during a rotation', () => {
  const both = `${sign(body, { key: other })['webhook-signature']} ${sign(body)['webhook-signature']}`;
  const headers = { ...sign(body), 'webhook-signature': both };
  for (const secrets of [secret, other, [secret, other], [other, secret]]) {
    expect(verifyWebhook(body, headers, secrets, clock()).id).toBe('evt_1');
  }
  expect(verifyWebhook(body, sign(body), [other, secret], clock()).id).toBe('evt_1');
  expect(reasonOf(() => verifyWebhook(body, sign(body), [other], clock()))).toBe('mismatch');
});

test('tolerates 300 s in both directions, or toleranceSeconds', () => {
  const at = (offset: number, toleranceSeconds?: number) =>
    reasonOf(() =>
      verifyWebhook(body, sign(body), secret, {
        ...clock(offset),
        ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }),
      }),
    );
  expect(at(300)).toBe('verified');
  expect(at(301)).toBe('too_old');
  expect(at(-300)).toBe('verified');
  expect(at(-301)).toBe('too_new');
  expect(at(10, 5)).toBe('too_old');
  expect(at(0, 0)).toBe('verified');
  expect(() => at(0, Number.NaN)).toThrow('toleranceSeconds');
});

test.each(['12abc', '1e9', ' 1769968800', '-1', '1769968800.5', '9'.repeat(13)])(
  'refuses the timestamp %j',
  (timestamp) => {
    const headers = { ...sign(body), 'webhook-timestamp': timestamp };
    expect(reasonOf(() => verifyWebhook(body, headers, secret, clock()))).toBe('bad_timestamp');
  },
);

test('the signature covers the timestamp', () => {
  const headers = { ...sign(body), 'webhook-timestamp': String(sentAt + 1) };
  expect(reasonOf(() => verifyWebhook(body, headers, secret, clock()))).toBe('mismatch');
});

test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
  'says that %s is missing',
  (name) => {
    const headers = Object.entries(sign(body)).filter(([key]) => key !== name);
    const run = () => verifyWebhook(body, headers, secret, clock());
    expect(reasonOf(run)).toBe('missing_header');
    expect(run).toThrow(name);
  },
);

test('requires a v1 signature: refuses v1a, one without a version, and a longer one', () => {
  const { 'webhook-signature': signature, ...rest } = sign(body);
  const reason = (value: string) =>
    reasonOf(() => verifyWebhook(body, { ...rest, 'webhook-signature': value }, secret, clock()));
  expect(reason(`v1a,${signature.slice(3)}`)).toBe('no_v1');
  expect(reason(signature.slice(3))).toBe('no_v1');
  expect(reason(`${signature}A`)).toBe('mismatch');
  expect(reason(signature.slice(0, -1))).toBe('mismatch');
  expect(reason('v1,')).toBe('mismatch');
});

describe('a public key', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const whpk = `whpk_${Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64')}`;
  const stranger = `whpk_${Buffer.alloc(32, 9).toString('base64')}`;
  const signature = `v1a,${signWithKey(null, Buffer.from(`evt_1.${sentAt}.${body}`), privateKey).toString('base64')}`;
  const signedAs = (value: string) => ({ ...sign(body), 'webhook-signature': value });
  const both = signedAs(`${sign(body)['webhook-signature']} ${signature}`);

  test('verifies v1a signatures, alone and in a list with secrets', () => {
    for (const keys of [whpk, [stranger, whpk], [secret, whpk], [whpk, other], secret]) {
      expect(verifyWebhook(body, both, keys, clock()).id).toBe('evt_1');
    }
    expect(verifyWebhook(body, signedAs(signature), [secret, whpk], clock()).id).toBe('evt_1');
  });

  test('refuses another key, another body, another time, and signatures of the other kind', () => {
    const reason = (headers: Record<string, string>, keys: string | string[], text = body) =>
      reasonOf(() => verifyWebhook(text, headers, keys, clock()));
    expect(reason(both, stranger)).toBe('mismatch');
    expect(reason(both, whpk, body.replace('plan', 'plum'))).toBe('mismatch');
    expect(reason({ ...both, 'webhook-timestamp': String(sentAt + 1) }, whpk)).toBe('mismatch');
    expect(reason(sign(body), whpk)).toBe('no_v1');
    expect(reason(signedAs(signature), secret)).toBe('no_v1');
    // A signature's bytes do not verify as a signature of the other kind.
    expect(reason(signedAs(signature.replace('v1a', 'v1')), [secret, whpk])).toBe('mismatch');
    for (const damaged of ['v1a,', 'v1a,@@', signature.slice(0, -4), `${signature}AAAA`]) {
      expect(reason(signedAs(damaged), whpk)).toBe('mismatch');
    }
  });

  test('says that it is not a key', () => {
    for (const damaged of ['whpk_', 'whpk_@@@', 'whpk_AAAA', `${whpk}AAAA`]) {
      expect(reasonOf(() => verifyWebhook(body, both, damaged, clock()))).toBe('invalid_secret');
    }
  });
});

test('distinguishes a wrong secret from an API key and from a malformed one', () => {
  const reason = (wrong: unknown) =>
    reasonOf(() => verifyWebhook(body, sign(body), wrong as string, clock()));
  expect(reason(other)).toBe('mismatch');
  expect(reason('svc_sandbox_abc')).toBe('secret_is_api_key');
  expect(reason(['svc_production_abc', secret])).toBe('secret_is_api_key');
  for (const damaged of ['whsec_', '', 'whsec_@@@', [], undefined, null, [null]]) {
    expect(reason(damaged)).toBe('invalid_secret');
  }
});

test('refuses a parsed body, and says how to pass the raw one', () => {
  const run = () => verifyWebhook(JSON.parse(body) as string, sign(body), secret, clock());
  expect(reasonOf(run)).toBe('body_not_raw');
  expect(run).toThrow('read the raw body before any JSON middleware');
});

test('recognizes a body that a framework serialized again', () => {
  const compact = JSON.stringify(JSON.parse(body));
  const reason = (rewritten: string) =>
    reasonOf(() => verifyWebhook(rewritten, sign(compact), secret, clock()));
  expect(reason(JSON.stringify(JSON.parse(body), null, 2))).toBe('body_not_raw');
  expect(reason(`${compact}\n`)).toBe('body_not_raw');
  expect(reason(compact.replace('plan', 'plum'))).toBe('mismatch');
});

test('computes no second HMAC for a large body with a wrong signature', () => {
  const compact = JSON.stringify({ pad: 'x'.repeat(64 * 1024) });
  const rewritten = `${compact}\n`;
  expect(reasonOf(() => verifyWebhook(rewritten, sign(compact), secret, clock()))).toBe('mismatch');
});

test.each(['', '[]', '"text"', 'null', 'not json'])(
  'returns no event for the signed body %j',
  (text) => {
    expect(reasonOf(() => verifyWebhook(text, sign(text), secret, clock()))).toBe('body_not_raw');
  },
);
