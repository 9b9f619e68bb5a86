import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { environments, isExactOrigin, type SvcEnvironment } from '@svc/contract';
import type { DatabaseTarget } from '@svc/db';
import { type EgressProxy, parseEgressProxy } from '@svc/webhooks';
import { z } from 'zod';
import { type Creditor, sandboxCreditor } from './domain/partners/terms.ts';
import { parseSecretKeys, type SecretKeys } from './vault.ts';

/** `api` answers requests; `worker` sends webhooks and runs the background work. */
const roles = ['api', 'worker'] as const;
export type Role = (typeof roles)[number];

export interface Config {
  readonly environment: SvcEnvironment;
  /** What this process does. At least one. */
  readonly roles: readonly Role[];
  readonly port: number;
  readonly host: string;
  /** Undefined means `http://localhost:<port>` with the port that is listened on. */
  readonly publicOrigin: string | undefined;
  readonly database: DatabaseTarget;
  readonly dataDir: string;
  /** Whether a process applies missing migrations when it starts. */
  readonly migrateOnStart: boolean;
  /** 32 bytes each; the first one seals, all open. Undefined means a key file in the data folder, which is created once. */
  readonly secretKeys: SecretKeys | undefined;
  readonly allowPrivateWebhooks: boolean;
  readonly creditor: Creditor;
  readonly egressIps: readonly string[];
  /** The proxy for webhooks. Undefined means that they are sent directly. */
  readonly egressProxy: EgressProxy | undefined;
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** Local port that serves metrics. Undefined means none. */
  readonly metricsPort: number | undefined;
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
  /** The operator's decision service. Undefined means our own rules. */
  readonly underwriting: { readonly url: string; readonly secret: string } | undefined;
  /** Undefined means files in the data folder in the sandbox, and no mail in production. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
}

/** Invalid settings. The message has one line for each problem and is shown to the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings from the environment. Nothing else reads the environment.
 * @throws ConfigError with every invalid setting
 */
export function readConfig(environment: Environment = process.env): Config {
  const nonEmpty = Object.entries(environment).filter(([, value]) => value !== '');
  const parsed = settings.safeParse(Object.fromEntries(nonEmpty));
  if (!parsed.success) {
    const lines = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}.`);
    throw new ConfigError(lines.join('\n'));
  }
  const values = parsed.data;
  const dataDir = resolve(values.SVC_DATA_DIR);
  const config: Config = {
    environment: values.SVC_ENVIRONMENT,
    roles: values.SVC_ROLES,
    port: values.PORT,
    host: values.SVC_HOST,
    publicOrigin: values.SVC_PUBLIC_ORIGIN,
    database: values.DATABASE_URL ? { url: values.DATABASE_URL } : { dataDir },
    dataDir,
    migrateOnStart: values.SVC_MIGRATE_ON_START ?? values.SVC_ENVIRONMENT === 'sandbox',
    secretKeys: values.SVC_SECRET_KEY,
    allowPrivateWebhooks: values.SVC_ALLOW_PRIVATE_WEBHOOKS,
    creditor: {
      name: values.SVC_LENDER_NAME ?? sandboxCreditor.name,
      address: values.SVC_LENDER_ADDRESS ?? sandboxCreditor.address,
      supportEmail: values.SVC_SUPPORT_EMAIL ?? sandboxCreditor.supportEmail,
    },
    egressIps: values.SVC_EGRESS_IPS,
    egressProxy: values.SVC_EGRESS_PROXY,
    trustedProxies: values.SVC_TRUSTED_PROXIES,
    metricsPort: values.SVC_METRICS_PORT,
    logLevel: values.SVC_LOG_LEVEL,
    rateLimitPerSecond: values.SVC_RATE_LIMIT_PER_SECOND,
    rateLimitPerMinute: values.SVC_RATE_LIMIT_PER_MINUTE,
    maxConnections: values.SVC_MAX_CONNECTIONS,
    drainSeconds: values.SVC_DRAIN_SECONDS ?? defaultDrainSeconds[values.SVC_ENVIRONMENT],
    demoPort: values.DEMO_PORT,
    underwriting: underwritingOf(values),
    smtpUrl: values.SVC_SMTP_URL,
    mailFrom: values.SVC_MAIL_FROM,
  };
  checkRoles(config);
  if (config.environment === 'production') checkProduction(config, values.SVC_ALLOW_EMBEDDED);
  return config;
}

function checkRoles({ roles: chosen, database, publicOrigin }: Config): void {
  if (chosen.length === roles.length) return;
  if ('dataDir' in database) {
    throw new ConfigError(
      'SVC_ROLES needs DATABASE_URL, because the embedded database belongs to one process. Set DATABASE_URL, or remove SVC_ROLES.',
    );
  }
  if (!chosen.includes('api') && publicOrigin === undefined) {
    throw new ConfigError(
      'SVC_PUBLIC_ORIGIN must be set with SVC_ROLES=worker, because the links in mails lead to the origin of the processes with the role api.',
    );
  }
}

function checkProduction(config: Config, embeddedAllowed: boolean): void {
  const problems = [
    config.secretKeys === undefined &&
      'SVC_SECRET_KEY must be set in production. Create 32 random bytes with "openssl rand -base64 32" and keep them with your secrets.',
    'dataDir' in config.database &&
      !embeddedAllowed &&
      'DATABASE_URL must be set in production, because the embedded database can lose data in a power failure. Set SVC_ALLOW_EMBEDDED=1 to accept that.',
    !config.publicOrigin?.startsWith('https://') &&
      'SVC_PUBLIC_ORIGIN must be an https origin in production, such as https://svc.example.',
    config.allowPrivateWebhooks &&
      'SVC_ALLOW_PRIVATE_WEBHOOKS must not be set in production, because webhooks could then reach your own network.',
    config.underwriting?.url.startsWith('http:') &&
      'SVC_UNDERWRITING_URL must be https in production, because it receives personal data of tenants.',
    Object.keys(sandboxCreditor).some((key) => isSandboxValue(config.creditor, key)) &&
      "SVC_LENDER_NAME, SVC_LENDER_ADDRESS and SVC_SUPPORT_EMAIL must be set in production. Every agreement, decline notice and mail contains the lender's name, postal address and support address.",
    config.smtpUrl !== undefined &&
      config.mailFrom === defaultFrom &&
      'SVC_MAIL_FROM must be set in production to the sender address of your mails.',
  ].filter((line) => typeof line === 'string');
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
}

function underwritingOf(values: Settings): Config['underwriting'] {
  const { SVC_UNDERWRITING_URL: url, SVC_UNDERWRITING_SECRET: secret } = values;
  if (url !== undefined && secret !== undefined) return { url, secret };
  if (url === undefined && secret === undefined) return undefined;
  throw new ConfigError(
    'SVC_UNDERWRITING_URL and SVC_UNDERWRITING_SECRET belong together: set both or neither.',
  );
}

function isSandboxValue(creditor: Creditor, key: string): boolean {
  return creditor[key as keyof Creditor] === sandboxCreditor[key as keyof Creditor];
}

const defaultFrom = 'Svc <no-reply@svc.example>';

// Load balancers probe every few seconds and need two or three answers to remove a process.
const defaultDrainSeconds = { sandbox: 0, production: 10 };

const port = z.coerce
  .number({ error: 'must be a port from 0 to 65535' })
  .int('must be a port from 0 to 65535')
  .min(0, 'must be a port from 0 to 65535')
  .max(65_535, 'must be a port from 0 to 65535');

const count = z.coerce
  .number({ error: 'must be a whole number of at least 1' })
  .int('must be a whole number of at least 1')
  .min(1, 'must be a whole number of at least 1');

const optionalFlag = z
  .enum(['0', '1', 'true', 'false'], { error: 'must be 1 or 0' })
  .transform((value) => value === '1' || value === 'true')
  .optional();

const flag = optionalFlag.default(false);

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

const list = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''));

const settings = z.object({
  SVC_ENVIRONMENT: z
    .enum(environments, { error: 'must be sandbox or production' })
    .default('sandbox'),
  SVC_ROLES: list
    .default([...roles])
    .refine((names) => names.length > 0 && names.every((name) => isRole(name)), {
      error: 'must be api, worker, or both, separated by a comma',
    })
    .transform((names) => roles.filter((role) => names.includes(role))),
  PORT: port.default(4000),
  DEMO_PORT: port.default(4100),
  SVC_HOST: z.string().default('localhost'),
  SVC_PUBLIC_ORIGIN: z
    .string()
    .refine(isExactOrigin, {
      error: 'must be an origin such as https://svc.example, without a path',
    })
    .optional(),
  DATABASE_URL: z
    .string()
    .refine((url) => /^postgres(ql)?:\/\//.test(url) && URL.canParse(url), {
      error: 'must be a URL such as postgres://user:password@host:5432/name',
    })
    .optional(),
  SVC_DATA_DIR: z.string().default('.svc'),
  SVC_MIGRATE_ON_START: optionalFlag,
  SVC_SECRET_KEY: secretKeys.optional(),
  SVC_ALLOW_PRIVATE_WEBHOOKS: flag,
  SVC_ALLOW_EMBEDDED: flag,
  SVC_LENDER_NAME: line.optional(),
  SVC_LENDER_ADDRESS: line.optional(),
  SVC_SUPPORT_EMAIL: z
    .string()
    .regex(/^[^<>@\s]+@[^<>@\s]+$/, { error: 'must be an address such as help@svc.example' })
    .optional(),
  SVC_EGRESS_IPS: list,
  SVC_EGRESS_PROXY: z
    .string()
    .transform(parseEgressProxy)
    .refine((proxy) => proxy !== undefined, {
      error: 'must be a URL such as http://user:password@proxy.example:3128, without a path',
    })
    .optional(),
  SVC_TRUSTED_PROXIES: list.refine((addresses) => addresses.every(isNetwork), {
    error: 'must be addresses or networks such as 10.0.0.0/8, separated by commas',
  }),
  SVC_METRICS_PORT: port.optional(),
  SVC_LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], {
      error: 'must be debug, info, warn, error or silent',
    })
    .default('info'),
  SVC_UNDERWRITING_URL: z
    .string()
    .refine((url) => /^https?:\/\//.test(url) && URL.canParse(url), {
      error: 'must be a URL such as https://decisions.example/underwriting',
    })
    .optional(),
  SVC_UNDERWRITING_SECRET: z
    .string()
    .refine(isWebhookSecret, {
      error: 'must be "whsec_" followed by 24 to 64 random bytes as base64',
    })
    .optional(),
  SVC_SMTP_URL: z
    .string()
    .refine((url) => /^smtps?:\/\//.test(url) && URL.canParse(url), {
      error: 'must be a URL such as smtp://user:password@mail.example:587',
    })
    .optional(),
  SVC_MAIL_FROM: z
    .string()
    .regex(/^([^<>\r\n]* <)?[^<>@\s]+@[^<>@\s]+>?$/, {
      error: 'must be an address such as Svc <no-reply@svc.example>',
    })
    .default(defaultFrom),
  SVC_RATE_LIMIT_PER_SECOND: count.default(200),
  SVC_RATE_LIMIT_PER_MINUTE: count.default(120),
  SVC_MAX_CONNECTIONS: count.default(5_000),
  SVC_DRAIN_SECONDS: z.coerce
    .number({ error: 'must be a number of seconds from 0 to 600' })
    .min(0, 'must be a number of seconds from 0 to 600')
    .max(600, 'must be a number of seconds from 0 to 600')
    .optional(),
});

type Settings = z.infer<typeof settings>;

function isRole(name: string): name is Role {
  return (roles as readonly string[]).includes(name);
}

function isWebhookSecret(text: string): boolean {
  const bytes = text.startsWith('whsec_') ? bytesOf(text.slice('whsec_'.length)).length : 0;
  return bytes >= 24 && bytes <= 64;
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'base64');
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return (
    prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
  );
}
