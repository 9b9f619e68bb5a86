import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { earliestDate, latestDate } from './limits.ts';
import * as primitives from './primitives.ts';

const { dateInput, email, endDateInput, externalId, instantInput, moment, origin, queryBoolean } =
  primitives;
const { visibleText } = primitives;
const ajv = new Ajv2020({ strict: false, validateFormats: false });

function accepts(schema: z.ZodType, value: unknown): boolean {
  return schema.safeParse(value).success;
}

function isDocumented(schema: z.ZodType, value: unknown): boolean {
  return ajv.compile(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))(value);
}

function messageOf(schema: z.ZodType, value: unknown): string | undefined {
  return schema.safeParse(value).error?.issues[0]?.message;
}

describe('an e-mail address', () => {
  test.each([
    'ada@example.com',
    'tom&jane@example.com',
    'a/b@example.com',
    "o'hara+rent=1@mail.example.co.uk",
    '!#$%&*+-/=?^_`{|}~@example.com',
    'jürgen@bücher.example',
    '用户@例子.广告',
    '😀@example.com',
    'ada@xn--bcher-kva.example',
    `${'x'.repeat(64)}@example.com`,
  ])('%s is accepted, as documented', (address) => {
    expect(accepts(email, address)).toBe(true);
    expect(isDocumented(email, address)).toBe(true);
  });

  test.each([
    'ada',
    'ada@example',
    'ada@1.2.3.4',
    '.ada@example.com',
    'a..b@example.com',
    'ada@-example.com',
    'ada@example_1.com',
    'ada lane@example.com',
    '"ada lane"@example.com',
    'ada@example.com,all@example.com',
    'ada@example.com;all@example.com',
    'Ada <ada@example.com>',
    'ada(comment)@example.com',
    'ada@example.com\r\nBcc: all@example.com',
    'ada\u0000@example.com',
  ])('%j is refused, as documented', (address) => {
    expect(messageOf(email, address)).toBe('must be an e-mail address such as ada@example.com');
    expect(isDocumented(email, address)).toBe(false);
  });

  test.each([
    ['a\u200bda@example.com', 'must not contain invisible characters'],
    ['ada@exa\u00admple.com', 'must not contain invisible characters'],
    ['\ud800@example.com', 'must not contain invisible characters'],
    [`${'x'.repeat(65)}@example.com`, 'must have at most 254 bytes, and at most 64 before the @'],
    [`${'ü'.repeat(33)}@example.com`, 'must have at most 254 bytes, and at most 64 before the @'],
  ])('%j is refused: it %s', (address, message) => {
    expect(messageOf(email, address)).toBe(message);
  });
});

describe('text that people read', () => {
  test.each(['Ada', ' Ada ', 'é', '李', '😀'])('%j is accepted', (name) => {
    expect(accepts(visibleText(100), name)).toBe(true);
    expect(isDocumented(visibleText(100), name)).toBe(true);
  });

  test.each([' ', '\u00a0', '\u200b\u200d', '\u3164', '\u2800', '\ufeff', 'a\u0007', 'a\nb'])(
    '%j is refused, as documented',
    (name) => {
      const message = 'must have a visible character, and no control characters';
      expect(messageOf(visibleText(100), name)).toBe(message);
      expect(isDocumented(visibleText(100), name)).toBe(false);
    },
  );

  test('invisible characters above U+10000 are refused too', () => {
    expect(accepts(visibleText(100), '\u{e0041}\u{e0100}')).toBe(false);
  });
});

test('an emoji is one character, as documented', () => {
  for (const schema of [visibleText(100), externalId]) {
    const longest = '😀'.repeat(schema === externalId ? 255 : 100);
    expect(accepts(schema, longest)).toBe(true);
    expect(isDocumented(schema, longest)).toBe(true);
    expect(isDocumented(schema, `${longest}x`)).toBe(false);
    expect(messageOf(schema, `${longest}x`)).toMatch(/^must have at most \d+ characters$/);
  }
});

test('a text that is too long is not matched against the pattern', () => {
  const issues = visibleText(100).safeParse(`${'x'.repeat(250_000)}\u0000`).error?.issues;
  expect(issues?.map(({ message }) => message)).toEqual(['must have at most 100 characters']);
});

test.each(['.', '..', 'a\u0000', '\u0085', ''])('the id %j is refused, as documented', (id) => {
  expect(accepts(externalId, id)).toBe(false);
  expect(isDocumented(externalId, id)).toBe(false);
});

describe('a date', () => {
  test.each([earliestDate, latestDate, '2028-02-29'])('%s is accepted, as documented', (date) => {
    for (const schema of [dateInput, endDateInput, moment]) {
      expect(accepts(schema, date)).toBe(true);
      expect(isDocumented(schema, date)).toBe(true);
    }
    expect(accepts(instantInput, `${date}T12:00:00Z`)).toBe(true);
    expect(isDocumented(instantInput, `${date}T12:00:00Z`)).toBe(true);
  });

  test.each(['0000-01-01', '1899-12-31', '2200-01-01', '9999-12-30', '9999-12-31'])(
    '%s is out of range, as documented',
    (date) => {
      const message = 'must be from 1900-01-01 to 2199-12-31';
      for (const schema of [dateInput, moment]) {
        expect(messageOf(schema, date)).toBe(message);
        expect(isDocumented(schema, date)).toBe(false);
      }
      expect(messageOf(instantInput, `${date}T12:00:00Z`)).toBe(message);
      expect(isDocumented(instantInput, `${date}T12:00:00Z`)).toBe(false);
    },
  );

  test('an open end is null or 9999-12-31; other distant dates are refused', () => {
    for (const given of [null, '9999-12-31']) {
      expect(endDateInput.parse(given)).toBeNull();
      expect(isDocumented(endDateInput, given)).toBe(true);
    }
    expect(messageOf(endDateInput, '2999-12-31')).toBe(
      'must be from 1900-01-01 to 2199-12-31; for no end, pass null or 9999-12-31',
    );
    expect(isDocumented(endDateInput, '2999-12-31')).toBe(false);
  });
});

describe('an origin', () => {
  test.each([
    'https://portal.example',
    'https://portal.example:8443',
    'http://localhost:3000',
    'http://127.0.0.1:4100',
    'http://[::1]:4100',
    'https://xn--bcher-kva.example',
  ])('%s is accepted, as documented', (value) => {
    expect(accepts(origin, value)).toBe(true);
    expect(isDocumented(origin, value)).toBe(true);
  });

  test.each([
    ['https://*', 'wildcards are not supported, list each host'],
    ['https://*.com', 'wildcards are not supported, list each host'],
    ['https://*.portal.example', 'wildcards are not supported, list each host'],
    ['http://*', 'wildcards are not supported, list each host'],
    ['*', 'wildcards are not supported, list each host'],
    ['portal.example', 'start it with https:// or http://'],
    ['null', 'start it with https:// or http://'],
    ['https://portal.example.', 'take out the dot after the host'],
    ['https://portal.example/', 'pass https://portal.example'],
    ['https://portal.example/rent?a#b', 'pass https://portal.example'],
    ['https://ada@portal.example', 'pass https://portal.example'],
    ['https://Portal.example', 'pass https://portal.example'],
    ['https://bücher.example', 'pass https://xn--bcher-kva.example'],
    ['https://portal.example:443', 'pass https://portal.example'],
    // Would end the policy's directive and begin another.
    ['https://a;script-src', 'such as https://portal.example'],
    ["https://a,'unsafe-inline'", 'such as https://portal.example'],
    ['https://a b', 'such as https://portal.example'],
  ])('%s is refused: %s', (value, message) => {
    expect(messageOf(origin, value)).toMatch(/^must be an exact origin/);
    expect(messageOf(origin, value)).toContain(message);
  });
});

test('a boolean of a query string is true or false, as documented', () => {
  expect([queryBoolean.parse('true'), queryBoolean.parse('false')]).toEqual([true, false]);
  for (const text of ['true', 'false', '1', 'yes', '']) {
    expect(accepts(queryBoolean, text)).toBe(isDocumented(queryBoolean, text));
  }
  expect(messageOf(queryBoolean, '1')).toContain('"true"|"false"');
});
