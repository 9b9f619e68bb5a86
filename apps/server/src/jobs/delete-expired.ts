import { type Database, type Sql, sql } from '@svc/db';
import { auditKeptMs, deleteOldAudit } from '../domain/audit/delete-old.ts';
import { mailKeptMs } from '../domain/mail/record.ts';
import { requestKeptMs } from '../domain/requests/request-log.ts';

const dayMs = 86_400_000;

/**
 * Deletes up to `limit` rows of each kind that is past its age: credentials, stored answers, the
 * processor's events, ended visits to its page or a simulated bank, logged calls, ended mails, ids of
 * custom events and audit entries.
 * Returns how many.
 */
export async function deleteExpired(
  db: Database,
  now: Date,
  limit: number,
  webhookRetentionMs: number,
): Promise<number> {
  const dayAgo = new Date(now.getTime() - dayMs);
  const eventsSince = new Date(now.getTime() - 90 * dayMs);
  // Support may ask for a few weeks why an account or card was refused.
  const setupsSince = new Date(now.getTime() - 30 * dayMs);
  const mailsSince = new Date(now.getTime() - mailKeptMs);
  const requestsSince = new Date(now.getTime() - requestKeptMs);
  const messagesSince = new Date(now.getTime() - webhookRetentionMs);
  const statements = [
    sql`
    /* all partners */
    delete from experience_session where ctid = any(array(
      select ctid from experience_session where expires_at < ${dayAgo}
      limit ${limit} for update skip locked))`,
    // A token is kept as long as a session refers to it.
    sql`
    /* all partners */
    delete from tenant_token where ctid = any(array(
      select ctid from tenant_token t where expires_at < ${dayAgo}
        and not exists (select from experience_session s where s.token_sha256 = t.secret_sha256)
      limit ${limit} for update skip locked))`,
    sql`
    /* all partners */
    delete from portal_link where ctid = any(array(
      select ctid from portal_link where expires_at < ${dayAgo}
      limit ${limit} for update skip locked))`,
    sql`
    /* all partners */
    delete from idempotency_key where ctid = any(array(
      select ctid from idempotency_key where created_at < ${dayAgo}
      limit ${limit} for update skip locked))`,
    sql`
    /* all partners */
    delete from processor_inbox where ctid = any(array(
      select ctid from processor_inbox where received_at < ${eventsSince} and due_at is null
      limit ${limit} for update skip locked))`,
    sql`
    /* all partners */
    delete from payment_setup where ctid = any(array(
      select ctid from payment_setup where created_at < ${setupsSince} and check_at is null
      limit ${limit} for update skip locked))`,
    // A visit to a simulated bank is open for an hour. No index: only the sandbox has such rows.
    sql`
    /* all partners */
    delete from simulator_setup where ctid = any(array(
      select ctid from simulator_setup where created_at < ${setupsSince}
      limit ${limit} for update skip locked))`,
    sql`
    /* all partners */
    delete from request_log where ctid = any(array(
      select ctid from request_log where occurred_at < ${requestsSince}
      limit ${limit} for update skip locked))`,
    sql`
    /* all partners */
    delete from mail where ctid = any(array(
      select ctid from mail where created_at < ${mailsSince} and due_at is null
      limit ${limit} for update skip locked))`,
    sql`
    /* all partners */
    delete from custom_event where ctid = any(array(
      select ctid from custom_event where created_at < ${messagesSince}
      limit ${limit} for update skip locked))`,
  ] satisfies Sql[];
  let deleted = 0;
  for (const statement of statements) deleted += await db.run(statement);
  const entries = await db.transaction((tx) => deleteOldAudit({ tx, now }, { limit }));
  // Audit entries refer to portal sessions, so a session is deleted after the last of its entries.
  if (entries < limit) {
    const keptSince = new Date(now.getTime() - auditKeptMs);
    deleted += await db.run(sql`
      /* all partners */
      delete from portal_session where ctid = any(array(
        select ctid from portal_session where expires_at < ${keptSince}
        limit ${limit} for update skip locked))`);
  }
  return deleted + entries;
}
