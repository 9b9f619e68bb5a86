import { instant, integer, nullable, oneOf, type Queryable, row, sql, text } from '@svc/db';
import { byKey } from '../../cluster.ts';
import type { MailType } from '../../words/mail-types.ts';
import { type Listed, listNewest, mostListed } from '../listed.ts';
import { declineNoticeDays, noticeRules, noticeTypes } from './notices.ts';
import { mostMailAttempts } from './record.ts';

/** A notice that the law asks for and that cannot be mailed, so it has to be printed and sent. */
export interface NoticeToPrint {
  readonly mail_id: string;
  readonly pms: string;
  readonly external_id: string;
  readonly type: MailType;
  readonly rule: string;
  readonly created_at: string;
  /** `YYYY-MM-DD`; null if the rule names no day and no payment is open. */
  readonly deadline: string | null;
  /** Why it was not mailed. */
  readonly failure: string | null;
}

const noticeRow = row('notice to print', {
  mail_id: text,
  pms: text,
  external_id: text,
  type: oneOf(...noticeTypes),
  created_at: instant,
  deadline: nullable(text),
  failure: nullable(text),
});

// Excludes a notice that waits for its first attempts, because it will probably be mailed.
const cannotBeMailed = sql`m.sent_at is null and m.type = any(${noticeTypes}::text[])
      and not m.simulated and (m.due_at is null or m.attempts >= ${mostMailAttempts})`;

// The law sets a deadline for the notice of a decline. It sets none for the copy of an authorization, which
// is therefore due before the next payment that it authorizes.
const deadline = sql`case m.type
        when 'application.declined' then (select (a.submitted_at + make_interval(days => ${declineNoticeDays}))::date
          from application a where a.partner_id = m.partner_id and a.id = m.data ->> 'application_id')
        else (select min(i.due_date) from installment i
          where i.partner_id = m.partner_id and i.plan_id = m.data ->> 'plan_id'
            and i.state not in ('paid', 'canceled'))
      end`;

/** Lists notices that cannot be mailed, those with the earliest deadline first, of these partners or of all. */
export async function listNoticesToPrint(
  q: Queryable,
  {
    pms,
    partnerIds = null,
  }: { readonly pms?: string; readonly partnerIds?: readonly string[] | null },
): Promise<Listed<NoticeToPrint>> {
  const rows = await q.many(
    noticeRow,
    sql`
    /* all partners, unless the operator names one */
    /* many rows: all notices that wait for paper */
    select m.id as mail_id, p.pms, t.external_id, m.type, m.created_at,
      to_char(${deadline}, 'YYYY-MM-DD') as deadline, m.failure
    from mail m join partner p on p.id = m.partner_id
      cross join lateral (select t.external_id from tenant t
        where t.partner_id = m.partner_id and t.id = m.tenant_id ${byKey(q)}) t
    where ${cannotBeMailed} and (${pms ?? null}::text is null or p.pms = ${pms ?? null})
      and (${partnerIds}::text[] is null or m.partner_id = any(${partnerIds}::text[]))
    order by deadline nulls last, m.id limit ${mostListed + 1}`,
  );
  return listNewest(
    rows.map(({ created_at, ...notice }) => ({
      ...notice,
      rule: noticeRules[notice.type] ?? '',
      created_at: created_at.toISOString(),
    })),
  );
}

const countRow = row('notices to print', { unsent: integer, late: integer });

// The days that it takes to print and post a letter.
const lateDays = 7;
// The copy of an agreement with weekly payments is due within a week from the start. A ticket is enough for its
// first two days, so it pages no one.
const newDays = 2;

/** Counts the notices to print, and those of them that have at most seven days left and are not new. */
export function countNoticesToPrint(
  q: Queryable,
  now: Date,
): Promise<{ unsent: number; late: number }> {
  const lateFrom = new Date(now.getTime() + lateDays * 86_400_000);
  const newFrom = new Date(now.getTime() - newDays * 86_400_000);
  return q.one(
    countRow,
    sql`
    /* many rows: a list for the operator */
    /* all partners */
    select count(*)::integer as unsent,
      count(*) filter (where deadline <= ${lateFrom}::timestamptz
        and created_at <= ${newFrom}::timestamptz)::integer as late
    from (select m.created_at, ${deadline} as deadline from mail m where ${cannotBeMailed}) n`,
  );
}
