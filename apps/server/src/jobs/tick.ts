import { type Database, sql } from '@svc/db';
import type { Clock } from '../clock.ts';
import type { Log, Service, UnitOfWork } from '../context.ts';
import { expireApplications } from '../domain/applications/expire-applications.ts';
import { auditKeptMs, deleteOldAudit } from '../domain/audit/delete-old.ts';
import { partnersToSeal, sealTransfers } from '../domain/ledger/seal.ts';
import { mailKeptMs } from '../domain/mail/record.ts';
import { depositDue } from '../domain/payments/deposit.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
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
}

/** Runs what is due: once at the start, then every minute. */
export function startTicking(deps: Deps): Repeating {
  return repeat({ ...deps, everyMs, name: 'tick', turn: () => tick(deps) });
}

/** Does everything that is due now, in transactions of bounded size. */
export async function tick({ db, clock, log, service }: Deps): Promise<void> {
  const now = clock.now();
  const deps = { db, log, now, service };
  const inBatches = (work: (uow: UnitOfWork, limit: number) => Promise<number>) =>
    runInBatches(deps, work);
  const expired = await inBatches((uow, limit) => expireApplications(uow, { limit }));
  const due = await runTenants(deps, dueActions);
  const reported = await runTenants(deps, processorEvents);
  const checked = await runTenants(deps, eligibilityChecks);
  const deposited = await inBatches((uow, limit) => depositDue(uow, { limit }));
  // After the payments, which must not wait until transfers are sealed.
  let sealed = 0;
  for (const partnerId of await partnersToSeal(db)) {
    sealed += await inBatches((uow, limit) => sealTransfers(uow, { partnerId, limit }));
  }
  const credentials = await deleteExpired(db, now);
  const auditEntries = await inBatches((uow, limit) => deleteOldAudit(uow, { limit }));
  // Audit entries name portal sessions, so sessions go after the entries.
  const keptSince = new Date(now.getTime() - auditKeptMs);
  await db.run(sql`/* all partners */ delete from portal_session where expires_at < ${keptSince}`);
  log.info(
    {
      applications_expired: expired,
      tenants_due: due,
      tenants_with_processor_events: reported,
      tenants_checked: checked,
      payments_deposited: deposited,
      transfers_sealed: sealed,
      credentials_deleted: credentials,
      audit_entries_deleted: auditEntries,
    },
    'tick',
  );
}

/** Runs `work` in one transaction after another until it finds fewer rows than its limit. */
async function runInBatches(
  deps: { readonly db: Database; readonly service: Service; readonly now: Date },
  work: (uow: UnitOfWork, limit: number) => Promise<number>,
): Promise<number> {
  for (let total = 0; ; ) {
    const done = await runUnitOfWork(deps, deps.now, (uow) => work(uow, batch));
    total += done;
    if (done < batch) return total;
  }
}

/** Deletes credentials, stored answers and sent mails past their age; keeps tokens that a session names. */
async function deleteExpired(db: Database, now: Date): Promise<number> {
  const dayAgo = new Date(now.getTime() - 86_400_000);
  const sessions = await db.run(sql`
    /* all partners */ delete from experience_session where expires_at < ${dayAgo}`);
  const tokens = await db.run(sql`
    /* all partners */ delete from tenant_token t where expires_at < ${dayAgo}
      and not exists (select from experience_session s where s.token_sha256 = t.secret_sha256)`);
  const links = await db.run(
    sql`/* all partners */ delete from portal_link where expires_at < ${dayAgo}`,
  );
  const answers = await db.run(
    sql`/* all partners */ delete from idempotency_key where created_at < ${dayAgo}`,
  );
  const mailsSince = new Date(now.getTime() - mailKeptMs);
  const mails = await db.run(sql`
    /* all partners */ delete from mail where created_at < ${mailsSince} and due_at is null`);
  return sessions + tokens + links + answers + mails;
}
