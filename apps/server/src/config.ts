import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { environments, isExactOrigin, type SvcEnvironment } from '@svc/contract';
import type { DatabaseTarget } from '@svc/db';
import { type EgressProxy, parseEgressProxy } from '@svc/webhooks';
import { z } from 'zod';
import { type Creditor, sandboxCreditor } from './domain/partners/terms.ts';

export interface Config {
  readonly environment: SvcEnvironment;
  readonly port: number;
  readonly host: string;
  /** Undefined: `http://localhost:<port>`, whatever port was taken. */
  readonly publicOrigin: string | undefined;
  readonly database: DatabaseTarget;
  readonly dataDir: string;
  /** 32 bytes; undefined: made once in the data folder. */
  readonly secretKey: Buffer | undefined;
  readonly allowPrivateWebhooks: boolean;
  readonly creditor: Creditor;
  readonly egressIps: readonly string[];
  /** Webhooks go out through it; undefined: directly. */
  readonly egressProxy: EgressProxy | undefined;
  /** Addresses and networks whose X-Forwarded-For counts; nobody's when empty. */
  readonly trustedProxies: readonly string[];
  /** Where this machine reads metrics; undefined: nowhere. */
  readonly metricsPort: number | undefined;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Requests a second and API key. */
  readonly rateLimitPerSecond: number;
  /** Requests a minute and address where no key is needed; half as many wrong credentials. */
  readonly rateLimitPerMinute: number;
  /** Connections at the same time. */
  readonly maxConnections: number;
  /** How long the process answers requests after SIGTERM while /readyz says it is not ready. */
  readonly drainSeconds: number;
  readonly demoPort: number;
  /** A decision service of the operator; undefined: our own rules. */
  readonly underwriting: { readonly url: string; readonly secret: string } | undefined;
  /** Undefined: files in the data folder in the sandbox, no mail in production. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
}

/** What is wrong with the settings, one sentence a line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings; nothing else reads the environment.
 * @throws ConfigError
 */
export function readConfig(environment: Environment = process.env): Config {
  const given = Object.entries(environment).filter(([, value]) => value !== '');
  const parsed = settings.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    const lines = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}.`);
    throw new ConfigError(lines.join('\n'));
  }
  const values = parsed.data;
  const dataDir = resolve(values.SVC_DATA_DIR);
  const config: Config = {
    environment: values.SVC_ENVIRONMENT,
    port: values.PORT,
    host: values.SVC_HOST,
    publicOrigin: values.SVC_PUBLIC_ORIGIN,
    database: values.DATABASE_URL ? { url: values.DATABASE_URL } : { dataDir },
    dataDir,
    secretKey: values.SVC_SECRET_KEY,
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
  if (config.environment === 'production') checkProduction(config, values.SVC_ALLOW_EMBEDDED);
  return config;
}

function checkProduction(config: Config, embeddedAllowed: boolean): void {
  const wrong = [
    config.secretKey === undefined &&
      'SVC_SECRET_KEY must be set in production: 32 random bytes as base64, kept with your secrets.',
    'dataDir' in config.database &&
      !embeddedAllowed &&
      'DATABASE_URL must be set in production: the embedded database does not survive a power loss (SVC_ALLOW_EMBEDDED=1 accepts that).',
    !config.publicOrigin?.startsWith('https://') &&
      'SVC_PUBLIC_ORIGIN must be an https origin in production, such as https://svc.example.',
    config.allowPrivateWebhooks &&
      'SVC_ALLOW_PRIVATE_WEBHOOKS must not be set in production: webhooks could reach your own network.',
    config.underwriting?.url.startsWith('http:') &&
      'SVC_UNDERWRITING_URL must be https in production: it gets what tenants told you.',
    Object.keys(sandboxCreditor).some((key) => isSandboxWord(config.creditor, key)) &&
      'SVC_LENDER_NAME, SVC_LENDER_ADDRESS and SVC_SUPPORT_EMAIL must be set in production: every agreement, decline and mail names who lends, where a letter reaches them and who helps.',
    config.smtpUrl !== undefined &&
      config.mailFrom === defaultFrom &&
      'SVC_MAIL_FROM must be set in production: the address that your mails come from.',
  ].filter((line) => typeof line === 'string');
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'));
}

function underwritingOf(values: Settings): Config['underwriting'] {
  const { SVC_UNDERWRITING_URL: url, SVC_UNDERWRITING_SECRET: secret } = values;
  if (url !== undefined && secret !== undefined) return { url, secret };
  if (url === undefined && secret === undefined) return undefined;
  throw new ConfigError('SVC_UNDERWRITING_URL and SVC_UNDERWRITING_SECRET go together: set both.');
}

function isSandboxWord(creditor: Creditor, key: string): boolean {
  return creditor[key as keyof Creditor] === sandboxCreditor[key as keyof Creditor];
}

const defaultFrom = 'Svc <no-reply@svc.example>';

// Load balancers ask every few seconds, and take two or three answers for a change.
const defaultDrainSeconds = { sandbox: 0, production: 10 };

const port = z.coerce
  .number({ error: 'must be a port from 0 to 65535' })
  .int('must be a port from 0 to 65535')
  .min(0, 'must be a port from 0 to 65535')
  .max(65_535, 'must be a port from 0 to 65535');

const count = z.coerce
  .number({ error: 'must be a whole number from 1 on' })
  .int('must be a whole number from 1 on')
  .min(1, 'must be a whole number from 1 on');

const yes = z
  .enum(['0', '1', 'true', 'false'], { error: 'must be 1 or 0' })
  .default('0')
  .transform((value) => value === '1' || value === 'true');

const line = z
  .string()
  .regex(/^[^\p{Cc}]{1,200}$/u, { error: 'must be one line of at most 200 characters' });

const secretKey = z
  .string()
  .refine((text) => /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) && bytesOf(text).length === 32, {
    error: 'must be 32 bytes as base64: make one with "openssl rand -base64 32"',
  })
  .transform(bytesOf);

const list = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''));

const settings = z.object({
  SVC_ENVIRONMENT: z
    .enum(environments, { error: 'must be sandbox or production' })
    .default('sandbox'),
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
  SVC_SECRET_KEY: secretKey.optional(),
  SVC_ALLOW_PRIVATE_WEBHOOKS: yes,
  SVC_ALLOW_EMBEDDED: yes,
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
    error: 'must be addresses or networks such as 10.0.0.0/8, with commas between',
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
    .refine(isWebhookSecret, { error: 'must be "whsec_" and the base64 of 24 to 64 random bytes' })
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
    .number({ error: 'must be seconds from 0 to 600' })
    .min(0, 'must be seconds from 0 to 600')
    .max(600, 'must be seconds from 0 to 600')
    .optional(),
});

type Settings = z.infer<typeof settings>;

function isWebhookSecret(text: string): boolean {
  const bytes = text.startsWith('whsec_') ? bytesOf(text.slice('whsec_'.length)).length : 0;
  return bytes >= 24 && bytes <= 64;
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'base64');
}

function isNetwork(text: string): boolean {
  const [address = '', width, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return (
    width === undefined || (/^\d+$/.test(width) && Number(width) <= (version === 4 ? 32 : 128))
  );
}
