import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { EngineRefusal } from './refusal.ts';
import { newSecret, parseSecret, signAttempt, signatureHeaders, signatureOf } from './signature.ts';

describe('signature', () => {
  // github.com/standard-webhooks/standard-webhooks libraries/javascript/src/webhook.test.ts, and
  // the Svix manual; the second secret has only 18 bytes.
  test.each([
    {
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      messageId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1614265330,
      body: '{"test": 2432232314}',
      signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    {
      secret: 'whsec_plJ3nmyCDGBKInavdOK15jsl',
      messageId: 'msg_loFOjxBNrRLzqYUf',
      timestamp: 1731705121,
      body: '{"event_type":"ping","data":{"success":true}}',
      signature: 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
    },
  ])('equals the published vector of $messageId', ({ secret, signature, ...signed }) => {
    expect(signatureOf(signed, [parseSecret(secret)])).toBe(signature);
    expect(signatureOf({ ...signed, body: Buffer.from(signed.body) }, [parseSecret(secret)])).toBe(
      signature,
    );
  });

  test('the standardwebhooks library accepts any body, with both families of header names', {
    timeout: 120_000,
  }, () => {
    const timestamp = Math.floor(Date.now() / 1000);
    const secrets = fc.uint8Array({ minLength: 24, maxLength: 64 });
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), secrets, (text, bytes) => {
        const body = text.toWellFormed();
        const secret = `whsec_${Buffer.from(bytes).toString('base64')}`;
        const signed = { messageId: 'evt_01', timestamp, body };
        const signature = signatureOf(signed, [parseSecret(secret)]);
        const headers = pairs(signatureHeaders(signed, signature, true));
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
        for (const name of ['id', 'timestamp', 'signature']) {
          expect(headers[`svix-${name}`]).toBe(headers[`webhook-${name}`]);
        }
      }),
      { numRuns: 10_000 },
    );
  });

  test('a secret signs until the moment it expires', () => {
    const [newest, replaced] = [newSecret(), newSecret()].map(parseSecret);
    const end = Date.UTC(2026, 0, 31, 12);
    const keys = [
      { key: newest as Buffer, expiresAt: null },
      { key: replaced as Buffer, expiresAt: new Date(end) },
    ];
    const signed = { messageId: 'evt_01', timestamp: 1, body: '{}' };
    const countAt = (ms: number) => signAttempt(signed, keys, new Date(ms)).split(' ').length;
    expect([countAt(end - 1), countAt(end)]).toEqual([2, 1]);
  });

  test('every live secret signs, and a receiver that knows one of them accepts', () => {
    const secrets = [newSecret(), newSecret()];
    const timestamp = Math.floor(Date.now() / 1000);
    const signed = { messageId: 'evt_01', timestamp, body: '{}' };
    const signature = signatureOf(signed, secrets.map(parseSecret));
    expect(signature.split(' ')).toHaveLength(2);
    const headers = pairs(signatureHeaders(signed, signature, false));
    expect(Object.keys(headers)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
    for (const secret of secrets) {
      expect(() => new Webhook(secret).verify('{}', headers)).not.toThrow();
    }
    const stranger = new Webhook(newSecret());
    expect(() => stranger.verify('{}', headers)).toThrow('No matching signature found');
  });

  test('a new secret has 32 random bytes', () => {
    const secret = newSecret();
    expect(parseSecret(secret)).toHaveLength(32);
    expect(newSecret()).not.toBe(secret);
  });

  test.each([
    '',
    'whsec_',
    'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'whsec_short',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS!',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n',
    `whsec_${Buffer.alloc(65).toString('base64')}`,
    'whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  ])('refuses %j as a secret', (secret) => {
    expect(() => parseSecret(secret)).toThrow(EngineRefusal);
  });
});

function pairs(flat: readonly string[]): Record<string, string> {
  const entries = flat.flatMap((name, index) => (index % 2 ? [] : [[name, flat[index + 1]]]));
  return Object.fromEntries(entries);
}
