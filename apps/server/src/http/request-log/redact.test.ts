import { portalInfoInput, settlementsQuery } from '@svc/contract';
import { expect, test } from 'vitest';
import { loggedFieldsOf } from './logged-fields.ts';
import { redactBody, redactQuery, redactText, redactUserAgent, sharedTexts } from './redact.ts';

const portalInfoFields = loggedFieldsOf(portalInfoInput);
const settlementsFields = loggedFieldsOf(settlementsQuery);

const portalInfo = {
  first_name: 'Ada',
  last_name: 'Lane',
  email: 'ada@example.com',
  phone_number: '+15125550100',
  charges: [
    { id: 'C-1', type: 'rent', due_date: '2026-02-01', amount_in_cents: 1, description: 'Ada 4b' },
  ],
  lease: { id: 'L-1', property: { id: 'P-9', line1: '1 Elm St', time_zone: 'America/Chicago' } },
  return_url: 'https://portal.example/?session=s3cret',
  metadata: { 'Ada Lane': 'unit 4b' },
};

test('a body keeps ids, amounts, dates and choices, and nothing else', () => {
  expect(redactBody(portalInfo, portalInfoFields).value).toEqual({
    first_name: '[redacted]',
    last_name: '[redacted]',
    email: '[redacted]',
    phone_number: '[redacted]',
    charges: [
      {
        id: 'C-1',
        type: 'rent',
        due_date: '2026-02-01',
        amount_in_cents: 1,
        description: '[redacted]',
      },
    ],
    lease: {
      id: 'L-1',
      property: { id: 'P-9', line1: '[redacted]', time_zone: 'America/Chicago' },
    },
    return_url: '[redacted]',
    metadata: '[redacted]',
  });
});

test.each([
  ['a name', 'Ada Lane'],
  ['an e-mail address', 'ada@example.com'],
  ['a phone number', '+15125550100'],
  ['an API key', `svc_sandbox_${'a1'.repeat(24)}`],
  ['the beginning of an API key', 'svc_sandbox_a1'],
  ['a webhook secret', 'whsec_abc'],
  ['a random secret', 'Z9'.repeat(20)],
  ['a part of an API key without its prefix', 'a1B2'.repeat(9)],
  ['a social security number', '123-45-6789'],
  ['a phone number with dashes', '512-555-0147'],
  ['a phone number with dots', '1.512.555.0147'],
  ['a card number', '4242424242424242'],
  ['a card number in groups', '4242-4242-4242-4242'],
  ['a JSON web token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln'],
  ['a Slack token', 'xoxb-1234-abcd'],
  ['an AWS access key', 'AKIAIOSFODNN7EXAMPLE'],
  ['a GitHub token', 'ghp_abcdefghij'],
])('%s in the place of an id is left out', (_, value) => {
  expect(redactBody({ charges: [{ id: value }] }, portalInfoFields).value).toEqual({
    charges: [{ id: '[redacted]' }],
  });
  expect(redactQuery({ external_id: value }, settlementsFields)).toEqual({
    external_id: '[redacted]',
  });
});

test.each([
  'pln_01kw0v8m3hqj1r6y5p2c9d4e7f',
  '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
  '3f2504e04f8911d39a0c0305e82c3301',
  '2026-02-01',
  'America/Argentina/Buenos_Aires',
  '1234567890123456',
  '123456789',
])('the id, date or choice %s is kept', (value) => {
  expect(redactBody({ charges: [{ id: value }] }, portalInfoFields).value).toEqual({
    charges: [{ id: value }],
  });
});

test('a number is kept as an amount or a count, and left out as an id', () => {
  const given = {
    charges: [{ id: 4242424242424242, amount_in_cents: 152012 }],
    lease: { id: 123456789 },
  };
  expect(redactBody(given, portalInfoFields).value).toEqual({
    charges: [{ id: '[redacted]', amount_in_cents: 152012 }],
    lease: { id: '[redacted]' },
  });
});

test('a user agent keeps the names of programs and loses what could be a person or a secret', () => {
  expect(redactUserAgent('python-requests/2.31 (+https://oak.example)')).toBe(
    'python-requests/2.31 [redacted]',
  );
  expect(redactUserAgent('Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36')).toBe(
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36',
  );
  expect(redactUserAgent('portal/1.0 ada@example.com svc_sandbox_a1')).toBe(
    'portal/1.0 [redacted] [redacted]',
  );
});

test('unknown fields, wrong types and names of fields that could be personal are left out', () => {
  const given = { nick: 'Ada', 'Ada Lane': 1, charges: { id: 'C-1' }, lease: { id: { a: 'b' } } };
  expect(redactBody(given, portalInfoFields).value).toEqual({
    nick: '[redacted]',
    '[redacted field]': '[redacted]',
    // An object where a list is expected: not descended into as a list.
    charges: { id: '[redacted]' },
    lease: { id: '[redacted]' },
  });
  expect(redactBody('Ada', portalInfoFields).value).toBe('[redacted]');
  expect(redactBody(undefined, portalInfoFields).value).toBeNull();
});

test('a large or deep body is cut, and takes bounded time', () => {
  const charges = Array.from({ length: 200 }, (_, index) => ({ id: `C-${index}` }));
  const { value } = redactBody({ charges }, portalInfoFields);
  expect((value as { charges: unknown[] }).charges).toHaveLength(21);
  let deep: unknown = 'end';
  for (let depth = 0; depth < 5_000; depth += 1) deep = { lease: deep };
  expect(JSON.stringify(redactBody(deep, portalInfoFields).value).length).toBeLessThan(10_000);
  const wide = Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`f${index}`, 'x']));
  expect(JSON.stringify(redactBody(wide, portalInfoFields).value).length).toBeLessThan(20_000);
});

test('an error message that quotes the request is redacted, too', () => {
  const message = 'email must not be ada@example.com; the id "Ada Lane" is used twice.';
  const other = 'the id "C-1" is used twice';
  const shared = sharedTexts(redactBody(portalInfo, portalInfoFields).hidden, [message, other]);
  expect(redactText(message, shared)).toBe(
    'email must not be [redacted]; the id "[redacted]" is used twice.',
  );
  expect(redactText(other, shared)).toBe(other);
});

test('hidden texts are looked for only where they can occur', () => {
  const words = Array.from({ length: 400 }, (_, index) =>
    String.fromCharCode(0x4e00 + index).repeat(4),
  );
  const hidden = new Set([...words, 'Ada Lane', 'Lane', 'an']);
  const [word = ''] = words;
  const found = sharedTexts(hidden, [`Lane owes Ada Lane ${word}`]);
  expect(found).toEqual(['Ada Lane', word, 'Lane']);
  expect(sharedTexts(hidden, ['nothing of it'])).toEqual([]);
});

test('a message that shares too many words with the body is left out', () => {
  const message = 'the id is used twice';
  const similar = Array.from({ length: 200 }, (_, index) => `the ${index} twice`);
  expect(redactText(message, sharedTexts(new Set(similar), [message]))).toBe('[redacted]');
  const metadata = Object.fromEntries(similar.map((name) => [name, `${name} ${name}`]));
  const many = { metadata, more: Array.from({ length: 1_000 }, (_, index) => `${index} words`) };
  const { hidden } = redactBody(many, portalInfoFields);
  expect(hidden.size).toBeLessThan(600);
  expect(redactText(message, sharedTexts(hidden, [message]))).toBe('[redacted]');
});

test.each([
  ['a quotation without an end', 'the name "Ada Lane', 'the name "[redacted]"'],
  ['one that ends with a backslash', 'the name "Ada Lane\\', 'the name "[redacted]"'],
  ['an id', 'the id "C-1" is twice', 'the id "C-1" is twice'],
])('%s', (_, text, expected) => {
  expect(redactText(text, [])).toBe(expected);
});
