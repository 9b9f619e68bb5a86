import {
  type Database,
  openDatabase,
  ownsTable,
  readSchemaState,
  row,
  sql,
  startDatabaseClock,
  text,
} from '@svc/db';
import type { Clock, Log } from '@svc/runtime';
import { privacyRemark } from '../creditor.ts';
import { lendingRemark } from '../domain/lending/lending-remark.ts';
import { providerReturnPath } from '../domain/operators/identity-provider.ts';
import { migrationFiles, version } from '../migrations.ts';
import { checkOrigin } from '../outside/check-origin.ts';
import { verifySmtp } from '../outside/mailer.ts';
import { createOidcProvider } from '../outside/oidc-provider.ts';
import { chosenProcessor, noProcessor } from '../processors/open-processor.ts';
import { describeAllowedNetworks } from '../relay/delivery-settings.ts';
import { checkSecretKey } from '../secret-key.ts';
import type { Config } from '../service-settings.ts';
import { describeDatabase } from './open-for-command.ts';

/** The finding of `svc-admin check` about one thing that the settings name. */
export interface Check {
  readonly name: string;
  readonly result: 'ok' | 'warning' | 'failed';
  /** One sentence: what was tried, or what is wrong and what to do. */
  readonly message: string;
}

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
  /** A sentence for each variable that is probably a misspelled setting. */
  readonly unknown: readonly string[];
}

/** Checks the settings against the systems that they name. It changes nothing, and the service may be running. */
export async function checkSettings(config: Config, deps: Deps): Promise<Check[]> {
  return [
    ok('settings', `valid for ${config.environment}`),
    ...deps.unknown.map((message) => warning('settings', message)),
    ...(await checkDatabase(config, deps)),
    ...(await checkRequirements(config)),
    checkPrivacy(config),
    checkWebhookNetworks(config),
    ...(await Promise.all([
      checkMail(config),
      checkProcessor(config),
      ...checkProvider(config, deps),
      attempt('origin', () =>
        checkOrigin(config.publicOrigin ?? `http://localhost:${config.port}`),
      ),
    ])),
  ];
}

const roleRow = row('role and version', { role: text, version: text });

async function checkDatabase(config: Config, { clock, log }: Deps): Promise<Check[]> {
  if ('dataDir' in config.database) {
    // One process at a time may open it, and that is the service.
    return [ok('database', `${describeDatabase(config)}, which the service opens itself`)];
  }
  const opened = await openDatabase(config.database, { log, pool: 2 }).catch(
    (error: Error) => error.message,
  );
  if (typeof opened === 'string') return [failed('database', opened)];
  const db = opened;
  try {
    const { role, version: server } = await db.one(
      roleRow,
      sql`select current_user as role, current_setting('server_version') as version`,
    );
    const { mismatch, applied } = await readSchemaState(db, migrationFiles, version);
    const checks = [
      ok('database', `PostgreSQL ${server} in ${describeDatabase(config)}`),
      await checkClock(db, clock),
    ];
    if (mismatch) return [...checks, failed('migrations', mismatch.message)];
    return [
      ...checks,
      ok('migrations', `all ${applied.length} of version ${version}`),
      (await ownsTable(db, 'audit_entry'))
        ? warning(
            'database role',
            `${role} owns the tables, so whoever has its password can change the audit log. Use a role of "svc-admin migrate grant".`,
          )
        : ok('database role', `${role} cannot change the audit log`),
      await attempt('secret key', () => checkSecretKey(db, config)),
      await checkLending(db, { environment: config.environment, now: clock.now() }),
      ...checkMilitary(config),
    ];
  } finally {
    await db.close();
  }
}

function checkPrivacy(config: Config): Check {
  const remark = privacyRemark(config);
  return remark === null
    ? ok('privacy notice', config.privacyUrl ?? 'the sandbox needs none')
    : warning('privacy notice', remark);
}

function checkWebhookNetworks({ allowPrivateWebhooks, webhookAllowedNetworks }: Config): Check {
  if (allowPrivateWebhooks) {
    return warning(
      'webhook networks',
      'SVC_ALLOW_PRIVATE_WEBHOOKS is set, so webhooks may reach this machine and its network.',
    );
  }
  const networks = describeAllowedNetworks(webhookAllowedNetworks);
  return networks === null
    ? ok('webhook networks', 'webhooks reach public addresses only')
    : warning('webhook networks', `${networks}. List receivers only.`);
}

async function checkLending(
  db: Database,
  { environment, now }: Pick<Config, 'environment'> & { readonly now: Date },
): Promise<Check> {
  const remark = await lendingRemark(db, { environment, now });
  return remark === null
    ? ok('lending rules', environment === 'sandbox' ? 'the sandbox offers all states' : 'set')
    : warning('lending rules', remark);
}

function checkMilitary({ underwriting, militaryPhone }: Config): Check[] {
  if (underwriting === undefined) return [];
  return [
    militaryPhone === undefined
      ? warning(
          'military lending',
          'SVC_MILITARY_PHONE is not set, so a tenant whom your decision service reports as covered by the Military Lending Act is offered no plan.',
        )
      : ok('military lending', `covered borrowers hear the disclosures at ${militaryPhone}`),
  ];
}

const mostSkewMs = 1_000;

async function checkClock(db: Database, clock: Clock): Promise<Check> {
  const log = { info() {}, warn() {}, error() {} };
  const measured = await startDatabaseClock({ db, clock, log });
  measured.stop();
  const seconds = (measured.skewMs() / 1_000).toFixed(1);
  return Math.abs(measured.skewMs()) < mostSkewMs
    ? ok('clock', `${seconds} s from the database's`)
    : warning('clock', `${seconds} s from the database's. Synchronize both by NTP.`);
}

async function checkMail({ smtpUrl, environment, dataDir }: Config): Promise<Check> {
  if (smtpUrl !== undefined) {
    const { host } = new URL(smtpUrl);
    return attempt('mail', async () => {
      await verifySmtp(smtpUrl).catch((error: Error) => {
        throw new Error(`${host} cannot be used: ${error.message}. Check SVC_SMTP_URL.`);
      });
      return `${host} accepts a connection and the password`;
    });
  }
  return environment === 'sandbox'
    ? ok('mail', `mails are files in ${dataDir}/mail`)
    : warning('mail', 'no mail is sent: print the notices of "svc-admin mail list --to-print"');
}

/** Checks what the processor needs on this machine, such as a folder. Only workers use it. */
async function checkRequirements(config: Config): Promise<Check[]> {
  if (!config.roles.includes('worker')) return [];
  const required = chosenProcessor(config)?.requirements?.(config.processorSettings) ?? [];
  return Promise.all(required.map(({ name, check }) => attempt(name, check)));
}

function checkProcessor(config: Config): Promise<Check> {
  return attempt('processor', async () => {
    const chosen = chosenProcessor(config);
    if (!chosen) throw new Error(noProcessor);
    return chosen.check(config.processorSettings);
  });
}

/**
 * Checks that the identity provider answers, and names the redirect URI that its client must allow. A wrong client
 * secret shows only at the first sign-in.
 */
function checkProvider({ oidc, operatorOrigin }: Config, { clock }: Deps): Promise<Check>[] {
  if (oidc === undefined) return [];
  const check = attempt('operator sign-in', async () => {
    const found = await createOidcProvider(clock, oidc).discover();
    if ('failure' in found) {
      throw new Error(
        `${oidc.issuer} cannot be used (${found.reason}). Its configuration must be at ${wellKnownOf(oidc.issuer)}, with the same issuer. Check SVC_OPERATOR_OIDC_ISSUER.`,
      );
    }
    const back = `${operatorOrigin ?? 'the origin of the sandbox'}${providerReturnPath}`;
    return `people sign in at ${found.answer.authorizeUrl}; the client must allow ${back} as redirect URI`;
  });
  return [check];
}

function wellKnownOf(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

async function attempt(name: string, work: () => Promise<string>): Promise<Check> {
  try {
    return ok(name, await work());
  } catch (error) {
    return failed(name, (error as Error).message);
  }
}

function ok(name: string, message: string): Check {
  return { name, result: 'ok', message };
}

function warning(name: string, message: string): Check {
  return { name, result: 'warning', message };
}

function failed(name: string, message: string): Check {
  return { name, result: 'failed', message };
}
