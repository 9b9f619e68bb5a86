import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { sandboxCreditor } from './domain/partners/terms.ts';

const key = Buffer.alloc(32, 7).toString('base64');

test('the defaults are the local sandbox', () => {
  expect(readConfig({})).toEqual({
    environment: 'sandbox',
    port: 4000,
    host: 'localhost',
    publicOrigin: undefined,
    database: { dataDir: resolve('.svc') },
    dataDir: resolve('.svc'),
    migrateOnStart: true,
    secretKey: undefined,
    allowPrivateWebhooks: false,
    creditor: sandboxCreditor,
    egressIps: [],
    egressProxy: undefined,
    trustedProxies: [],
    logLevel: 'info',
    rateLimitPerSecond: 200,
    rateLimitPerMinute: 120,
    maxConnections: 5_000,
    drainSeconds: 0,
    demoPort: 4100,
    underwriting: undefined,
    smtpUrl: undefined,
    mailFrom: 'Svc <no-reply@svc.example>',
  });
});

test('an empty setting is ignored', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 4000 });
});

test('every setting is read', () => {
  const config = readConfig({
    PORT: '24000',
    DATABASE_URL: 'postgres://svc@db/svc',
    SVC_MIGRATE_ON_START: '0',
    SVC_SECRET_KEY: key,
    SVC_EGRESS_IPS: '203.0.113.7, 203.0.113.8',
    SVC_EGRESS_PROXY: 'http://10.0.0.7:3128',
    SVC_ALLOW_PRIVATE_WEBHOOKS: '1',
    SVC_TRUSTED_PROXIES: '10.0.0.0/8 ::1',
    SVC_MAX_CONNECTIONS: '200',
    SVC_DRAIN_SECONDS: '2.5',
  });
  expect(config).toMatchObject({
    port: 24_000,
    database: { url: 'postgres://svc@db/svc' },
    migrateOnStart: false,
    egressIps: ['203.0.113.7', '203.0.113.8'],
    egressProxy: { secure: false, host: '10.0.0.7', port: 3128, credentials: null },
    trustedProxies: ['10.0.0.0/8', '::1'],
    allowPrivateWebhooks: true,
    maxConnections: 200,
    drainSeconds: 2.5,
  });
  expect(config.secretKey).toEqual(Buffer.alloc(32, 7));
});

test.each([
  ['PORT', 'http', 'PORT must be a port from 0 to 65535.'],
  ['PORT', '65536', 'PORT must be a port from 0 to 65535.'],
  ['SVC_DRAIN_SECONDS', '10m', 'SVC_DRAIN_SECONDS must be a number of seconds from 0 to 600.'],
  ['SVC_ENVIRONMENT', 'test', 'SVC_ENVIRONMENT must be sandbox or production.'],
  ['DATABASE_URL', 'mysql://x', 'DATABASE_URL must be a URL such as postgres://'],
  ['SVC_PUBLIC_ORIGIN', 'https://svc.example/', 'SVC_PUBLIC_ORIGIN must be an origin'],
  ['SVC_PUBLIC_ORIGIN', 'https://*.example', 'SVC_PUBLIC_ORIGIN must be an origin'],
  ['SVC_SECRET_KEY', 'short', 'SVC_SECRET_KEY must be 32 bytes as base64'],
  ['SVC_ALLOW_PRIVATE_WEBHOOKS', 'yes', 'SVC_ALLOW_PRIVATE_WEBHOOKS must be 1 or 0.'],
  ['SVC_EGRESS_PROXY', 'socks5://proxy.example', 'SVC_EGRESS_PROXY must be a URL such as http://'],
  ['SVC_EGRESS_PROXY', 'http://proxy.example/out', 'without a path.'],
  ['SVC_TRUSTED_PROXIES', '10.0.0.0/33', 'SVC_TRUSTED_PROXIES must be addresses or networks'],
  ['SVC_TRUSTED_PROXIES', 'nginx', 'SVC_TRUSTED_PROXIES must be addresses or networks'],
  [
    'SVC_RATE_LIMIT_PER_SECOND',
    '0',
    'SVC_RATE_LIMIT_PER_SECOND must be a whole number of at least 1.',
  ],
])('%s=%s is refused: %s', (name, value, sentence) => {
  expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
  expect(() => readConfig({ [name]: value })).toThrow(sentence);
});

test('messages do not repeat secrets', () => {
  expect(() => readConfig({ SVC_SECRET_KEY: 'hunter2hunter2' })).not.toThrow('hunter2');
  const proxy = 'ftp://svc:hunter2@proxy.example';
  expect(() => readConfig({ SVC_EGRESS_PROXY: proxy })).not.toThrow('hunter2');
});

test('production requires a key, a database, https and no private webhooks; one error names them all', () => {
  const lines = () =>
    readConfig({ SVC_ENVIRONMENT: 'production', SVC_ALLOW_PRIVATE_WEBHOOKS: '1' });
  for (const name of [
    'SVC_SECRET_KEY',
    'DATABASE_URL',
    'SVC_PUBLIC_ORIGIN',
    'SVC_ALLOW_PRIVATE_WEBHOOKS',
    'SVC_LENDER_ADDRESS',
  ]) {
    expect(lines).toThrow(name);
  }
  const complete = {
    SVC_ENVIRONMENT: 'production',
    SVC_SECRET_KEY: key,
    DATABASE_URL: 'postgres://svc@db/svc',
    SVC_PUBLIC_ORIGIN: 'https://svc.example',
    SVC_LENDER_NAME: 'Maple Bank',
    SVC_LENDER_ADDRESS: '1 Main St, Austin, TX 78701',
    SVC_SUPPORT_EMAIL: 'help@maple.example',
  };
  expect(readConfig(complete)).toMatchObject({ environment: 'production', migrateOnStart: false });
  expect(readConfig({ ...complete, SVC_MIGRATE_ON_START: '1' }).migrateOnStart).toBe(true);
  const { SVC_LENDER_ADDRESS: _address, ...withoutAddress } = complete;
  expect(() => readConfig(withoutAddress)).toThrow("lender's name, postal address");
  const { DATABASE_URL: _url, ...embedded } = complete;
  expect(readConfig({ ...embedded, SVC_ALLOW_EMBEDDED: '1' }).environment).toBe('production');
});

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

test('a decision service needs its secret, and in production https', () => {
  const url = 'http://decisions.example/ask';
  const both = { SVC_UNDERWRITING_URL: url, SVC_UNDERWRITING_SECRET: secret };
  expect(readConfig(both).underwriting).toEqual({ url, secret });
  expect(readConfig({}).underwriting).toBeUndefined();
  expect(() => readConfig({ SVC_UNDERWRITING_URL: url })).toThrow('set both');
  expect(() => readConfig({ ...both, SVC_UNDERWRITING_SECRET: 'whsec_c2hvcnQ=' })).toThrow(
    '24 to 64',
  );
  expect(() => readConfig({ ...both, SVC_ENVIRONMENT: 'production' })).toThrow('must be https');
});

test.each([
  ['SVC_SMTP_URL', 'mail.example'],
  ['SVC_MAIL_FROM', 'nobody'],
  ['SVC_SUPPORT_EMAIL', 'help'],
  ['SVC_LENDER_ADDRESS', '1 Main St\nAustin'],
  ['SVC_MAIL_FROM', 'Svc <a@svc.example>\r\nBcc: all@example.com'],
])('%s=%j is refused', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(name);
});

test('production requires its own sender address for mail', () => {
  const smtp = { SVC_ENVIRONMENT: 'production', SVC_SMTP_URL: 'smtps://mail.example' };
  expect(() => readConfig(smtp)).toThrow('SVC_MAIL_FROM');
  const named = () => readConfig({ ...smtp, SVC_MAIL_FROM: 'Maple <rent@maple.example>' });
  expect(named).not.toThrow('SVC_MAIL_FROM');
});
