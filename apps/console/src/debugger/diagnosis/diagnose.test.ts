import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import vectors from '../../../../../packages/contract/vectors/webhooks.json' with { type: 'json' };
import { diagnose, type Evidence } from './diagnose.ts';

const secret = 'whsec_C2cefaBkR808+wk2PtchSkYnPjlVv3xcznyvRpA78AY=';
const other = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const now = 1_769_968_830_000;
const body = '{"id":"evt_01","data":{"name":"Zoë","url":"a/b","n":2,"b":1}}';

function sign(content: string, key: Buffer | string = keyOf(secret)): string {
  return createHmac('sha256', key).update(content).digest('base64');
}

function keyOf(text: string): Buffer {
  return Buffer.from(text.slice(6), 'base64');
}

const headers = (signature: string, timestamp = '1769968800') =>
  `Webhook-Id: evt_01\nWebhook-Timestamp: ${timestamp}\nWebhook-Signature: v1,${signature}`;
const right = sign(`evt_01.1769968800.${body}`);

async function wrongFindings(part: Partial<Evidence>): Promise<string[]> {
  const evidence = {
    headers: headers(right),
    body,
    secret,
    computed: '',
    arrivedAt: null,
    now,
    sent: null,
    others: [],
  };
  const findings = await diagnose({ ...evidence, ...part });
  return findings
    .filter(({ verdict }) => verdict !== 'right')
    .map((each) => `${each.part}: ${each.words}`);
}

test('every contract vector is valid with each way of pasting the headers', async () => {
  for (const vector of vectors.vectors.filter(({ utf8 }) => utf8)) {
    const { id, timestamp, signature } = vector;
    const given = { id, timestamp: String(timestamp), signature };
    const named = Object.entries(given).map(([name, value]): [string, string] => [
      `webhook-${name}`,
      value,
    ]);
    const pastes = [
      named.map(([name, value]) => `${name}: ${value}`).join('\r\n'),
      JSON.stringify(Object.fromEntries(named)),
      JSON.stringify(named.map(([name, value]) => [name.replace('webhook', 'svix'), value])),
      named.map(([name, value]) => `  -H '${name}: ${value}' \\`).join('\n'),
      named
        .map(([name, value]) => `HTTP_${name.replaceAll('-', '_').toUpperCase()} => ${value}`)
        .join('\n'),
    ];
    for (const paste of pastes) {
      const text = Buffer.from(vector.body_base64, 'base64').toString();
      const wrong = await wrongFindings({
        headers: paste,
        body: text,
        secret: vector.secret,
        arrivedAt: timestamp * 1000,
      });
      expect(wrong, `${vector.name} ${paste}`).toEqual([]);
    }
  }
});

test('a re-serialized body is identified, with how it was serialized', async () => {
  const value: unknown = JSON.parse(body);
  const pretty = JSON.stringify(value, null, 2);
  expect(await wrongFindings({ body: pretty })).toEqual([
    expect.stringMatching(/^Body: Re-serialized.*without spaces/),
  ]);
  const python = body.replaceAll(':', ': ').replaceAll(',', ', ').replace('ë', '\\u00eb');
  const signed = sign(`evt_01.1769968800.${python}`);
  expect(await wrongFindings({ headers: headers(signed) })).toEqual([
    expect.stringMatching(/^Body: Re-serialized.*ASCII/),
  ]);
  expect(await wrongFindings({ body: `${body}\n` })).toEqual([
    expect.stringMatching(/^Body: The body has spaces or a line break/),
  ]);
});

test('a secret used without decoding is identified', async () => {
  const whole = sign(`evt_01.1769968800.${body}`, secret);
  expect(await wrongFindings({ headers: headers(whole) })).toEqual([
    expect.stringMatching(/^Secret: Signed with the text/),
  ]);
  const base64 = sign(`evt_01.1769968800.${body}`, secret.slice(6));
  expect(await wrongFindings({ headers: headers(base64) })).toEqual([
    expect.stringMatching(/^Secret: Signed with the base64 text/),
  ]);
});

test('the secret of another endpoint is identified even if the body was re-serialized too', async () => {
  const signed = sign(`evt_01.1769968800.${body}`, keyOf(other));
  const others = [{ name: 'https://other.example', secret: other }];
  const pasted = JSON.stringify(JSON.parse(body), null, 2);
  expect(await wrongFindings({ headers: headers(signed), body: pasted, others })).toEqual([
    expect.stringContaining('https://other.example'),
  ]);
});

test('a wrong clock is distinguished from an old request', async () => {
  expect(await wrongFindings({ now: now + 86_400_000 })).toEqual([
    expect.stringMatching(/^Clock: Signed 24 h ago/),
  ]);
  expect(await wrongFindings({ arrivedAt: now + 600_000 })).toEqual([
    expect.stringMatching(/clock is fast/),
  ]);
  expect(await wrongFindings({ arrivedAt: now - 600_000 })).toEqual([
    expect.stringMatching(/which is slow/),
  ]);
  const ms = headers(sign(`evt_01.1769968800000.${body}`), '1769968800000');
  expect(await wrongFindings({ headers: ms })).toEqual([
    expect.stringMatching(/^Clock: .*milliseconds/),
  ]);
});

test('a signature computed by the receiver’s code is explained', async () => {
  const code = async (computed: string, part: Partial<Evidence> = {}) =>
    (await wrongFindings({ computed, ...part })).at(-1);
  const hex = Buffer.from(right, 'base64').toString('hex');
  expect(await code(hex)).toMatch(/^Your code: The bytes are right, but they are written as hex/);
  expect(await code(sign(`evt_01.1769968800.${body}`, secret))).toMatch(
    /^Your code: Signed with the text of the secret/,
  );
  expect(await code(sign(body))).toMatch(/^Your code: Only the body was signed/);
  expect(
    await code(sign(`evt_01.1769968800.${JSON.stringify(JSON.parse(body), null, 2)}`)),
  ).toMatch(/parses the JSON and re-serializes it/);
  expect(await code('d41d8cd98f00b204e9800998ecf8427e')).toMatch(/HMAC with SHA-256/);
  expect(await code(right)).toBeUndefined();
});

test('the sent body distinguishes a wrong secret from a changed body', async () => {
  const changed = body.replace('"n":2', '"n":3');
  expect(await wrongFindings({ body: changed })).toEqual([
    expect.stringMatching(/^Signature: No match/),
  ]);
  expect(await wrongFindings({ body: changed, sent: body })).toEqual([
    expect.stringMatching(/^Body: This is not the body/),
  ]);
  expect(await wrongFindings({ secret: other, sent: body })).toEqual([
    expect.stringMatching(/^Secret: This secret does not match the message that was sent/),
  ]);
});

test('each problem with the secret or the headers has its own message', async () => {
  const said = async (part: Partial<Evidence>) => (await wrongFindings(part))[0];
  expect(await said({ secret: '' })).toMatch(/Paste the signing secret/);
  expect(await said({ secret: 'whsec_••••' })).toMatch(/masked/);
  expect(await said({ secret: `"${secret}"` })).toMatch(/quotation/);
  expect(await said({ secret: 'svc_sk_123' })).toMatch(/starts with whsec_/);
  expect(await said({ secret: secret.slice(0, 12) })).toMatch(/truncated while copying|not base64/);
  expect(await said({ headers: 'content-type: application/json' })).toMatch(
    /Missing: webhook-id, webhook-timestamp, webhook-signature/,
  );
  expect(await said({ headers: headers('abc') })).toMatch(/was truncated/);
});
