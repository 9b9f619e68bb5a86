import { type Queryable, recordset, row, sql, text } from '@svc/db';
import type { MailType } from '../../words/mail-types.ts';
import type { LinkAddress } from '../access/mail-links.ts';
import { partnerOfRows } from '../partner-of-rows.ts';
import { noticeTypes } from './notices.ts';

/** For how many milliseconds a mail is kept, in the database and as a file. */
export const mailKeptMs = 30 * 86_400_000;

// Minutes from each attempt to the next. After the last attempt, a mail is abandoned, because its content is
// out of date; a notice that the law asks for is tried every six hours until it has been sent.
const retryMinutes = [1, 5, 30, 120, 360];
const noticeMinutes = 360;
/** The number of failed attempts after which a mail counts as given up. */
export const mostMailAttempts = retryMinutes.length + 1;

interface MailKey {
  readonly partnerId: string;
  readonly id: string;
}

interface MailOfTenant extends MailKey {
  readonly tenantId: string;
}

interface Bounced extends MailOfTenant {
  /** Without an HMAC, the address cannot be marked. */
  readonly addressedTo: Pick<LinkAddress, 'hmac'>;
}

/**
 * Records that the mail server accepted the mail, and deletes our copy of its link. The address no longer
 * counts as one that bounces.
 */
export async function recordSent(
  q: Queryable,
  { partnerId, tenantId, id }: MailOfTenant,
  now: Date,
): Promise<void> {
  await q.run(sql`
    with accepted as (
      delete from bounced_address where partner_id = ${partnerId} and tenant_id = ${tenantId}
    )
    update mail set sent_at = ${now}, due_at = null, link_sealed = null, failure = null
    where partner_id = ${partnerId} and id = ${id}`);
}

/**
 * Records that the address takes no mail. The mail is not sent again, and the address is marked until a
 * later mail to it is accepted or the portal reports another one.
 */
export async function recordBounce(
  q: Queryable,
  { partnerId, tenantId, id, addressedTo }: Bounced,
  { now, reason }: { readonly now: Date; readonly reason: string },
): Promise<void> {
  const why = reason.slice(0, 300);
  await q.run(sql`
    with marked as (
      insert into bounced_address as b (partner_id, tenant_id, email_hmac, reason, bounced_at)
      select ${partnerId}, ${tenantId}, ${addressedTo.hmac}::bytea, ${why}, ${now}::timestamptz
      where ${addressedTo.hmac}::bytea is not null
      -- Keeps the time of an address's first bounce, which the warning to the portal shows.
      on conflict (partner_id, tenant_id) do update set email_hmac = excluded.email_hmac,
        reason = excluded.reason,
        bounced_at = case when b.email_hmac = excluded.email_hmac then b.bounced_at
          else excluded.bounced_at end
    )
    update mail set due_at = null, link_sealed = null, failure = ${why}, bounced_at = ${now}
    where partner_id = ${partnerId} and id = ${id}`);
}

/** Records a failed attempt and when the next one is due, or abandons the mail. */
export async function recordFailure(
  q: Queryable,
  {
    partnerId,
    id,
    type,
    attempts,
  }: MailKey & { readonly type: MailType; readonly attempts: number },
  { now, failure }: { readonly now: Date; readonly failure: string },
): Promise<void> {
  const later = noticeTypes.includes(type) ? noticeMinutes : undefined;
  const waitMinutes = retryMinutes[attempts - 1] ?? later;
  const dueAt = waitMinutes === undefined ? null : new Date(now.getTime() + waitMinutes * 60_000);
  await q.run(sql`
    update mail set due_at = ${dueAt}, failure = ${failure.slice(0, 300)},
      link_sealed = case when ${dueAt}::timestamptz is null then null else link_sealed end
    where partner_id = ${partnerId} and id = ${id}`);
}

/** Records that the mail is not sent at all, such as one to a simulated tenant. */
export async function recordWithheld(
  q: Queryable,
  { partnerId, id }: MailKey,
  failure: string,
): Promise<void> {
  await q.run(sql`
    update mail set due_at = null, link_sealed = null, failure = ${failure}
    where partner_id = ${partnerId} and id = ${id}`);
}

/** The stored failure of a mail that was withheld because production has no mail server. */
const noServer = 'no mail server is set';

/** Records that the mail waits for a mail server; see `requeueWithheld`. */
export async function recordNoServer(q: Queryable, mail: MailKey): Promise<void> {
  await recordWithheld(q, mail, noServer);
}

// A reminder or receipt is out of date after this many milliseconds.
const requeuedMs = 3 * 86_400_000;

/**
 * Queues the mails that were withheld because there was no mail server: notices of any age, and other
 * mails of the last three days. Returns how many.
 */
export async function requeueWithheld(q: Queryable, now: Date): Promise<number> {
  return q.run(sql`
    /* many rows: all mails that wait for a mail server, when there is one */
    /* all partners */
    update mail set due_at = ${now}, attempts = 0, failure = null
    where due_at is null and sent_at is null and failure = ${noServer}
      and (type = any(${noticeTypes}::text[])
        or created_at > ${new Date(now.getTime() - requeuedMs)}::timestamptz)`);
}

const mailKeyRow = row('mail key', { partnerId: text, id: text });

/** Undoes the claim of mails that were not attempted: they are due now, and the attempt does not count. */
export async function releaseMails(
  q: Queryable,
  mails: readonly MailKey[],
  now: Date,
): Promise<void> {
  const keys = mails.map(({ partnerId, id }) => ({ partnerId, id }));
  await q.run(sql`
    update mail m set due_at = ${now}, attempts = m.attempts - 1
    from ${recordset(mailKeyRow, keys, 'k')}
    where m.partner_id = ${partnerOfRows(keys, sql`k.partner_id`)} and m.id = k.id
      and m.due_at is not null`);
}
