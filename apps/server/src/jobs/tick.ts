import { type Database, sql, type Tx } from '@svc/db';
import type { Clock } from '../clock.ts';
import type { Log, Service } from '../context.ts';
import { expireApplications } from '../domain/applications/expire-applications.ts';
import { auditKeptMs, forgetAudit } from '../domain/audit/forget.ts';
import { sealTransfers } from '../domain/ledger/seal.ts';
import { mailKeptMs } from '../domain/mail/record.ts';
import { depositDue } from '../domain/payments/deposit.ts';
import { type Repeating, repeat } from './repeat.ts';
import { runTenants } from './run-tenants.ts';
import { dueActions, eligibilityChecks, processorEvents } from './tenant-work.ts';

const everyMs = 60_000;
const batch = 1_000;

interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly service: Service;
  /** Something was published: wake the engine. */
  readonly committed: () => void;
}

/** Runs what is due: once at the start, then every minute. */
export function startTicking(deps: Deps): Repeating {
  return repeat({ ...deps, everyMs, name: 'tick', turn: () => tick(deps) });
}

/** Everything due now, in bounded transactions. */
export async function tick({ db, clock, log, service, committed }: Deps): Promise<void> {
  const now = clock.now();
  const expired = await inBatches(db, (tx, limit) =>
    expireApplications({ tx, now, service }, { limit }),
  );
  const due = { db, log, now, service };
  const dueTenants = await runTenants(due, dueActions);
  const told = await runTenants(due, processorEvents);
  const turned = await runTenants(due, eligibilityChecks);
  if (expired + dueTenants + told + turned > 0) committed();
  const deposited = await inBatches(db, (tx, limit) => depositDue({ tx, now, service }, { limit }));
  // No payment waits for the chain.
  const sealed = await inBatches(db, (tx, limit) => sealTransfers({ tx, now }, { limit }));
  const forgotten = await forget(db, now);
  const auditForgotten = await forgetOldAudit(db, now);
  log.info(
    {
      applications_expired: expired,
      tenants_due: dueTenants,
      tenants_told: told,
      tenants_turned: turned,
      payments_deposited: deposited,
      transfers_sealed: sealed,
      credentials_forgotten: forgotten,
      audit_entries_forgotten: auditForgotten,
    },
    'tick',
  );
}

/** Each in a transaction of its own, until one finds fewer than it may take. Answers how many. */
async function inBatches(
  db: Database,
  work: (tx: Tx, limit: number) => Promise<number>,
): Promise<number> {
  for (let total = 0; ; ) {
    const done = await db.transaction((tx) => work(tx, batch));
    total += done;
    if (done < batch) return total;
  }
}

/** Credentials and stored answers past their time; what a plan rests on stays. */
async function forget(db: Database, now: Date): Promise<number> {
  const dayAgo = new Date(now.getTime() - 86_400_000);
  const sessions = await db.run(sql`
    delete from experience_session where expires_at < ${dayAgo}`);
  const tokens = await db.run(sql`
    delete from tenant_token t where expires_at < ${dayAgo}
      and not exists (select from experience_session s where s.token_sha256 = t.secret_sha256)`);
  const links = await db.run(sql`delete from portal_link where expires_at < ${dayAgo}`);
  const answers = await db.run(sql`delete from idempotency_key where created_at < ${dayAgo}`);
  const mailsSince = new Date(now.getTime() - mailKeptMs);
  const mails = await db.run(sql`
    delete from mail where created_at < ${mailsSince} and due_at is null`);
  return sessions + tokens + links + answers + mails;
}

/** Audit entries past their age, then the portal sessions that only they still named. */
async function forgetOldAudit(db: Database, now: Date): Promise<number> {
  const forgotten = await inBatches(db, (tx, limit) => forgetAudit({ tx, now }, { limit }));
  const keptSince = new Date(now.getTime() - auditKeptMs);
  await db.run(sql`delete from portal_session where expires_at < ${keptSince}`);
  return forgotten;
}
