import { type Database, raw, type Sql, sql } from '@svc/db';
import { byKey, findClaimCondition } from '../cluster.ts';
import { coordinatorTables } from '../cluster-tables.ts';
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
 * Deletes up to `limit` rows of each kind that are past their age: credentials, stored answers, the
 * processor's events, ended visits to its page or a simulated bank, logged calls, ended mails and texts,
 * consents to texts that were not confirmed, ids of custom events and audit entries. Returns how many.
 */
export async function deleteExpired({ db, now, service }: Deps, limit: number): Promise<number> {
  const dayAgo = new Date(now.getTime() - dayMs);
  const eventsSince = new Date(now.getTime() - 90 * dayMs);
  // Somebody may ask for a few weeks why an account or card was refused, or who was signed in.
  const setupsSince = new Date(now.getTime() - 30 * dayMs);
  const mailsSince = new Date(now.getTime() - mailKeptMs);
  const requestsSince = new Date(now.getTime() - requestKeptMs);
  const messagesSince = new Date(now.getTime() - service.webhookRetentionMs);
  const expired: readonly Expired[] = [
    { table: 'experience_session', column: 'expires_at', before: dayAgo },
    // A token is kept while a session refers to it.
    {
      table: 'tenant_token',
      column: 'expires_at',
      before: dayAgo,
      and: sql`/* all partners */ not exists (
        select from experience_session s where s.token_sha256 = t.secret_sha256 ${byKey(db)})`,
    },
    { table: 'hosted_link', column: 'expires_at', before: dayAgo },
    { table: 'portal_link', column: 'expires_at', before: dayAgo },
    { table: 'operator_invite', column: 'expires_at', before: dayAgo },
    { table: 'operator_challenge', column: 'expires_at', before: dayAgo },
    { table: 'operator_attempt', column: 'since', before: dayAgo },
    { table: 'operator_visit', column: 'expires_at', before: dayAgo },
    // A person's newest session is kept, because it says when the person last signed in.
    {
      table: 'operator_session',
      column: 'expires_at',
      before: setupsSince,
      and: sql`exists (
        select from operator_session s where s.operator_id = t.operator_id and s.id > t.id)`,
    },
    { table: 'idempotency_key', column: 'created_at', before: dayAgo },
    {
      table: 'processor_inbox',
      column: 'received_at',
      before: eventsSince,
      and: sql`t.due_at is null`,
    },
    {
      table: 'payment_setup',
      column: 'created_at',
      before: setupsSince,
      and: sql`t.check_at is null`,
    },
    // A visit to a simulated bank is open for an hour. No index: only the sandbox has such rows.
    { table: 'simulator_setup', column: 'created_at', before: setupsSince },
    { table: 'request_log', column: 'occurred_at', before: requestsSince },
    // A notice that the law asks for stays until it was sent or printed.
    {
      table: 'mail',
      column: 'created_at',
      before: mailsSince,
      and: sql`t.due_at is null
        and (t.sent_at is not null or t.simulated or t.type <> all(${noticeTypes}::text[]))`,
    },
    // A consent that was confirmed is kept as its proof, until the tenant is erased.
    {
      table: 'text_consent',
      column: 'requested_at',
      before: setupsSince,
      and: sql`t.confirmed_at is null`,
    },
    { table: 'text_message', column: 'created_at', before: mailsSince, and: sql`t.due_at is null` },
    // Reads write no audit entries, and a page of a partner opens several such sessions an hour.
    {
      table: 'portal_session',
      column: 'expires_at',
      before: dayAgo,
      and: sql`t.view is not null and t.read_only`,
    },
    { table: 'text_inbound', column: 'received_at', before: setupsSince },
    { table: 'custom_event', column: 'created_at', before: messagesSince },
  ];
  let deleted = 0;
  for (const rows of expired) deleted += await deleteFrom(rows);
  const entries = await db.transaction((tx) => deleteOldAudit({ tx, now }, { limit }));
  // Audit entries refer to console sessions, so a session is deleted after the last of its entries.
  if (entries < limit) {
    const before = new Date(now.getTime() - auditKeptMs);
    deleted += await deleteFrom({ table: 'portal_session', column: 'expires_at', before });
  }
  return deleted + entries;

  async function deleteFrom({ table, column, before, and = sql`true` }: Expired): Promise<number> {
    const at = raw(`t.${column}`);
    const due = sql`from ${raw(table)} t where ${at} < ${before} and ${and}`;
    const among = coordinatorTables.includes(table)
      ? () => sql`true`
      : await findClaimCondition(db, { of: 't', due });
    if (!among) return 0;
    // In the order of the index, which PostgreSQL otherwise reads only if it expects few such rows.
    return db.run(sql`
      /* all partners */
      /* many rows: links live for a day, and simulated setups in the sandbox, so neither has an index */
      delete from ${raw(table)} t where ${among('t')} and t.ctid = any(array(
        select t.ctid ${due} and ${among('t')} order by ${at} limit ${limit} for update skip locked))`);
  }
}

/** The rows to delete of a table. */
interface Expired {
  readonly table: string;
  readonly column:
    | 'created_at'
    | 'expires_at'
    | 'occurred_at'
    | 'received_at'
    | 'requested_at'
    | 'since';
  readonly before: Date;
  readonly and?: Sql;
}
