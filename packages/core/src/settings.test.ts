import { productVariants } from '@svc/contract/vocabulary';
import { expect, test } from 'vitest';
import { Environment } from './environment.ts';
import { checkSettings, type SvcSettings, tenantIdentity } from './settings.ts';
import { SvcError } from './svc-error.ts';

const right: SvcSettings = {
  balance: 152012,
  pms: 'maple',
  externalId: 't-100',
  onEvent: () => {},
  environment: Environment.Sandbox,
  signature: 'a1'.repeat(32),
  onWidgetClickCallback: () => {},
};

function issuesOf(wrong: object) {
  try {
    checkSettings({ ...right, ...wrong } as SvcSettings);
  } catch (error) {
    if (error instanceof SvcError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

test('valid settings pass and return the built-in origin; rent is the default', () => {
  expect(checkSettings(right)).toBe('http://localhost:4000');
  expect(tenantIdentity(right).productVariant).toBe('rent');
});

test.each(productVariants)('the product variant %s is accepted', (productVariant) => {
  expect(() => checkSettings({ ...right, productVariant })).not.toThrow();
});

test.for([
  ['balance', undefined, 'nothing'],
  ['balance', 1520.12, '1520.12'],
  ['balance', '152012', '"152012"'],
  ['balance', Number.NaN, 'NaN'],
  ['balance', 10n, 'bigint'],
  ['balance', 1e15, '1000000000000000'],
  ['balance', 1e21, '1e+21'],
  ['pms', 'Maple', '"Maple"'],
  ['pms', 'a+b', '"a+b"'],
  ['pms', 'm', '"m"'],
  ['pms', 'm'.repeat(64), `"${'m'.repeat(64)}"`],
  ['externalId', '', 'string'],
  ['externalId', 'a'.repeat(256), 'string'],
  ['externalId', 'a\nb', 'string'],
  ['externalId', 'a\u007fb', 'string'],
  ['externalId', 'a\u009fb', 'string'],
  ['externalId', '.', 'string'],
  ['externalId', '..', 'string'],
  ['externalId', '\ud800', 'string'],
  ['externalId', 100, 'number'],
  ['onEvent', null, 'nothing'],
  ['onEvent', 'function', '"function"'],
  ['environment', 'prod', '"prod"'],
  ['environment', {}, 'object'],
  ['signature', 'A1'.repeat(32), 'string'],
  ['signature', 'a1'.repeat(31), 'string'],
  ['signature', `${'a1'.repeat(32)}\n`, 'string'],
  ['signature', null, 'nothing'],
  ['signature', Promise.resolve(), 'object'],
  ['onWidgetClickCallback', undefined, 'nothing'],
  ['productVariant', 'HOA', '"HOA"'],
  ['token', '', 'string'],
  ['token', 5, 'number'],
  ['baseUrl', 'pay.example.com', '"pay.example.com"'],
  ['baseUrl', 'https://pay.example.com/v2', '"https://pay.example.com/v2"'],
  ['baseUrl', 'https://u:p@pay.example.com', '"https://u:p@pay.example.com"'],
  ['baseUrl', 'https://pay.example.com:99999/v1', '"https://pay.example.com:99999/v1"'],
  ['fetchToken', 'later', '"later"'],
  ['identityCheck', 'never', '"never"'],
  ['locale', 'en_US', '"en_US"'],
  ['locale', 'e', '"e"'],
  ['appearance', 'dark', '"dark"'],
  ['nonce', 1, 'number'],
  ['product_variant', 'hoa', 'string'],
  ['baseUrl', 'https://pay.example.com?key=1', '"https://pay.example.com?key=1"'],
  ['baseUrl', 'ftp://pay.example.com', '"ftp://pay.example.com"'],
])('%s: %o is refused by name', ([name, value, got]) => {
  const error = issuesOf({ [name as string]: value });
  const wants = expect.stringMatching(/./);
  expect(error.issues).toEqual([{ name, got, wants, message: error.message }]);
  expect(error.message).toMatch(/^\w+: .+[.?]$/);
  expect(error.message.startsWith(`${name}: `)).toBe(true);
});

test.for<[settings: object, message: string]>([
  [{ balance: 1520.12 }, 'balance: 1520.12 is not an integer. Pass cents, such as 152012.'],
  [{ balance: '152012' }, 'balance: "152012" is not a number. Pass cents, such as 152012.'],
  [{ balance: undefined }, 'balance: missing. Pass cents, such as 152012.'],
  [
    { environment: 'prod' },
    'environment: "prod" is not one of the allowed values. Pass Environment.Sandbox or Environment.Production.',
  ],
  [
    { signature: 'DEADBEEF' },
    'signature: the string is not made of 64 lowercase hexadecimal digits. Pass what signWidget() returned on your backend.',
  ],
  [
    { signature: Promise.resolve() },
    'signature: a promise is not a value. Await it, then pass what signWidget() returned on your backend.',
  ],
  [{ external_id: 't-100' }, 'external_id: there is no such setting. Did you mean externalId?'],
  [{ theme: 'dark' }, 'theme: there is no such setting. Remove it.'],
  [
    { environment: 'production' },
    'baseUrl: missing. Pass the URL of the service, such as https://svc.example.com/v1.',
  ],
])('%o is explained in a sentence', ([wrong, message]) => {
  expect(issuesOf(wrong).message).toBe(message);
});

test('the value of a misspelled setting is not repeated: it may be a secret', () => {
  expect(issuesOf({ Signature: 'DEADBEEF' }).message).not.toContain('DEADBEEF');
});

test('all wrong settings are reported at once, each on a line, and no secret is repeated', () => {
  const error = issuesOf({
    balance: 0.5,
    signature: 'DEADBEEF',
    token: '',
    externalId: 'se\ncret',
  });
  expect(error.issues.map((issue) => issue.name)).toEqual([
    'balance',
    'externalId',
    'signature',
    'token',
  ]);
  expect(error.message.split('\n')).toHaveLength(4);
  expect(JSON.stringify(error) + error.message).not.toMatch(/DEADBEEF|cret/);
});

test('no settings at all is the same error', () => {
  expect(() => checkSettings(undefined as never)).toThrow(SvcError);
});

test('production without an origin in the build asks for baseUrl', () => {
  const error = issuesOf({ environment: Environment.Production });
  expect(error.issues.map((issue) => issue.name)).toEqual(['baseUrl']);
});

test.for([
  ['https://pay.example.com', 'https://pay.example.com'],
  ['https://pay.example.com/v1/', 'https://pay.example.com'],
  ['http://[::1]:4000/', 'http://[::1]:4000'],
])('%s is a base URL', ([baseUrl, origin]) => {
  expect(checkSettings({ ...right, baseUrl })).toBe(origin);
});

test('a language may be written in any case', () => {
  expect(() => checkSettings({ ...right, locale: 'es-MX' })).not.toThrow();
});

test.for(['t 100', 'a/b', 'é', '"quoted"', 'back\\slash', '…', '🏠', 'a'.repeat(255)])(
  '%s is an external id',
  (externalId) => {
    expect(() => checkSettings({ ...right, externalId })).not.toThrow();
  },
);

test('optional settings may be undefined or null', () => {
  const none = Object.fromEntries(
    ['productVariant', 'token', 'baseUrl', 'fetchToken', 'locale', 'appearance', 'nonce'].map(
      (name) => [name, null],
    ),
  );
  const settings = { ...right, ...none };
  expect(() => checkSettings(settings)).not.toThrow();
  expect(tenantIdentity(settings).productVariant).toBe('rent');
});

test('Environment is frozen and holds the strings', () => {
  expect(Object.isFrozen(Environment)).toBe(true);
  expect(Environment).toEqual({ Sandbox: 'sandbox', Production: 'production' });
});
