import { type Database, raw, type Sql, sql } from '@svc/db';
import { claimable } from '../cluster.ts';
import { onCoordinator } from '../cluster-tables.ts';
import type { Service } from '../context.ts';
import { auditKeptMs, deleteOldAudit } from '../domain/audit/delete-old.ts';
import { noticeTypes } from '../domain/mail/notices.ts';
import { mailKeptMs } from '../domain/mail/record.ts';
import { requestKeptMs } from '../domain/requests/request-log.ts';

const dayMs = 86_400_000;

interface Deps {
  readonly db: Database;
  readonly now: Date;
  readonly service: Pick<Service, 'webhookRetentionMs'>;
}

/**
 * Deletes up to `limit` rows of each kind that is past its age: credentials, stored answers, the
 * processor's events, ended visits to its page or a simulated bank, logged calls, ended mails, ids of
 * custom events and audit entries.
 * Returns how many.
 */
export async function deleteExpired({ db, now, service }: Deps, limit: number): Promise<number> {
  const dayAgo = new Date(now.getTime() - dayMs);
  const eventsSince = new Date(now.getTime() - 90 * dayMs);
  // Support may ask for a few weeks why an account or card was refused.
  const setupsSince = new Date(now.getTime() - 30 * dayMs);
  const mailsSince = new Date(now.getTime() - mailKeptMs);
  const requestsSince = new Date(now.getTime() - requestKeptMs);
  const messagesSince = new Date(now.getTime() - service.webhookRetentionMs);
  const expired: readonly (readonly [table: string, condition: Sql])[] = [
    ['experience_session', sql`t.expires_at < ${dayAgo}`],
    // A token is kept as long as a session refers to it.
    [
      'tenant_token',
      sql`/* all partners */ t.expires_at < ${dayAgo}
        and not exists (select from experience_session s where s.token_sha256 = t.secret_sha256)`,
    ],
    ['portal_link', sql`t.expires_at < ${dayAgo}`],
    ['idempotency_key', sql`t.created_at < ${dayAgo}`],
    ['processor_inbox', sql`t.received_at < ${eventsSince} and t.due_at is null`],
    ['payment_setup', sql`t.created_at < ${setupsSince} and t.check_at is null`],
    // A visit to a simulated bank is open for an hour. No index: only the sandbox has such rows.
    ['simulator_setup', sql`t.created_at < ${setupsSince}`],
    ['request_log', sql`t.occurred_at < ${requestsSince}`],
    // A notice that the law asks for stays until it was sent or printed.
    [
      'mail',
      sql`t.created_at < ${mailsSince} and t.due_at is null
        and (t.sent_at is not null or t.simulated or t.type <> all(${noticeTypes}::text[]))`,
    ],
    ['custom_event', sql`t.created_at < ${messagesSince}`],
  ];
  let deleted = 0;
  for (const [table, condition] of expired) deleted += await deleteFrom(table, condition);
  const entries = await db.transaction((tx) => deleteOldAudit({ tx, now }, { limit }));
  // Audit entries refer to console sessions, so a session is deleted after the last of its entries.
  if (entries < limit) {
    const keptSince = new Date(now.getTime() - auditKeptMs);
    deleted += await deleteFrom('portal_session', sql`t.expires_at < ${keptSince}`);
  }
  return deleted + entries;

  async function deleteFrom(name: string, condition: Sql): Promise<number> {
    const due = sql`from ${raw(name)} t where ${condition}`;
    const among = onCoordinator.includes(name) ? sql`true` : await claimable(db, { of: 't', due });
    if (!among) return 0;
    return db.run(sql`
      /* all partners */
      delete from ${raw(name)} t where ${among} and t.ctid = any(array(
        select t.ctid ${due} and ${among} limit ${limit} for update skip locked))`);
  }
}
