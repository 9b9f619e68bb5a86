import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { environments, isExactOrigin, isRoutingNumber, type SvcEnvironment } from '@svc/contract';
import { type DatabaseTarget, databaseUrlProblem, isUnencrypted } from '@svc/db';
import { parseSecretKeys, type SecretKeys, weaknessOf } from '@svc/runtime';
import { type EgressProxy, parseEgressProxy } from '@svc/webhooks';
import { z } from 'zod';
import type { AchSettings } from './ach/ach-settings.ts';
import { type Creditor, sandboxCreditor } from './creditor.ts';
import { type DebitAccounts, debitAccountsText, sandboxDebitAccounts } from './debit-accounts.ts';
import type { NatsSink } from './relay/nats/nats-destination.ts';
import { parseNatsUrl } from './relay/nats/servers.ts';
import {
  checkRules,
  type Environment,
  type ReadSetting,
  readSettings,
  type Setting,
  shownText,
  type UnknownSetting,
  unknownSettings,
  type ValuesOf,
} from './settings.ts';

/** `api` answers requests; `worker` sends webhooks and runs the background work. */
const roles = ['api', 'worker'] as const;
export type Role = (typeof roles)[number];

export interface Config {
  readonly environment: SvcEnvironment;
  /** The work of this process. At least one role. */
  readonly roles: readonly Role[];
  readonly port: number;
  readonly host: string;
  /** Undefined means `http://localhost:<port>` with the port that is listened on. */
  readonly publicOrigin: string | undefined;
  readonly database: DatabaseTarget;
  /** A server that may be some seconds behind, for reports. Undefined means the database itself. */
  readonly replicaUrl: string | undefined;
  readonly dataDir: string;
  /** Whether a process applies missing migrations when it starts. */
  readonly migrateOnStart: boolean;
  /** 32 bytes each; the first one seals, all open. Undefined means a key file in the data folder, which is created once. */
  readonly secretKeys: SecretKeys | undefined;
  readonly allowPrivateWebhooks: boolean;
  readonly creditor: Creditor;
  readonly egressIps: readonly string[];
  /** The accounts of ours that portals debit. */
  readonly debitAccounts: DebitAccounts;
  /** The proxy for webhooks. Undefined means that they are sent directly. */
  readonly egressProxy: EgressProxy | undefined;
  /** Delivers webhooks: our engine, or a Svix server. */
  readonly webhooks: 'embedded' | 'svix';
  /** Also set while our engine delivers, to hand over what is left from before. */
  readonly svix: SvixConfig | undefined;
  /** Also gets every event: nothing, or a JetStream stream. */
  readonly eventSink: 'none' | 'nats';
  /** Also set while no events go there, to hand over what is left from before. */
  readonly nats: NatsSink | undefined;
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** The port that serves metrics. Undefined means none. */
  readonly metricsPort: number | undefined;
  readonly metricsHost: string;
  /** The bearer token that scrapers must send. Undefined if none is needed. */
  readonly metricsToken: string | undefined;
  /** Where traces are sent. Undefined means that none are made. */
  readonly tracing: TracingConfig | undefined;
  /** How long webhook messages and their attempts are kept at least. */
  readonly webhookRetentionDays: number;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Requests per second for each API key. */
  readonly rateLimitPerSecond: number;
  /** Requests per minute for each address, where no key is needed; half as many wrong credentials. */
  readonly rateLimitPerMinute: number;
  /** Simultaneous connections. */
  readonly maxConnections: number;
  /** How long the process still answers requests after SIGTERM, while /readyz reports it as not ready. */
  readonly drainSeconds: number;
  readonly demoPort: number;
  /** Takes the tenants' payments. Undefined means that no plans are offered. */
  readonly processor: 'simulator' | 'stripe' | 'ach' | undefined;
  /** The operator's decision service. Undefined means our own rules. */
  readonly underwriting: { readonly url: string; readonly secret: string } | undefined;
  readonly decisionNeedsAccount: boolean;
  /** Set when the processor is Stripe. */
  readonly stripe: StripeConfig | undefined;
  /** Set when the processor is our bank, through ACH files. */
  readonly ach: AchSettings | undefined;
  /** Undefined means files in the data folder in the sandbox, and no mail in production. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
}

export interface StripeConfig {
  readonly secretKey: string;
  /** More than one while the secret is changed. */
  readonly webhookSecrets: readonly string[];
  /** Undefined means Stripe itself. */
  readonly apiBase: string | undefined;
}

export interface SvixConfig {
  /** Without a trailing slash. */
  readonly serverUrl: string;
  readonly token: string;
}

export interface TracingConfig {
  /** The OTLP collector, such as `http://localhost:4318`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The share of requests without a `traceparent` that are traced, 0 to 1. */
  readonly ratio: number;
}

/** Invalid settings. The message has one line for each problem and is shown to the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the settings from the environment. Nothing else reads the environment.
 * @throws ConfigError with every invalid setting and every broken production rule
 */
export function readConfig(environment: Environment = process.env): Config {
  const { config, read } = parse(environment);
  return checked(config, read);
}

/** What leads to the database, and what commands on its schema use. */
const databaseSettings =
  /^(SVC_ENVIRONMENT|DATABASE_(DIRECT_)?URL|SVC_DATA_DIR|SVC_WEBHOOK_RETENTION_DAYS)$/;

/**
 * Reads the settings for a command that needs the database and nothing else. In an emergency it works
 * on a machine that has none of the service's other settings, or wrong ones.
 * @throws ConfigError when the database cannot be found with them
 */
export function readDatabaseConfig(environment: Environment = process.env): Config {
  const { config, read } = parse(environment);
  return checked(
    config,
    read.filter(({ name }) => databaseSettings.test(name)),
  );
}

function checked(config: Config, read: readonly ReadSetting[]): Config {
  const problems = read.flatMap((setting) => setting.problems);
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return config;
}

/** Variables that are set and look like misspelled settings. */
export function readUnknownSettings(environment: Environment = process.env): UnknownSetting[] {
  return unknownSettings(settings, environment);
}

/** One line of `svc-admin config`. */
/**
 * The folder of the person who runs a command. npm runs a script in the folder of its package, and passes
 * the person's as INIT_CWD. A program that a script starts has its own folder, so the name must match.
 */
export function callerFolder(environment: Environment = process.env): string {
  const { INIT_CWD: folder, npm_lifecycle_event: script } = environment;
  return (script === 'svc-admin' || script === 'svc') && folder ? folder : process.cwd();
}

export interface ShownSetting {
  readonly name: string;
  /** Secrets are masked; empty when the setting has no value. */
  readonly value: string;
  /** `default`, `environment` or `file <path>`; empty without a value. */
  readonly source: string;
}

/** The settings in effect, with masked secrets, and what is wrong with them. */
export interface ShownConfig {
  readonly settings: readonly ShownSetting[];
  /** Set, but not settings of the service: probably misspelled. */
  readonly unknown: readonly UnknownSetting[];
  readonly problems: readonly string[];
}

/** Reads the settings to show them. Does not throw when they are invalid. */
export function showConfig(environment: Environment = process.env): ShownConfig {
  const { read } = parse(environment);
  return {
    settings: read.map((it) => ({
      name: it.name,
      value: shownText(settings[it.name as keyof typeof settings], it),
      source: it.source,
    })),
    unknown: unknownSettings(settings, environment),
    problems: read.flatMap(({ problems }) => problems),
  };
}

function parse(environment: Environment): { config: Config; read: ReadSetting[] } {
  const read = readSettings(settings, environment);
  // The value of an invalid setting is undefined, which its type does not say: rules look at the
  // configuration anyway, so that one report has every problem.
  const values = Object.fromEntries(read.map(({ name, value }) => [name, value])) as Values;
  const config = configOf(values);
  checkRules(settings, read, config);
  return { config, read };
}

function configOf(values: Values): Config {
  const dataDir = resolve(values.SVC_DATA_DIR ?? '');
  return {
    environment: values.SVC_ENVIRONMENT,
    roles: values.SVC_ROLES,
    port: values.PORT,
    host: values.SVC_HOST,
    publicOrigin: values.SVC_PUBLIC_ORIGIN,
    database: values.DATABASE_URL
      ? { url: values.DATABASE_URL, directUrl: values.DATABASE_DIRECT_URL }
      : { dataDir },
    replicaUrl: values.DATABASE_REPLICA_URL,
    dataDir,
    migrateOnStart: values.SVC_MIGRATE_ON_START,
    secretKeys: values.SVC_SECRET_KEY,
    allowPrivateWebhooks: values.SVC_ALLOW_PRIVATE_WEBHOOKS,
    creditor: {
      name: values.SVC_LENDER_NAME,
      address: values.SVC_LENDER_ADDRESS,
      supportEmail: values.SVC_SUPPORT_EMAIL,
    },
    egressIps: values.SVC_EGRESS_IPS ?? [],
    debitAccounts:
      values.SVC_DEBIT_ACCOUNTS ??
      (values.SVC_ENVIRONMENT === 'sandbox' ? sandboxDebitAccounts : {}),
    egressProxy: values.SVC_EGRESS_PROXY,
    webhooks: values.SVC_WEBHOOKS,
    svix: svixOf(values),
    eventSink: values.SVC_EVENT_SINK,
    nats: natsOf(values),
    trustedProxies: values.SVC_TRUSTED_PROXIES ?? [],
    metricsPort: values.SVC_METRICS_PORT,
    metricsHost: values.SVC_METRICS_HOST,
    metricsToken: values.SVC_METRICS_TOKEN,
    tracing: tracingOf(values),
    webhookRetentionDays: values.SVC_WEBHOOK_RETENTION_DAYS,
    logLevel: values.SVC_LOG_LEVEL,
    rateLimitPerSecond: values.SVC_RATE_LIMIT_PER_SECOND,
    rateLimitPerMinute: values.SVC_RATE_LIMIT_PER_MINUTE,
    maxConnections: values.SVC_MAX_CONNECTIONS,
    drainSeconds: values.SVC_DRAIN_SECONDS,
    demoPort: values.DEMO_PORT,
    processor:
      values.SVC_PROCESSOR ?? (values.SVC_ENVIRONMENT === 'sandbox' ? 'simulator' : undefined),
    underwriting: underwritingOf(values),
    decisionNeedsAccount: values.SVC_DECISION_NEEDS_ACCOUNT,
    stripe: stripeOf(values),
    ach: achOf(values),
    smtpUrl: values.SVC_SMTP_URL,
    mailFrom: values.SVC_MAIL_FROM,
  };
}

function underwritingOf(values: Values): Config['underwriting'] {
  const { SVC_UNDERWRITING_URL: url, SVC_UNDERWRITING_SECRET: secret } = values;
  return url !== undefined && secret !== undefined ? { url, secret } : undefined;
}

function stripeOf(values: Values): StripeConfig | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecrets } = values;
  if (values.SVC_PROCESSOR !== 'stripe') return undefined;
  if (secretKey === undefined || webhookSecrets === undefined) return undefined;
  return { secretKey, webhookSecrets, apiBase: values.STRIPE_API_BASE };
}

function achOf(values: Values): AchSettings | undefined {
  const { SVC_ACH_FOLDER: folder, SVC_ACH_BANK_ROUTING_NUMBER: bankRoutingNumber } = values;
  const { SVC_ACH_BANK_NAME: bankName, SVC_ACH_ORIGIN_ID: originId } = values;
  const { SVC_ACH_COMPANY_ID: companyId, SVC_ACH_COMPANY_NAME: companyName } = values;
  if (values.SVC_PROCESSOR !== 'ach') return undefined;
  if (folder === undefined || bankRoutingNumber === undefined || bankName === undefined)
    return undefined;
  if (originId === undefined || companyId === undefined || companyName === undefined)
    return undefined;
  return {
    bankRoutingNumber,
    bankName,
    originId,
    companyId,
    companyName,
    folder: resolve(folder),
    description: values.SVC_ACH_DESCRIPTION,
    cutOff: values.SVC_ACH_CUT_OFF,
    sameDayCutOff: values.SVC_ACH_SAME_DAY_CUT_OFF,
    returnDays: values.SVC_ACH_RETURN_DAYS,
    prenote: values.SVC_ACH_PRENOTE,
  };
}

function svixOf({ SVIX_SERVER_URL: serverUrl, SVIX_TOKEN: token }: Values): SvixConfig | undefined {
  return serverUrl !== undefined && token !== undefined ? { serverUrl, token } : undefined;
}

function natsOf(values: Values): NatsSink | undefined {
  const { NATS_URL: servers, NATS_CREDS: credsFile } = values;
  if (servers === undefined) return undefined;
  return {
    ...servers,
    ...(credsFile !== undefined && { credsFile }),
    prefix: values.SVC_EVENT_SINK_PREFIX,
    stream: values.SVC_EVENT_SINK_STREAM,
    createWithMaxAgeMs: values.SVC_EVENT_SINK_CREATE_STREAM
      ? values.SVC_WEBHOOK_RETENTION_DAYS * 86_400_000
      : undefined,
  };
}

function tracingOf(values: Values): TracingConfig | undefined {
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  const headers = values.OTEL_EXPORTER_OTLP_HEADERS ?? {};
  return { endpoint, headers, ratio: values.OTEL_TRACES_SAMPLER_ARG };
}

const defaultFrom = 'Svc <no-reply@svc.example>';

const port = z.coerce
  .number({ error: 'must be a port from 0 to 65535' })
  .int('must be a port from 0 to 65535')
  .min(0, 'must be a port from 0 to 65535')
  .max(65_535, 'must be a port from 0 to 65535');

const count = z.coerce
  .number({ error: 'must be a whole number of at least 1' })
  .int('must be a whole number of at least 1')
  .min(1, 'must be a whole number of at least 1');

const flag = z
  .enum(['0', '1', 'true', 'false'], { error: 'must be 1 or 0' })
  .transform((value) => value === '1' || value === 'true');

const line = z
  .string()
  .regex(/^[^\p{Cc}]{1,200}$/u, { error: 'must be one line of at most 200 characters' });

const secretKeys = z.string().transform((text, context) => {
  const keys = parseSecretKeys(text);
  if (keys) return keys;
  context.addIssue(
    'must be 32 bytes as base64, or several such keys separated by commas, the newest first. Create a key with "openssl rand -base64 32"',
  );
  return z.NEVER;
});

const list = z.string().transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''));

function databaseUrl(access: 'read-write' | 'read-only') {
  return z.string().superRefine((url, context) => {
    const problem = databaseUrlProblem(url, access);
    if (problem !== undefined) context.addIssue(problem);
  });
}

function needsTls(url: unknown, values: Readonly<Record<string, unknown>>) {
  return (
    typeof url === 'string' &&
    values.SVC_ALLOW_PLAIN_DATABASE !== true &&
    isUnencrypted(url) &&
    'must use TLS in production: add sslmode=verify-full to its parameters (or require, verify-ca). Set SVC_ALLOW_PLAIN_DATABASE=1 to connect without TLS.'
  );
}

const natsUrl = z.string().transform((text, context) => {
  const servers = parseNatsUrl(text);
  if (servers) return servers;
  context.addIssue(
    'must be a URL such as tls://user:password@nats.example:4222, with the hosts of a cluster separated by commas, and special characters of the password percent-encoded',
  );
  return z.NEVER;
});

function httpUrl(example: string) {
  return z.string().refine((url) => /^https?:\/\//.test(url) && URL.canParse(url), {
    error: `must be a URL such as ${example}`,
  });
}

/** `name=value,name=value` with percent escapes in the values, as OpenTelemetry defines it. */
const headerList = z
  .string()
  .transform(parseHeaders)
  .refine((headers) => headers !== undefined, {
    error: 'must be headers such as "authorization=Bearer%20abc", separated by commas',
  });

const lenderInProduction =
  "must be set in production. Every agreement, decline notice and mail contains the lender's name, postal address and support address.";
const bothOrNeither =
  'must be set, because SVC_UNDERWRITING_URL and SVC_UNDERWRITING_SECRET belong together: set both or neither.';

const svixBothOrNeither =
  'must be set, because SVIX_SERVER_URL and SVIX_TOKEN belong together: set both or neither.';

/** The mode of a secret or restricted API key of Stripe's. */
const stripeKey = /^(?:sk|rk)_(test|live)_[A-Za-z0-9_]{6,250}$/;

function needsAch(name: string) {
  return (_: unknown, values: Readonly<Record<string, unknown>>) =>
    values.SVC_PROCESSOR === 'ach' &&
    values[name] === undefined &&
    'must be set, because SVC_PROCESSOR is ach. Your bank assigns the ids and names.';
}

/** Text of a Nacha file, up to its width there. */
function achText(most: number) {
  return z.string().regex(new RegExp(`^[A-Za-z0-9 .,&/-]{1,${most}}$`), {
    error: `must be 1 to ${most} letters, digits, spaces and . , & / -`,
  });
}

/** `17:00` becomes `1700`. */
const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time such as 17:00' })
  .transform((time) => time.replace(':', ''));

function needsStripe({ SVC_PROCESSOR: processor }: Readonly<Record<string, unknown>>) {
  return processor === 'stripe' && 'must be set, because SVC_PROCESSOR is stripe.';
}

/**
 * Every setting: how it is parsed, its default, whether it is a secret, the rules for it, and its
 * documentation. `npm run settings` writes docs/operate/configuration.md from it.
 */
export const settings = {
  SVC_ENVIRONMENT: {
    type: z.enum(environments, { error: 'must be sandbox or production' }),
    default: 'sandbox',
    description: 'or `production`; one deployment serves one environment',
  },
  SVC_ROLES: {
    type: list
      .refine((names) => names.length > 0 && names.every(isRole), {
        error: 'must be api, worker, or both, separated by a comma',
      })
      .transform((names) => roles.filter((role) => names.includes(role))),
    default: 'api,worker',
    rule: ({ roles: chosen, database }) =>
      chosen.length < roles.length &&
      'dataDir' in database &&
      'needs DATABASE_URL, because the embedded database belongs to one process. Set DATABASE_URL, or remove SVC_ROLES.',
    description:
      'what the process does: `api` answers requests, `worker` sends webhooks and runs background work; both on any number of processes',
  },
  DATABASE_URL: {
    type: databaseUrl('read-write'),
    defaultNote: 'the embedded database',
    secret: 'url',
    inProduction: ({ database }, values) =>
      'dataDir' in database
        ? values.SVC_ALLOW_EMBEDDED !== true &&
          'must be set in production, because the embedded database can lose data in a power failure. Set SVC_ALLOW_EMBEDDED=1 to accept that.'
        : needsTls(database.url, values),
    description:
      '`postgres://user:password@host:5432/name?sslmode=verify-full`; required in production, with TLS. [Several hosts](failover.md): `postgres://user:password@a:5432,b:5432/name?target_session_attrs=read-write`',
  },
  DATABASE_DIRECT_URL: {
    type: databaseUrl('read-write'),
    defaultNote: '`DATABASE_URL`',
    secret: 'url',
    rule: (_, { DATABASE_URL, DATABASE_DIRECT_URL }) =>
      DATABASE_DIRECT_URL !== undefined &&
      DATABASE_URL === undefined &&
      'needs DATABASE_URL, which it does not replace. Set both, or neither.',
    inProduction: (_, values) => needsTls(values.DATABASE_DIRECT_URL, values),
    description:
      'the same database without a pooler, when `DATABASE_URL` leads to [PgBouncer](processes.md#pgbouncer): for migrations and `LISTEN`',
  },
  DATABASE_REPLICA_URL: {
    type: databaseUrl('read-only'),
    defaultNote: '`DATABASE_URL`',
    secret: 'url',
    rule: (_, { DATABASE_URL, DATABASE_REPLICA_URL }) =>
      DATABASE_REPLICA_URL !== undefined &&
      DATABASE_URL === undefined &&
      'needs DATABASE_URL, which it does not replace. Set both, or neither.',
    inProduction: (_, values) => needsTls(values.DATABASE_REPLICA_URL, values),
    description:
      '[a replica](failover.md#reports-from-a-replica) for the reports of `svc`: `ledger verify`, `audit verify`, `audit list`, `dispute list` and `loss list`',
  },
  SVC_ALLOW_PLAIN_DATABASE: {
    type: flag,
    default: '0',
    description:
      'accept a database connection without TLS in production, for example inside an encrypted network; sockets and loopback addresses need no TLS',
  },
  SVC_MIGRATE_ON_START: {
    type: flag,
    default: { sandbox: '1', production: '0' },
    description:
      'apply missing migrations when a process starts; otherwise it [refuses to start](upgrade.md) until `svc-admin migrate apply` has run',
  },
  SVC_SECRET_KEY: {
    type: secretKeys,
    defaultNote: 'made once in the data folder',
    secret: 'text',
    rule: ({ secretKeys }) => {
      const weakness = secretKeys && weaknessOf(secretKeys[0]);
      return (
        weakness !== undefined &&
        `${weakness}, so it can be guessed. Create another one with "openssl rand -base64 32". If data is encrypted with this key, write the new key before it, separated by a comma, and run "svc-admin secret rotate".`
      );
    },
    inProduction: (config) =>
      config.secretKeys === undefined &&
      'must be set in production. Create 32 random bytes with "openssl rand -base64 32" and keep them with your secrets.',
    description:
      '32 bytes as base64, from `openssl rand -base64 32`; required in production. Several keys, separated by commas, while [the key is replaced](secret-keys.md)',
  },
  SVC_PUBLIC_ORIGIN: {
    type: z.string().refine(isExactOrigin, {
      error: 'must be an origin such as https://svc.example, without a path',
    }),
    defaultNote: '`http://localhost:$PORT`',
    rule: ({ roles: chosen, publicOrigin }) =>
      publicOrigin === undefined &&
      chosen?.length === 1 &&
      chosen[0] === 'worker' &&
      'must be set with SVC_ROLES=worker, because the links in mails lead to the origin of the processes with the role api.',
    inProduction: ({ publicOrigin }) =>
      !publicOrigin?.startsWith('https://') &&
      'must be an https origin in production, such as https://svc.example.',
    description: 'the origin that partners and tenants use; required in production, with https',
  },
  PORT: { type: port, default: '4000', description: 'the port of the API and the pages' },
  SVC_HOST: {
    type: z.string(),
    default: 'localhost',
    description: 'the address to listen on; `0.0.0.0` or `::` in a container',
  },
  DEMO_PORT: {
    type: port,
    default: '4100',
    description: 'the port of the demo property portal; `npm start` only',
  },
  SVC_DATA_DIR: {
    type: z.string(),
    default: '.svc',
    description:
      'holds the embedded database, the secret key and the control socket; not written when `DATABASE_URL` and `SVC_SECRET_KEY` are set',
  },
  SVC_LENDER_NAME: {
    type: line,
    default: sandboxCreditor.name,
    inProduction: ({ creditor }) => creditor.name === sandboxCreditor.name && lenderInProduction,
    description:
      'who lends: in every agreement, decline notice, mail and page; required in production',
  },
  SVC_LENDER_ADDRESS: {
    type: line,
    default: sandboxCreditor.address,
    inProduction: ({ creditor }) =>
      creditor.address === sandboxCreditor.address && lenderInProduction,
    description: 'where a letter reaches the lender; required in production',
  },
  SVC_SUPPORT_EMAIL: {
    type: z
      .string()
      .regex(/^[^<>@\s]+@[^<>@\s]+$/, { error: 'must be an address such as help@svc.example' }),
    default: sandboxCreditor.supportEmail,
    inProduction: ({ creditor }) =>
      creditor.supportEmail === sandboxCreditor.supportEmail && lenderInProduction,
    description: 'who helps tenants; required in production',
  },
  SVC_DEBIT_ACCOUNTS: {
    type: debitAccountsText,
    defaultNote: 'an example in the sandbox; none in production',
    secret: 'text',
    description:
      'the account that each portal debits for settlements, and the authorization for it, as JSON: [which account to debit](../account-to-debit.md#for-the-operator)',
  },
  SVC_EGRESS_IPS: {
    type: list,
    description: "the addresses that webhooks come from, for receivers' allow-lists",
  },
  SVC_EGRESS_PROXY: {
    type: z
      .string()
      .transform(parseEgressProxy)
      .refine((proxy) => proxy !== undefined, {
        error: 'must be a URL such as http://user:password@proxy.example:3128, without a path',
      }),
    secret: 'url',
    description:
      '`http(s)://[user:password@]host:port`: webhooks leave through this proxy, [to addresses checked before](../../packages/webhooks/README.md#through-a-proxy); the decision service and mail are reached directly',
  },
  SVC_WEBHOOKS: {
    type: z.enum(['embedded', 'svix'], { error: 'must be embedded or svix' }),
    default: 'embedded',
    rule: ({ webhooks, svix }) =>
      webhooks === 'svix' &&
      svix === undefined &&
      'needs SVIX_SERVER_URL and SVIX_TOKEN when it is svix. Set both, or remove SVC_WEBHOOKS.',
    description: '`embedded`: the service delivers webhooks; `svix`: a [Svix server](svix.md) does',
  },
  SVIX_SERVER_URL: {
    type: httpUrl('https://svix.example')
      .refine((url) => !/[?#]|\/\/[^/]*@/.test(url), {
        error: 'must be a URL without user, query and fragment, such as https://svix.example',
      })
      .transform((url) => url.replace(/\/+$/, '')),
    rule: ({ svix }, values) =>
      svix === undefined &&
      values.SVIX_SERVER_URL === undefined &&
      values.SVIX_TOKEN !== undefined &&
      svixBothOrNeither,
    inProduction: (_, { SVIX_SERVER_URL: url }) =>
      typeof url === 'string' &&
      url.startsWith('http:') &&
      !isLoopback(new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')) &&
      'must be https in production, except on a loopback address, because the token is sent with each request.',
    description:
      'the [Svix server](svix.md), such as `https://svix.example`; with `SVC_WEBHOOKS=embedded` it gets what is left from before',
  },
  SVIX_TOKEN: {
    type: z.string().regex(/^[\x21-\x7e]{1,4000}$/, {
      error: 'must be a token without spaces. Create one with "svix-server jwt generate"',
    }),
    secret: 'text',
    rule: ({ svix }, values) =>
      svix === undefined &&
      values.SVIX_TOKEN === undefined &&
      values.SVIX_SERVER_URL !== undefined &&
      svixBothOrNeither,
    description: 'the API token of the Svix server',
  },
  SVC_EVENT_SINK: {
    type: z.enum(['none', 'nats'], { error: 'must be none or nats' }),
    default: 'none',
    rule: ({ eventSink, nats }, values) =>
      eventSink === 'nats' &&
      nats === undefined &&
      values.NATS_URL === undefined &&
      'needs NATS_URL when it is nats. Set it, or remove SVC_EVENT_SINK.',
    description:
      '`nats`: every event also goes to a stream of [NATS JetStream](event-sink.md), for data teams',
  },
  NATS_URL: {
    type: natsUrl,
    secret: 'url',
    inProduction: ({ nats }) =>
      nats !== undefined &&
      !nats.tls &&
      !nats.hosts.every(isLoopbackPlace) &&
      'must start with tls:// in production, except on a loopback address, because it carries events about tenants.',
    description:
      '`tls://user:password@host:4222,host:4222` for the [event sink](event-sink.md), or `nats://` where TLS is optional; with `SVC_EVENT_SINK=none` it gets what is left from before',
  },
  NATS_CREDS: {
    type: z.string(),
    rule: ({ nats }, values) => {
      if (values.NATS_CREDS === undefined) return false;
      if (values.NATS_URL === undefined) return 'needs NATS_URL. Set both, or remove NATS_CREDS.';
      return (
        (nats?.user ?? nats?.token) !== undefined &&
        'and the user in NATS_URL are both set: remove one of them.'
      );
    },
    description:
      "the path of a credentials file with the user's JWT and key, read for each connection, instead of a user in `NATS_URL`",
  },
  SVC_EVENT_SINK_PREFIX: {
    type: z.string().regex(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/, {
      error: 'must be letters, digits, "-" and "_", with dots between them',
    }),
    default: 'svc',
    description: 'how the subject of each event starts',
  },
  SVC_EVENT_SINK_STREAM: {
    type: z.string().regex(/^[A-Za-z0-9_-]{1,200}$/, {
      error: 'must be the name of a stream: letters, digits, "-" and "_"',
    }),
    default: 'SVC_EVENTS',
    description: 'the stream; an event that another one would take is not sent',
  },
  SVC_EVENT_SINK_CREATE_STREAM: {
    type: flag,
    default: '0',
    description:
      '[create the stream](event-sink.md#the-stream) if none takes the events, to keep them as long as webhook messages',
  },
  SVC_ALLOW_PRIVATE_WEBHOOKS: {
    type: flag,
    default: '0',
    defaultNote: '`0` (`npm start`: `1`)',
    inProduction: (config) =>
      config.allowPrivateWebhooks &&
      'must not be set in production, because webhooks could then reach your own network.',
    description: 'deliver webhooks to this machine and its network; refused in production',
  },
  SVC_WEBHOOK_RETENTION_DAYS: {
    type: z.coerce
      .number({ error: 'must be a whole number of days from 7 to 3650' })
      .int('must be a whole number of days from 7 to 3650')
      .min(7, 'must be a whole number of days from 7 to 3650')
      .max(3_650, 'must be a whole number of days from 7 to 3650'),
    default: '90',
    description:
      'how long webhook messages and their attempts are kept; [a month is deleted as a whole](capacity.md#storage-webhooks) when its last day is that old',
  },
  SVC_ALLOW_EMBEDDED: {
    type: flag,
    default: '0',
    description: 'accept the embedded database in production',
  },
  SVC_RATE_LIMIT_PER_SECOND: {
    type: count,
    default: '200',
    description: 'requests a second for each API key, at all processes together',
  },
  SVC_RATE_LIMIT_PER_MINUTE: {
    type: count,
    default: '120',
    description:
      'requests a minute for each address (IPv6: and each /64 network) where no key is needed, at all processes together; half as many wrong keys',
  },
  SVC_TRUSTED_PROXIES: {
    type: list.refine((addresses) => addresses.every(isNetwork), {
      error: 'must be addresses or networks such as 10.0.0.0/8, separated by commas',
    }),
    description:
      'addresses or networks of your proxies, whose `X-Forwarded-For` is trusted; behind a proxy without it, all callers share one limit, and a warning says so',
  },
  SVC_MAX_CONNECTIONS: {
    type: count,
    default: '5000',
    description:
      'open HTTP connections for each process; further ones are closed at once, without a response',
  },
  SVC_DRAIN_SECONDS: {
    type: z.coerce
      .number({ error: 'must be a number of seconds from 0 to 600' })
      .min(0, 'must be a number of seconds from 0 to 600')
      .max(600, 'must be a number of seconds from 0 to 600'),
    // Load balancers probe every few seconds and need two or three answers to remove a process.
    default: { sandbox: '0', production: '10' },
    description: 'how long a process keeps serving after SIGTERM while `/readyz` is 503',
  },
  SVC_UNDERWRITING_URL: {
    type: httpUrl('https://decisions.example/underwriting'),
    rule: (_, values) =>
      values.SVC_UNDERWRITING_URL === undefined &&
      values.SVC_UNDERWRITING_SECRET !== undefined &&
      bothOrNeither,
    inProduction: (_, { SVC_UNDERWRITING_URL: url }) =>
      String(url).startsWith('http:') &&
      'must be https in production, because it receives personal data of tenants.',
    defaultNote: 'our own rules',
    description: '[a decision service of yours](../decision-service.md); https in production',
  },
  SVC_UNDERWRITING_SECRET: {
    type: z.string().refine(isWebhookSecret, {
      error: 'must be "whsec_" followed by 24 to 64 random bytes as base64',
    }),
    secret: 'text',
    rule: (_, { SVC_UNDERWRITING_SECRET: secret, SVC_UNDERWRITING_URL: url }) => {
      if (typeof secret !== 'string') return url !== undefined && bothOrNeither;
      const weakness = weaknessOfWebhookSecret(secret);
      return weakness !== undefined && `${weakness}, so it can be guessed. Create another one.`;
    },
    description: 'signs the questions to the decision service',
  },
  SVC_DECISION_NEEDS_ACCOUNT: {
    type: flag,
    default: '0',
    description:
      'decide an application only after the tenant has added an account or card ([when the account comes first](../decision-service.md#when-the-account-comes-first))',
  },
  SVC_PROCESSOR: {
    type: z.enum(['simulator', 'stripe', 'ach'], { error: 'must be simulator, stripe or ach' }),
    defaultNote: 'the simulator in the sandbox; none in production, where no plans are offered',
    inProduction: (_, { SVC_PROCESSOR: name }) =>
      name === 'simulator' &&
      'must be a real processor in production: the simulator moves no money.',
    description:
      'takes the tenants’ payments ([how a cent travels](../money.md)): `simulator`, `stripe` for [Stripe](stripe.md), with test keys in the sandbox and live keys in production, or `ach` for [ACH files](ach.md) with your bank',
  },
  STRIPE_SECRET_KEY: {
    type: z.string().regex(stripeKey, {
      error: 'must be a secret or restricted key of Stripe that starts with sk_ or rk_',
    }),
    secret: 'text',
    rule: ({ environment }, values) => {
      const key = values.STRIPE_SECRET_KEY;
      if (typeof key !== 'string') return needsStripe(values);
      const isTest = stripeKey.exec(key)?.[1] === 'test';
      if (environment === 'sandbox') {
        return !isTest && 'must be a test key in the sandbox, where no real money may move.';
      }
      return isTest && 'must be a live key in production: a test key takes no real payments.';
    },
    description: 'the API key; it needs the permissions that [the Stripe page](stripe.md) lists',
  },
  STRIPE_WEBHOOK_SECRET: {
    type: list.refine((secrets) => secrets.length > 0 && secrets.every(isStripeWebhookSecret), {
      error: 'must be the signing secret of the webhook endpoint, which starts with whsec_',
    }),
    secret: 'text',
    rule: (_, values) => values.STRIPE_WEBHOOK_SECRET === undefined && needsStripe(values),
    description:
      "the signing secret of Stripe's webhook endpoint; two, separated by a comma, while it is changed",
  },
  STRIPE_API_BASE: {
    type: httpUrl('http://127.0.0.1:12111'),
    inProduction: (_, { STRIPE_API_BASE: url }) =>
      String(url).startsWith('http:') &&
      'must be https in production. It is for tests: remove it to call Stripe.',
    description: "for tests: another origin than Stripe's; https in production",
  },
  SVC_ACH_FOLDER: {
    type: z.string().refine(isAbsolute, {
      error: 'must be an absolute path, such as /var/lib/svc/ach',
    }),
    rule: needsAch('SVC_ACH_FOLDER'),
    description:
      'the folder for [ACH files](ach.md): an absolute path that exists, is writable, and is the same for all processes: `outbox` goes to the bank, `inbox` comes from it',
  },
  SVC_ACH_BANK_ROUTING_NUMBER: {
    type: z.string().refine(isRoutingNumber, {
      error: 'must be the nine digits of a US bank, without a typing error',
    }),
    rule: needsAch('SVC_ACH_BANK_ROUTING_NUMBER'),
    description: 'the routing number of your bank, which gets the files (immediate destination)',
  },
  SVC_ACH_BANK_NAME: {
    type: achText(23),
    rule: needsAch('SVC_ACH_BANK_NAME'),
    description: 'its name in the files',
  },
  SVC_ACH_ORIGIN_ID: {
    type: z.string().regex(/^[A-Za-z0-9]{9,10}$/, { error: 'must be 9 or 10 letters and digits' }),
    rule: needsAch('SVC_ACH_ORIGIN_ID'),
    description: 'who sends the files (immediate origin), as your bank assigned it',
  },
  SVC_ACH_COMPANY_ID: {
    type: z.string().regex(/^[A-Za-z0-9]{9,10}$/, { error: 'must be 9 or 10 letters and digits' }),
    rule: needsAch('SVC_ACH_COMPANY_ID'),
    description: 'who debits tenants (company identification), as your bank assigned it',
  },
  SVC_ACH_COMPANY_NAME: {
    type: achText(16),
    rule: needsAch('SVC_ACH_COMPANY_NAME'),
    description: "your company's name on tenants' bank statements, at most 16 characters",
  },
  SVC_ACH_DESCRIPTION: {
    type: achText(10),
    default: 'PAYMENT',
    description: "what the payment is for, on tenants' bank statements",
  },
  SVC_ACH_CUT_OFF: {
    type: timeOfDay,
    default: '17:00',
    description:
      'when files are written on banking days, in Eastern time: some minutes before the cut-off of your bank for the next banking day',
  },
  SVC_ACH_SAME_DAY_CUT_OFF: {
    type: timeOfDay,
    defaultNote: 'no entries settle the same day',
    rule: ({ ach }) =>
      ach?.sameDayCutOff !== undefined &&
      ach.sameDayCutOff >= ach.cutOff &&
      'must be earlier than SVC_ACH_CUT_OFF.',
    description:
      'when files are written whose entries settle the same day, if your bank offers it; entries above $1,000,000 never do',
  },
  SVC_ACH_RETURN_DAYS: {
    type: z.coerce
      .number({ error: 'must be a whole number of banking days from 2 to 10' })
      .int('must be a whole number of banking days from 2 to 10')
      .min(2, 'must be a whole number of banking days from 2 to 10')
      .max(10, 'must be a whole number of banking days from 2 to 10'),
    default: '3',
    description:
      'after how many banking days without a return a debit counts as succeeded; it is `processing` until then',
  },
  SVC_ACH_PRENOTE: {
    type: flag,
    default: '0',
    description:
      'test each account with an entry of zero dollars, three banking days before its first debit',
  },
  SVC_SMTP_URL: {
    type: z.string().refine((url) => /^smtp(s|\+starttls)?:\/\//.test(url) && URL.canParse(url), {
      error: 'must be a URL such as smtps://user:password@mail.example:465',
    }),
    secret: 'url',
    defaultNote: '`.eml` files in the data folder, for 30 days; required in production',
    inProduction: (_, { SVC_SMTP_URL: url, SVC_MAIL, SVC_ALLOW_PLAIN_SMTP }) => {
      if (url === undefined && SVC_MAIL !== 'none') {
        return 'must be set in production. Without mail, tenants do not get their agreements and decline notices: set SVC_MAIL=none to start anyway, and send the notices that "svc-admin mail list --to-print" lists on paper.';
      }
      return (
        typeof url === 'string' &&
        url.startsWith('smtp://') &&
        SVC_ALLOW_PLAIN_SMTP !== true &&
        'must use TLS in production: write smtps:// (port 465) or smtp+starttls:// (port 587). Set SVC_ALLOW_PLAIN_SMTP=1 to send mails without TLS.'
      );
    },
    description:
      '`smtps://user:password@host:port`, or `smtp+starttls://` for a server that starts TLS on port 587; `smtp://` uses TLS only if the server offers it. Never used for simulated tenants. `svc-admin mail test <address>` tries it',
  },
  SVC_MAIL: {
    type: z.enum(['none']),
    defaultNote: 'mails are sent',
    description:
      '`none` starts production without a mail server: [notices that the law asks for](mail.md) are listed, to print and send',
  },
  SVC_ALLOW_PLAIN_SMTP: {
    type: flag,
    default: '0',
    description: 'accept `smtp://` in production, for example to a mail server on the same host',
  },
  SVC_MAIL_FROM: {
    type: z.string().regex(/^([^<>\r\n]* <)?[^<>@\s]+@[^<>@\s]+>?$/, {
      error: 'must be an address such as Svc <no-reply@svc.example>',
    }),
    default: defaultFrom,
    inProduction: ({ smtpUrl, mailFrom }) =>
      smtpUrl !== undefined &&
      mailFrom === defaultFrom &&
      'must be set in production to the sender address of your mails.',
    description:
      "the sender's address of mails; required in production with `SVC_SMTP_URL`. The sender's name is the lender's, with the portal's",
  },
  SVC_METRICS_PORT: {
    type: port,
    defaultNote: 'no metrics',
    description: 'serves [`/metrics`](monitoring.md) for Prometheus on a separate port',
  },
  SVC_METRICS_HOST: {
    type: z.string(),
    default: '127.0.0.1',
    description: 'the address that metrics are served on; another host needs `SVC_METRICS_TOKEN`',
  },
  SVC_METRICS_TOKEN: {
    type: z.string().regex(/^[\x21-\x7e]{16,200}$/, {
      error: 'must be 16 to 200 characters without spaces. Create one with "openssl rand -hex 32"',
    }),
    secret: 'text',
    rule: ({ metricsPort, metricsHost, metricsToken }) =>
      metricsPort !== undefined &&
      metricsToken === undefined &&
      !isLoopback(metricsHost) &&
      'must be set when SVC_METRICS_HOST is not a loopback address, because metrics would be public. Create one with "openssl rand -hex 32".',
    description:
      'scrapers send it as `Authorization: Bearer …`; required when `SVC_METRICS_HOST` is not a loopback address',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    type: httpUrl('http://localhost:4318'),
    defaultNote: 'no traces',
    description:
      'an OpenTelemetry collector that takes OTLP over HTTP: [traces](monitoring.md#traces) are sent there',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    type: headerList,
    secret: 'text',
    description: 'headers for the collector: `name=value,name=value`',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    type: z.coerce
      .number({ error: 'must be a number from 0 to 1' })
      .min(0, 'must be a number from 0 to 1')
      .max(1, 'must be a number from 0 to 1'),
    default: '1',
    description:
      "the share of requests that are traced; a caller's `traceparent` decides for its request",
  },
  SVC_LOG_LEVEL: {
    type: z.enum(['debug', 'info', 'warn', 'error', 'silent'], {
      error: 'must be debug, info, warn, error or silent',
    }),
    default: 'info',
    defaultNote: '`info` (`npm start`: `warn`)',
    description: '`debug`, `info`, `warn`, `error` or `silent`',
  },
} as const satisfies Record<string, Setting<Config>>;

type Values = ValuesOf<typeof settings>;

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** `host:port`. */
function isLoopbackPlace(place: string): boolean {
  return isLoopback(place.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''));
}

function isRole(name: string): name is Role {
  return (roles as readonly string[]).includes(name);
}

function parseHeaders(text: string): Record<string, string> | undefined {
  const pairs = text.split(',').map((pair) => /^\s*([\w-]+)=([^\p{Cc}]+)$/u.exec(pair));
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        const [, name = '', value = ''] = pair ?? [];
        if (name === '') throw new URIError('not a header');
        return [name, decodeURIComponent(value.trim())];
      }),
    );
  } catch {
    return undefined;
  }
}

function isWebhookSecret(text: string): boolean {
  const bytes = text.startsWith('whsec_') ? bytesOf(text.slice('whsec_'.length)).length : 0;
  return bytes >= 24 && bytes <= 64;
}

function weaknessOfWebhookSecret(text: string): string | undefined {
  return weaknessOf(bytesOf(text.slice('whsec_'.length)));
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'base64');
}

function isStripeWebhookSecret(text: string): boolean {
  return /^whsec_[A-Za-z0-9_+/=-]{6,200}$/.test(text);
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return (
    prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
  );
}
