import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  allSettings,
  callerFolder,
  readConfig,
  readDatabaseConfig,
  readUnknownSettings,
  showConfig,
} from './config.ts';
import { privacyRemark, sandboxCreditor } from './creditor.ts';
import { sandboxDebitAccounts } from './debit-accounts.ts';
import { ConfigError } from './service-settings.ts';
import { settingsOf } from './settings.ts';

const keyBytes = createHash('sha256').update('a key for tests').digest();
const key = keyBytes.toString('base64');

test('the defaults are the local sandbox', () => {
  expect(readConfig({})).toEqual({
    environment: 'sandbox',
    roles: ['api', 'worker'],
    port: 4000,
    host: 'localhost',
    publicOrigin: undefined,
    database: { dataDir: resolve('.svc') },
    dataDir: resolve('.svc'),
    allowEmbedded: false,
    allowPlainDatabase: false,
    migrateOnStart: true,
    secretKeys: undefined,
    allowPrivateWebhooks: false,
    webhookAllowedNetworks: [],
    creditor: sandboxCreditor,
    egressIps: [],
    debitAccounts: sandboxDebitAccounts,
    egressProxy: undefined,
    trustedProxies: [],
    metricsHost: '127.0.0.1',
    webhookRetentionDays: 90,
    logLevel: 'info',
    rateLimitPerSecond: 200,
    rateLimitPerMinute: 120,
    maxConnections: 5_000,
    drainSeconds: 0,
    demoPort: 4100,
    processor: 'simulator',
    underwriting: undefined,
    decisionNeedsAccount: false,
    holdFlagged: false,
    militaryLookupRequired: false,
    retention: { applicationMonths: null, tenantMonths: null },
    approvals: null,
    webhooks: 'embedded',
    svix: undefined,
    eventSink: 'none',
    nats: undefined,
    processorSettings: undefined,
    smtpUrl: undefined,
    allowPlainSmtp: false,
    mailFrom: 'Svc <no-reply@svc.example>',
    sms: 'none',
    smsDetails: false,
    smsCodesPerDay: 1_000,
    twilio: undefined,
  });
});

describe('Svix', () => {
  const svix = { SVIX_SERVER_URL: 'https://svix.example/base/', SVIX_TOKEN: 'hunter2' };

  test('delivers when asked to, and gets what is left otherwise', () => {
    const config = { serverUrl: 'https://svix.example/base', token: 'hunter2' };
    expect(readConfig({ ...svix, SVC_WEBHOOKS: 'svix' })).toMatchObject({
      webhooks: 'svix',
      svix: config,
    });
    expect(readConfig(svix)).toMatchObject({ webhooks: 'embedded', svix: config });
    expect(JSON.stringify(showConfig(svix))).not.toContain('hunter2');
  });

  test.each([
    [
      { SVC_WEBHOOKS: 'svix' },
      'SVC_WEBHOOKS needs SVIX_SERVER_URL and SVIX_TOKEN when it is svix.',
    ],
    [{ SVC_WEBHOOKS: 'convoy' }, 'SVC_WEBHOOKS must be embedded or svix.'],
    [{ SVIX_TOKEN: 'x' }, 'SVIX_SERVER_URL must be set, because SVIX_SERVER_URL and SVIX_TOKEN'],
    [{ SVIX_SERVER_URL: 'https://s.example' }, 'SVIX_TOKEN must be set, because SVIX_SERVER_URL'],
    [{ ...svix, SVIX_SERVER_URL: 'svix.example' }, 'SVIX_SERVER_URL must be a URL such as'],
    [{ ...svix, SVIX_SERVER_URL: 'https://u:p@s.example' }, 'must be a URL without user, query'],
    [{ ...svix, SVIX_TOKEN: 'a b' }, 'SVIX_TOKEN must be a token without spaces.'],
  ])('%o is refused', (environment, message) => {
    expect(() => readConfig(environment)).toThrow(message);
  });

  test('production sends the token over http to this machine only', () => {
    const problemsOf = (url: string) =>
      showConfig({ ...svix, SVC_ENVIRONMENT: 'production', SVIX_SERVER_URL: url }).problems.filter(
        (it) => it.startsWith('SVIX'),
      );
    expect(problemsOf('http://svix.internal:8071')).toEqual([
      'SVIX_SERVER_URL must be https in production, except on a loopback address, because the token is sent with each request.',
    ]);
    expect(problemsOf('http://127.0.0.1:8071')).toEqual([]);
    expect(problemsOf('http://localhost')).toEqual([]);
    expect(problemsOf('http://127.evil.example')).toHaveLength(1);
  });
});

describe('ACH files', () => {
  const ach = {
    SVC_PROCESSOR: 'ach',
    SVC_ACH_FOLDER: '/var/lib/svc/ach',
    SVC_ACH_BANK_ROUTING_NUMBER: '021000021',
    SVC_ACH_BANK_NAME: 'Sponsor Bank',
    SVC_ACH_ORIGIN_ID: '1234567890',
    SVC_ACH_COMPANY_ID: '1234567890',
    SVC_ACH_COMPANY_NAME: 'Svc',
  };

  test('have defaults for what a bank does not assign', () => {
    expect(
      readConfig({ ...ach, SVC_ACH_SAME_DAY_CUT_OFF: '10:15' }).processorSettings,
    ).toMatchObject({
      folder: '/var/lib/svc/ach',
      description: 'PAYMENT',
      prenote: false,
      returnDays: 3,
      cutOff: '1700',
      sameDayCutOff: '1015',
    });
  });

  test.each([
    ['SVC_ACH_FOLDER', '', 'SVC_ACH_FOLDER must be set, because SVC_PROCESSOR is ach.'],
    ['SVC_ACH_FOLDER', 'ach', 'SVC_ACH_FOLDER must be an absolute path, such as /var/lib/svc/ach'],
    ['SVC_ACH_FOLDER', './ach', 'SVC_ACH_FOLDER must be an absolute path'],
    ['SVC_ACH_BANK_ROUTING_NUMBER', '021000022', 'must be the nine digits of a US bank'],
    ['SVC_ACH_COMPANY_NAME', 'A name of 17 char', 'must be 1 to 16 letters'],
    ['SVC_ACH_CUT_OFF', '24:00', 'SVC_ACH_CUT_OFF must be a time such as 17:00'],
    ['SVC_ACH_SAME_DAY_CUT_OFF', '17:00', 'must be earlier than SVC_ACH_CUT_OFF'],
    ['SVC_ACH_RETURN_DAYS', '1', 'must be a whole number of banking days from 2 to 10'],
  ])('%s=%s is refused', (name, value, message) => {
    expect(() => readConfig({ ...ach, [name]: value })).toThrow(message);
  });
});

describe('Stripe', () => {
  const stripe = {
    SVC_PROCESSOR: 'stripe',
    STRIPE_SECRET_KEY: 'sk_test_abcdef',
    STRIPE_WEBHOOK_SECRET: 'whsec_abcdef',
  };

  test('is the processor with test keys in the sandbox', () => {
    expect(
      readConfig({ ...stripe, STRIPE_WEBHOOK_SECRET: 'whsec_abcdef,whsec_ghijkl' }),
    ).toMatchObject({
      processorSettings: {
        secretKey: 'sk_test_abcdef',
        webhookSecrets: ['whsec_abcdef', 'whsec_ghijkl'],
        apiBase: undefined,
      },
    });
    const { SVC_PROCESSOR: _, ...keysOnly } = stripe;
    expect(readConfig(keysOnly).processorSettings).toBeUndefined();
  });

  test.each([
    ['STRIPE_SECRET_KEY', '', 'STRIPE_SECRET_KEY must be set, because SVC_PROCESSOR is stripe.'],
    ['STRIPE_WEBHOOK_SECRET', '', 'STRIPE_WEBHOOK_SECRET must be set, because SVC_PROCESSOR is'],
    ['STRIPE_SECRET_KEY', 'sk_live_abcdef', 'STRIPE_SECRET_KEY must be a test key in the sandbox'],
    ['STRIPE_SECRET_KEY', 'pk_test_abcdef', 'STRIPE_SECRET_KEY must be a secret or restricted key'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_abcdef,x', 'STRIPE_WEBHOOK_SECRET must be the signing secret'],
    ['STRIPE_API_BASE', 'stripe.example', 'STRIPE_API_BASE must be a URL such as http://127.0.0.1'],
    ['SVC_PROCESSOR', 'adyen', 'SVC_PROCESSOR must be simulator, stripe or ach.'],
  ])('%s=%s is refused', (name, value, message) => {
    expect(() => readConfig({ ...stripe, [name]: value })).toThrow(message);
  });

  test('needs live keys and https in production', () => {
    const { problems } = showConfig({
      ...stripe,
      SVC_ENVIRONMENT: 'production',
      STRIPE_API_BASE: 'http://127.0.0.1:12111',
    });
    expect(problems).toContain(
      'STRIPE_SECRET_KEY must be a live key in production: a test key takes no real payments.',
    );
    expect(problems).toContain(
      'STRIPE_API_BASE must be https in production. It is for tests: remove it to call Stripe.',
    );
    const live = { SVC_ENVIRONMENT: 'production', STRIPE_SECRET_KEY: 'rk_live_abcdef' };
    const shown = showConfig({ ...stripe, ...live });
    expect(shown.problems.filter((it) => it.includes('STRIPE'))).toEqual([]);
    expect(JSON.stringify(shown)).not.toContain('abcdef');
  });
});

test('a file of a command is sought where npm run svc-admin was called', () => {
  const folder = '/home/ops/files';
  for (const script of ['svc-admin', 'svc']) {
    expect(callerFolder({ INIT_CWD: folder, npm_lifecycle_event: script })).toBe(folder);
  }
  // The variables were inherited from another script, such as one that runs the archive's program.
  expect(callerFolder({ INIT_CWD: folder, npm_lifecycle_event: 'nightly' })).toBe(process.cwd());
  expect(callerFolder({})).toBe(process.cwd());
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
  expect(config.secretKeys).toEqual([keyBytes]);
});

test.each([
  ['PORT', 'http', 'PORT must be a port from 0 to 65535.'],
  ['PORT', '65536', 'PORT must be a port from 0 to 65535.'],
  ['SVC_DRAIN_SECONDS', '10m', 'SVC_DRAIN_SECONDS must be a number of seconds from 0 to 600.'],
  ['SVC_ENVIRONMENT', 'test', 'SVC_ENVIRONMENT must be sandbox or production.'],
  ['SVC_ROLES', 'api,jobs', 'SVC_ROLES must be api, worker, or both, separated by a comma.'],
  ['SVC_ROLES', ',', 'SVC_ROLES must be api, worker, or both, separated by a comma.'],
  ['SVC_ROLES', 'api', 'SVC_ROLES needs DATABASE_URL, because the embedded database belongs to'],
  ['DATABASE_URL', 'mysql://x', 'DATABASE_URL must be a URL such as postgres://'],
  ['SVC_PUBLIC_ORIGIN', 'https://svc.example/', 'SVC_PUBLIC_ORIGIN must be an origin'],
  ['SVC_PUBLIC_ORIGIN', 'https://*.example', 'SVC_PUBLIC_ORIGIN must be an origin'],
  ['SVC_SECRET_KEY', 'short', 'SVC_SECRET_KEY must be 32 bytes as base64'],
  ['SVC_ALLOW_PRIVATE_WEBHOOKS', 'yes', 'SVC_ALLOW_PRIVATE_WEBHOOKS must be 1 or 0.'],
  [
    'SVC_WEBHOOK_ALLOWED_NETWORKS',
    '10.20.0.0/16, 169.254.0.0/16',
    'SVC_WEBHOOK_ALLOWED_NETWORKS is wrong: 169.254.0.0/16 is not inside of a private range',
  ],
  [
    'SVC_WEBHOOK_ALLOWED_NETWORKS',
    '100.100.100.200/32',
    'SVC_WEBHOOK_ALLOWED_NETWORKS is wrong: 100.100.100.200/32 is a cloud’s metadata service',
  ],
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

test('a process has the roles that are named, and a worker needs to know the public origin', () => {
  const database = { DATABASE_URL: 'postgres://svc@db/svc' };
  expect(readConfig({ ...database, SVC_ROLES: 'api' }).roles).toEqual(['api']);
  expect(readConfig({ SVC_ROLES: 'worker, api,worker' }).roles).toEqual(['api', 'worker']);
  const worker = { ...database, SVC_ROLES: 'worker' };
  expect(() => readConfig(worker)).toThrow('SVC_PUBLIC_ORIGIN must be set with SVC_ROLES=worker');
  const origin = { SVC_PUBLIC_ORIGIN: 'https://svc.example' };
  expect(readConfig({ ...worker, ...origin }).roles).toEqual(['worker']);
});

test('messages do not repeat secrets', () => {
  expect(() => readConfig({ SVC_SECRET_KEY: 'hunter2hunter2' })).not.toThrow('hunter2');
  const proxy = 'ftp://svc:hunter2@proxy.example';
  expect(() => readConfig({ SVC_EGRESS_PROXY: proxy })).not.toThrow('hunter2');
});

test('data about people is kept always, or at least as long as the law asks for', () => {
  expect(readConfig({}).retention).toEqual({ applicationMonths: null, tenantMonths: null });
  const kept = readConfig({
    SVC_APPLICATION_RETENTION_MONTHS: '25',
    SVC_TENANT_RETENTION_MONTHS: '84',
  });
  expect(kept.retention).toEqual({ applicationMonths: 25, tenantMonths: 84 });
  for (const months of ['24', '0', '-30', 'never', '']) {
    const shorter = () => readConfig({ SVC_TENANT_RETENTION_MONTHS: months });
    if (months === '') expect(shorter).not.toThrow();
    else
      expect(shorter).toThrow(/SVC_TENANT_RETENTION_MONTHS must be .* 12 CFR 1002\.12\(b\)\(1\)/);
  }
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
    DATABASE_URL: 'postgres://svc@db/svc?sslmode=verify-full',
    SVC_PUBLIC_ORIGIN: 'https://svc.example',
    SVC_LENDER_NAME: 'Maple Bank',
    SVC_LENDER_ADDRESS: '1 Main St, Austin, TX 78701',
    SVC_SUPPORT_EMAIL: 'help@maple.example',
    SVC_SMTP_URL: 'smtps://mail.maple.example',
    SVC_MAIL_FROM: 'rent@maple.example',
  };
  expect(readConfig(complete)).toMatchObject({ environment: 'production', migrateOnStart: false });
  expect(readConfig({ ...complete, SVC_MIGRATE_ON_START: '1' }).migrateOnStart).toBe(true);
  expect(privacyRemark(readConfig(complete))).toContain('Set SVC_PRIVACY_URL');
  const privacyOf = (url: string) => readConfig({ ...complete, SVC_PRIVACY_URL: url });
  expect(privacyRemark(privacyOf('https://maple.example/{locale}/privacy'))).toBeNull();
  expect(() => privacyOf('http://maple.example')).toThrow('SVC_PRIVACY_URL must be https');
  const { SVC_LENDER_ADDRESS: _address, ...withoutAddress } = complete;
  expect(() => readConfig(withoutAddress)).toThrow("lender's name, postal address");
  const { DATABASE_URL: _url, ...embedded } = complete;
  expect(readConfig({ ...embedded, SVC_ALLOW_EMBEDDED: '1' }).environment).toBe('production');
  const withDatabase =
    (url: string, more = {}) =>
    () =>
      readConfig({ ...complete, DATABASE_URL: url, ...more });
  for (const url of [
    'postgres://svc@db/svc',
    'postgres://svc@db/svc?sslmode=prefer',
    'postgres://svc@localhost,db/svc',
    'postgres://svc@localhost/svc?host=db',
  ]) {
    expect(withDatabase(url)).toThrow('DATABASE_URL must use TLS in production: add sslmode=');
    expect(withDatabase(url, { SVC_ALLOW_PLAIN_DATABASE: '1' })).not.toThrow();
  }
  for (const url of [
    'postgres://svc@a:5432,b:5432/svc?target_session_attrs=read-write&sslmode=require',
    'postgres://svc@127.0.0.1/svc',
    'postgres://svc@[::1],localhost/svc',
    'postgres://svc@%2Frun%2Fpostgresql/svc',
    'postgres://svc@localhost/svc?host=/run/postgresql',
  ]) {
    expect(withDatabase(url)).not.toThrow();
  }
});

test('a wrong list of database hosts is refused without showing the password', () => {
  const refusal = (url: string) => () => readConfig({ DATABASE_URL: url });
  expect(refusal('postgres://svc:hunter2@a:5432,/svc')).toThrow(
    'DATABASE_URL has an empty host in its list: remove the extra comma.',
  );
  expect(refusal('postgres://svc:hunter2@a,b/svc?target_session_attrs=standby')).toThrow(
    'use target_session_attrs=read-write.',
  );
  const cut = refusal('postgres://svc:hunter/2@a/svc');
  expect(cut).toThrow('DATABASE_URL must have host:port as host 1');
  expect(cut).not.toThrow('hunter');
});

test('a direct address or a replica needs the pooled one, and TLS in production as well', () => {
  const direct = { DATABASE_DIRECT_URL: 'postgres://svc@db:5432/svc' };
  expect(() => readConfig(direct)).toThrow('DATABASE_DIRECT_URL needs DATABASE_URL');
  const both = { ...direct, DATABASE_URL: 'postgres://svc@pool:6432/svc' };
  expect(readConfig(both).database).toEqual({
    url: both.DATABASE_URL,
    directUrl: both.DATABASE_DIRECT_URL,
  });
  expect(() => readConfig({ ...both, SVC_ENVIRONMENT: 'production' })).toThrow(
    'DATABASE_DIRECT_URL must use TLS in production',
  );
  const replica = { DATABASE_REPLICA_URL: 'postgres://svc@b/svc' };
  expect(() => readConfig(replica)).toThrow('DATABASE_REPLICA_URL needs DATABASE_URL');
  expect(() => readConfig({ ...both, ...replica, SVC_ENVIRONMENT: 'production' })).toThrow(
    'DATABASE_REPLICA_URL must use TLS in production',
  );
});

test('svc-admin config shows the hosts of a list without its credentials', () => {
  const url = 'postgres://svc:hunter2@a:5432,b:5432/svc?sslmode=require';
  const shown = showConfig({ DATABASE_URL: url }).settings.find(
    ({ name }) => name === 'DATABASE_URL',
  );
  expect(shown?.value).toBe('postgres://********@a:5432,b:5432/svc?********');
});

const secret = `whsec_${key}`;

test('a decision service needs its secret, and in production https', () => {
  const url = 'http://decisions.example/ask';
  const both = { SVC_UNDERWRITING_URL: url, SVC_UNDERWRITING_SECRET: secret };
  expect(readConfig(both).underwriting).toEqual({ url, secret, fields: [] });
  const fields = 'name, birth_date,ssn_last4';
  expect(readConfig({ ...both, SVC_DECISION_FIELDS: fields }).underwriting?.fields).toEqual([
    'name',
    'birth_date',
    'ssn_last4',
  ]);
  expect(() => readConfig({ ...both, SVC_DECISION_FIELDS: 'ssn,ssn_last4' })).toThrow('not both');
  expect(() => readConfig({ ...both, SVC_DECISION_FIELDS: 'income' })).toThrow('must be a list of');
  expect(() => readConfig({ SVC_DECISION_FIELDS: 'name' })).toThrow(
    'SVC_DECISION_FIELDS needs them',
  );
  expect(readConfig({}).underwriting).toBeUndefined();
  expect(() => readConfig({ SVC_UNDERWRITING_URL: url })).toThrow('set both');
  expect(() => readConfig({ ...both, SVC_UNDERWRITING_SECRET: 'whsec_c2hvcnQ=' })).toThrow(
    '24 to 64',
  );
  expect(() => readConfig({ ...both, SVC_ENVIRONMENT: 'production' })).toThrow('must be https');
});

test('the provider of the operator’s console needs an issuer, a client and its secret', () => {
  const all = {
    SVC_OPERATOR_OIDC_ISSUER: 'https://login.example.com/realms/staff',
    SVC_OPERATOR_OIDC_CLIENT_ID: 'svc-console',
    SVC_OPERATOR_OIDC_CLIENT_SECRET: 'hunter2',
  };
  expect(readConfig(all).oidc).toEqual({
    issuer: all.SVC_OPERATOR_OIDC_ISSUER,
    clientId: 'svc-console',
    clientSecret: 'hunter2',
  });
  expect(readConfig({}).oidc).toBeUndefined();
  for (const name of Object.keys(all)) {
    const missing = { ...all, [name]: undefined };
    expect(() => readConfig(missing)).toThrow(
      `${name} must be set, because SVC_OPERATOR_OIDC_ISSUER, SVC_OPERATOR_OIDC_CLIENT_ID and SVC_OPERATOR_OIDC_CLIENT_SECRET belong together`,
    );
  }
  const at = (issuer: string) => () => readConfig({ ...all, SVC_OPERATOR_OIDC_ISSUER: issuer });
  expect(at('http://127.0.0.1:8080/realms/staff')).not.toThrow();
  for (const issuer of ['http://login.example.com', 'https://login.example.com?a=b', 'login']) {
    expect(at(issuer)).toThrow('SVC_OPERATOR_OIDC_ISSUER must be the https address');
  }
  const entra = 'https://login.microsoftonline.com';
  expect(at(`${entra}/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0`)).not.toThrow();
  for (const issuer of [
    entra,
    ...['common', 'Organizations', 'consumers', 'example.com', '{tenantid}'].map(
      (directory) => `${entra}/${directory}/v2.0`,
    ),
    `${entra}/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0`,
    'https://LOGIN.microsoftonline.us/common/v2.0',
    'https://sts.windows.net/common/',
  ]) {
    expect(at(issuer)).toThrow('SVC_OPERATOR_OIDC_ISSUER must name your directory by its id');
  }
});

test('a required military look-up needs a decision service that does it', () => {
  const required = { SVC_MILITARY_LOOKUP_REQUIRED: '1' };
  expect(() => readConfig(required)).toThrow(
    'SVC_MILITARY_LOOKUP_REQUIRED needs SVC_UNDERWRITING_URL, because our own rules look no one up',
  );
  const service = {
    SVC_UNDERWRITING_URL: 'https://decisions.example',
    SVC_UNDERWRITING_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
  };
  expect(readConfig({ ...required, ...service }).militaryLookupRequired).toBe(true);
});

describe('the event sink', () => {
  const nats = { SVC_EVENT_SINK: 'nats', NATS_URL: 'tls://svc:pass@a,b:4333' };

  test('is off by default, and sends to a stream that has to exist', () => {
    expect(readConfig({})).toMatchObject({ eventSink: 'none', nats: undefined });
    expect(readConfig(nats)).toMatchObject({
      eventSink: 'nats',
      nats: {
        servers: { hosts: ['a:4222', 'b:4333'], tls: true, user: 'svc', password: 'pass' },
        prefix: 'svc',
        stream: 'SVC_EVENTS',
        createsStream: false,
      },
    });
  });

  test('may create the stream', () => {
    const created = {
      ...nats,
      SVC_EVENT_SINK_CREATE_STREAM: '1',
      SVC_EVENT_SINK_PREFIX: 'rent.prod',
      SVC_EVENT_SINK_STREAM: 'RENT',
    };
    expect(readConfig(created).nats).toMatchObject({
      prefix: 'rent.prod',
      stream: 'RENT',
      createsStream: true,
    });
  });

  test('that is switched off again still hands over what is left', () => {
    const { SVC_EVENT_SINK: _, ...off } = nats;
    expect(readConfig(off)).toMatchObject({ eventSink: 'none', nats: { prefix: 'svc' } });
  });

  test.each([
    [{ SVC_EVENT_SINK: 'kafka' }, 'SVC_EVENT_SINK must be none or nats.'],
    [{ SVC_EVENT_SINK: 'nats' }, 'SVC_EVENT_SINK needs NATS_URL'],
    [{ ...nats, NATS_URL: 'nats.example:hunter2' }, 'NATS_URL must be a URL such as tls://'],
    [{ NATS_CREDS: '/run/svc.creds' }, 'NATS_CREDS needs NATS_URL.'],
    [{ ...nats, NATS_CREDS: '/run/svc.creds' }, 'NATS_CREDS and the user in NATS_URL are both set'],
    [{ ...nats, SVC_EVENT_SINK_PREFIX: 'svc.>' }, 'SVC_EVENT_SINK_PREFIX must be letters'],
    [{ ...nats, SVC_EVENT_SINK_STREAM: 'svc.events' }, 'SVC_EVENT_SINK_STREAM must be the name'],
  ])('%j is refused', (environment, sentence) => {
    expect(() => readConfig(environment)).toThrow(sentence);
    expect(() => readConfig(environment)).not.toThrow('hunter2');
  });

  test.each([
    ['nats://a', true],
    ['nats://localhost,b', true],
    ['tls://a,b', false],
    ['nats://localhost:4333,127.0.0.1,[::1]', false],
  ])('with %s in production, TLS is missing: %s', (url, missing) => {
    const production = { ...nats, NATS_URL: url, SVC_ENVIRONMENT: 'production' };
    const problems = showConfig(production).problems.join('\n');
    expect(problems.includes('NATS_URL must start with tls:// in production')).toBe(missing);
  });
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

test('production requires a mail server with TLS, unless each exception is set by name', () => {
  const problems = (settings: Record<string, string>) =>
    showConfig({ SVC_ENVIRONMENT: 'production', ...settings }).problems.filter((it) =>
      it.startsWith('SVC_SMTP_URL'),
    );
  expect(problems({})).toEqual([expect.stringContaining('set SVC_MAIL=none to start anyway')]);
  expect(problems({ SVC_MAIL: 'none' })).toEqual([]);
  const plain = { SVC_SMTP_URL: 'smtp://mail.example' };
  expect(problems(plain)).toEqual([expect.stringContaining('write smtps:// (port 465)')]);
  expect(problems({ ...plain, SVC_MAIL: 'none' })).toHaveLength(1);
  expect(problems({ ...plain, SVC_ALLOW_PLAIN_SMTP: '1' })).toEqual([]);
  for (const url of ['smtps://mail.example', 'smtp+starttls://u:p@mail.example:587']) {
    expect(problems({ SVC_SMTP_URL: url })).toEqual([]);
  }
  expect(showConfig({}).problems).toEqual([]);
});

test('production requires its own sender address for mail', () => {
  const smtp = { SVC_ENVIRONMENT: 'production', SVC_SMTP_URL: 'smtps://mail.example' };
  expect(() => readConfig(smtp)).toThrow('SVC_MAIL_FROM');
  const named = () => readConfig({ ...smtp, SVC_MAIL_FROM: 'Maple <rent@maple.example>' });
  expect(named).not.toThrow('SVC_MAIL_FROM');
});

describe('text messages', () => {
  const twilio = {
    SVC_SMS: 'twilio',
    SVC_TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    SVC_TWILIO_AUTH_TOKEN: 'hunter2',
    SVC_TWILIO_FROM: '+12125550100',
  };

  test('are sent with the auth token or an API key', () => {
    const { SVC_TWILIO_AUTH_TOKEN: authToken, SVC_TWILIO_FROM: from } = twilio;
    expect(readConfig(twilio).twilio).toMatchObject({ authToken, from, apiKeySid: undefined });
    expect(JSON.stringify(showConfig(twilio))).not.toContain('hunter2');
    expect(readConfig({ ...twilio, SVC_SMS: 'none' }).twilio).toBeUndefined();
  });

  test.each([
    [{ SVC_SMS: 'twilio' }, 'SVC_TWILIO_AUTH_TOKEN must be set, because SVC_SMS is twilio.'],
    [{ ...twilio, SVC_TWILIO_ACCOUNT_SID: 'AC1' }, 'must be an account SID'],
    [{ ...twilio, SVC_TWILIO_FROM: '2125550100' }, 'must be a messaging service SID'],
    [
      { ...twilio, SVC_TWILIO_API_KEY_SID: `SK${'0'.repeat(32)}` },
      'SVC_TWILIO_API_KEY_SID and SVC_TWILIO_API_KEY_SECRET belong together: set both or neither.',
    ],
  ])('%o is refused', (environment, message) => {
    expect(() => readConfig(environment)).toThrow(message);
  });

  test('production neither writes texts to files nor sends them over http', () => {
    const problems = (settings: Record<string, string>) =>
      showConfig({ SVC_ENVIRONMENT: 'production', ...settings }).problems.filter((it) =>
        /^SVC_(SMS|TWILIO)/.test(it),
      );
    expect(problems({ SVC_SMS: 'files' })).toEqual([
      expect.stringContaining('must not be "files"'),
    ]);
    expect(problems({ ...twilio, SVC_TWILIO_URL: 'http://127.0.0.1' })).toHaveLength(1);
    expect(problems(twilio)).toEqual([]);
  });
});

const folder = mkdtempSync(join(tmpdir(), 'svc-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

function secretFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const examples: Record<string, string> = {
  DATABASE_URL: 'postgres://svc:hunter2@db/svc',
  DATABASE_DIRECT_URL: 'postgres://svc:hunter2@db/svc',
  DATABASE_REPLICA_URL: 'postgres://svc:hunter2@b,c/svc?target_session_attrs=prefer-standby',
  SVC_SECRET_KEY: key,
  SVC_DEBIT_ACCOUNTS: JSON.stringify({
    'my-portal': { ...sandboxDebitAccounts['*'], account_holder: 'hunter2' },
  }),
  SVC_EGRESS_PROXY: 'http://svc:hunter2@10.0.0.7:3128',
  SVC_OPERATOR_OIDC_CLIENT_SECRET: 'hunter2',
  SVC_UNDERWRITING_SECRET: secret,
  NATS_URL: 'tls://svc:hunter2@a,b:4222',
  STRIPE_SECRET_KEY: 'sk_test_hunter2',
  STRIPE_WEBHOOK_SECRET: 'whsec_hunter2',
  SVIX_TOKEN: 'hunter2',
  SVC_SMTP_URL: 'smtp://svc:hunter2@mail.example',
  SVC_TWILIO_AUTH_TOKEN: 'hunter2',
  SVC_TWILIO_API_KEY_SECRET: 'hunter2',
  SVC_METRICS_TOKEN: 'hunter2hunter2hunter2',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hunter2',
};
const secrets = settingsOf(allSettings()).flatMap(({ name, secret }) => (secret ? [name] : []));

test('every secret has an example here', () => {
  expect(Object.keys(examples).sort()).toEqual([...secrets].sort());
});

/** The other settings that a setting is refused without, by its name. */
const companions: Record<string, Record<string, string>> = {
  SVC_OPERATOR_OIDC_CLIENT_SECRET: {
    SVC_OPERATOR_OIDC_ISSUER: 'https://login.example',
    SVC_OPERATOR_OIDC_CLIENT_ID: 'svc-console',
  },
  SVC_UNDERWRITING_SECRET: { SVC_UNDERWRITING_URL: 'https://d.example' },
  SVIX_TOKEN: { SVIX_SERVER_URL: 'https://svix.example' },
  SVC_TWILIO_API_KEY_SECRET: { SVC_TWILIO_API_KEY_SID: `SK${'0'.repeat(32)}` },
  DATABASE_DIRECT_URL: { DATABASE_URL: 'postgres://svc@db/svc' },
  DATABASE_REPLICA_URL: { DATABASE_URL: 'postgres://svc@db/svc' },
};

test.each(secrets)('%s is read from the file that its _FILE variable names', (name) => {
  const pair = companions[name];
  const text = examples[name] ?? '';
  const path = secretFile(name, `${text}\n`);
  expect(readConfig({ [`${name}_FILE`]: path, ...pair })).toEqual(
    readConfig({ [name]: text, ...pair }),
  );
});

test('a secret file that is missing, empty or invalid, or a secret set twice, is one sentence', () => {
  const missing = join(folder, 'missing');
  expect(() => readConfig({ SVC_SECRET_KEY_FILE: missing })).toThrow(
    `SVC_SECRET_KEY_FILE names ${missing}, which cannot be read (ENOENT).`,
  );
  const empty = secretFile('empty', '\n');
  expect(() => readConfig({ DATABASE_URL_FILE: empty })).toThrow(
    `DATABASE_URL_FILE names ${empty}, which is empty.`,
  );
  const invalid = secretFile('invalid', 'hunter2');
  expect(() => readConfig({ SVC_SECRET_KEY_FILE: invalid })).toThrow(
    /^SVC_SECRET_KEY must be 32 bytes as base64[^\n]+$/,
  );
  expect(() => readConfig({ SVC_SECRET_KEY: key, SVC_SECRET_KEY_FILE: invalid })).toThrow(
    'SVC_SECRET_KEY and SVC_SECRET_KEY_FILE are both set: remove one of them.',
  );
});

test('one report has every invalid setting and every broken production rule', () => {
  let report = '';
  try {
    readConfig({
      SVC_ENVIRONMENT: 'production',
      PORT: 'http',
      SVC_SMTP_URL: 'mail.example',
      SVC_RATE_LIMIT_PER_SECOND: '0',
      SVC_ALLOW_PRIVATE_WEBHOOKS: '1',
      SVC_UNDERWRITING_URL: 'http://decisions.example',
      SVC_METRICS_PORT: '9400',
      SVC_METRICS_HOST: '0.0.0.0',
    });
  } catch (error) {
    report = (error as ConfigError).message;
  }
  expect(
    report
      .split('\n')
      .map((line) => line.replace(/ .*/, ''))
      .sort(),
  ).toEqual([
    'DATABASE_URL',
    'PORT',
    'SVC_ALLOW_PRIVATE_WEBHOOKS',
    'SVC_LENDER_ADDRESS',
    'SVC_LENDER_NAME',
    'SVC_METRICS_TOKEN',
    'SVC_PUBLIC_ORIGIN',
    'SVC_RATE_LIMIT_PER_SECOND',
    'SVC_SECRET_KEY',
    'SVC_SMTP_URL',
    'SVC_SUPPORT_EMAIL',
    'SVC_UNDERWRITING_SECRET',
    'SVC_UNDERWRITING_URL',
  ]);
});

test.each([
  ['0.0.0.0', 'must be set when SVC_METRICS_HOST is not a loopback address'],
  ['metrics.internal', 'must be set when SVC_METRICS_HOST is not a loopback address'],
])('metrics on %s need a token', (host, sentence) => {
  const exposed = { SVC_METRICS_PORT: '9400', SVC_METRICS_HOST: host };
  expect(() => readConfig(exposed)).toThrow(sentence);
  const token = 'a'.repeat(32);
  expect(readConfig({ ...exposed, SVC_METRICS_TOKEN: token }).metricsToken).toBe(token);
  expect(() => readConfig({ ...exposed, SVC_METRICS_TOKEN: 'short' })).toThrow('16 to 200');
});

test.each(['127.0.0.1', '127.0.0.2', '::1', 'localhost'])('metrics on %s need none', (host) => {
  expect(readConfig({ SVC_METRICS_PORT: '9400', SVC_METRICS_HOST: host }).metricsHost).toBe(host);
});

test('tracing is off without a collector', () => {
  expect(readConfig({ OTEL_TRACES_SAMPLER_ARG: '0.5' }).tracing).toBeUndefined();
  const endpoint = 'http://collector:4318';
  const headers = 'authorization=Bearer%20abc, x-team=rent';
  expect(
    readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers })
      .tracing,
  ).toEqual({ endpoint, headers: { authorization: 'Bearer abc', 'x-team': 'rent' }, ratio: 1 });
  expect(() => readConfig({ OTEL_EXPORTER_OTLP_HEADERS: 'a=%zz' })).toThrow(
    'OTEL_EXPORTER_OTLP_HEADERS must be headers',
  );
});

test('shown settings name their source and never contain a secret', () => {
  const url = secretFile('url', 'postgres://svc:hunter2@db:5432/svc?password=hunter2');
  const { DATABASE_URL: _, ...rest } = examples;
  const shown = showConfig({
    ...rest,
    DATABASE_URL_FILE: url,
    SVC_OPERATOR_OIDC_ISSUER: 'https://login.example',
    SVC_OPERATOR_OIDC_CLIENT_ID: 'svc-console',
    SVC_UNDERWRITING_URL: 'https://decisions.example',
    SVIX_SERVER_URL: 'https://svix.example',
    SVC_TWILIO_API_KEY_SID: `SK${'0'.repeat(32)}`,
    SVC_SECRET_KEYS: 'x',
  });
  const text = JSON.stringify(shown);
  expect(text).not.toContain('hunter2');
  expect(text).not.toContain(key);
  expect(text).not.toContain(secret);
  expect(shown.settings).toContainEqual({
    name: 'DATABASE_URL',
    value: 'postgres://********@db:5432/svc?********',
    source: `file ${url}`,
  });
  expect(shown.settings).toContainEqual({ name: 'PORT', value: '4000', source: 'default' });
  expect(shown.settings).toContainEqual({
    name: 'SVC_SECRET_KEY',
    value: '********',
    source: 'environment',
  });
  expect(shown.unknown).toEqual([
    {
      name: 'SVC_SECRET_KEYS',
      message:
        'SVC_SECRET_KEYS is set but is not a setting, so it is ignored. Did you mean SVC_SECRET_KEY?',
    },
  ]);
  expect(shown.problems).toEqual([]);
});

test('an invalid secret is not shown either', () => {
  const { settings: lines, problems } = showConfig({ DATABASE_URL: 'mysql://svc:hunter2@db' });
  expect(problems).toEqual([expect.stringMatching(/^DATABASE_URL must be a URL such as/)]);
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});

test.each([
  ['all zeros', Buffer.alloc(32)],
  ['one byte repeated', Buffer.alloc(32, 7)],
  ['a pattern repeated', Buffer.alloc(32, 'abcdéfgh')],
  ['0, 1, 2 …', Buffer.from(Array.from({ length: 32 }, (_, i) => i))],
  ['255, 254 …', Buffer.from(Array.from({ length: 32 }, (_, i) => 255 - i))],
  ['steps of 16', Buffer.from(Array.from({ length: 32 }, (_, i) => (i * 17) & 0xff))],
  ['a password', Buffer.from('correct horse battery staple 123')],
  ['hexadecimal text', Buffer.from('0f1e2d3c4b5a69788796a5b4c3d2e1f0')],
  ['zeros after a few bytes', Buffer.concat([keyBytes.subarray(0, 12), Buffer.alloc(20)])],
])('a secret key of %s is refused, in every environment', (_, weak) => {
  const text = weak.toString('base64');
  const refused = /^SVC_SECRET_KEY .+, so it can be guessed\. Create another one with "openssl/;
  expect(() => readConfig({ SVC_SECRET_KEY: text })).toThrow(refused);
  // A service that has such a key replaces it: the new key seals, and the old one still opens.
  expect(readConfig({ SVC_SECRET_KEY: `${key},${text}` }).secretKeys).toHaveLength(2);
  expect(() => readConfig({ SVC_SECRET_KEY: `${text},${key}` })).toThrow(refused);
  expect(() =>
    readConfig({
      SVC_UNDERWRITING_URL: 'https://decisions.example',
      SVC_UNDERWRITING_SECRET: `whsec_${text}`,
    }),
  ).toThrow(/^SVC_UNDERWRITING_SECRET .+, so it can be guessed/);
});

test('a variable that is not a setting is named, with the closest one, and does not stop a start', () => {
  const environment = {
    SVC_TRUSTED_PROXY: '10.0.0.1',
    svc_port: '1',
    SVC_SMTP_URL_FILES: '/nowhere',
    SVC_ACH_COMPANYNAME: 'Svc',
    SVC_FROM_A_LATER_VERSION: 'on',
    DATABASE_URI: 'postgres://db/svc',
    STRIPE_WEBHOOK_SECRETS: 'whsec_x',
    // Variables of other programs, or empty ones.
    DATABASE_HOST: 'db',
    NATS_HOME: '/srv',
    PATH: '/bin',
    SVC_OLD: '',
  };
  expect(readConfig(environment).environment).toBe('sandbox');
  expect(readUnknownSettings(environment).map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^SVC_TRUSTED_PROXY is set .* ignored\. Did you mean SVC_TRUSTED_PROXIES\?$/,
    ),
    expect.stringMatching(/^SVC_SMTP_URL_FILES .* Did you mean SVC_SMTP_URL_FILE\b/),
    expect.stringMatching(/^SVC_ACH_COMPANYNAME .* Did you mean SVC_ACH_COMPANY_NAME\?$/),
    'SVC_FROM_A_LATER_VERSION is set but is not a setting, so it is ignored.',
    expect.stringMatching(/^DATABASE_URI .* Did you mean DATABASE_URL\?$/),
    expect.stringMatching(/^STRIPE_WEBHOOK_SECRETS .* Did you mean STRIPE_WEBHOOK_SECRET\b/),
  ]);
});

test('a command that needs the database only reads no other setting', () => {
  const environment = {
    SVC_ENVIRONMENT: 'production',
    DATABASE_URL: 'postgres://svc@db/svc?sslmode=verify-full',
    PORT: 'http',
    SVC_SECRET_KEY_FILE: '/is/missing',
  };
  expect(() => readConfig(environment)).toThrow(/SVC_LENDER_NAME/);
  expect(readDatabaseConfig(environment).database).toMatchObject({ url: environment.DATABASE_URL });
  expect(() => readDatabaseConfig({ ...environment, DATABASE_URL: 'db' })).toThrow(
    /^DATABASE_URL must be a URL/,
  );
  expect(() => readDatabaseConfig({ SVC_ENVIRONMENT: 'production' })).toThrow(/^DATABASE_URL must/);
});
