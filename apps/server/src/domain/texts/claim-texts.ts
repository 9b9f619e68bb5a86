import { defaultLocale, installmentStates, type Locale, localeOf, planStates } from '@svc/contract';
import {
  bigint,
  boolean,
  bytes,
  date,
  integer,
  json,
  nullable,
  oneOf,
  type RowOf,
  row,
  sql,
  text,
} from '@svc/db';
import { findClaimCondition } from '../../cluster.ts';
import type { Ctx } from '../../context.ts';
import { textTypes } from '../../words/text-types.ts';
import { mailData } from '../events/queue-mails.ts';
import { areRows } from '../partner-of-rows.ts';
import { localDate } from '../tenants/calendar.ts';
import { tenantTime } from '../tenants/time.ts';
import { dropReasons } from './is-given-up.ts';
import { unknownOutcome } from './record-texts.ts';

const dueRow = row('text to send', {
  id: text,
  partnerId: text,
  tenantId: text,
  consentId: text,
  type: oneOf(...textTypes),
  data: json(mailData),
  simulated: boolean,
  attempts: integer,
  numberSealed: bytes,
  hasConsent: boolean,
  /** The locale as it was stored. The registry may no longer have it. */
  storedLocale: nullable(text),
  timeZone: text,
  clockOffsetMs: nullable(bigint),
  property: nullable(text),
  planState: nullable(oneOf(...planStates)),
  autopay: boolean,
  installmentState: nullable(oneOf(...installmentStates)),
  installmentDueDate: nullable(date),
});

/** A claimed text message with the facts that decide whether and when it is sent. */
export interface DueText extends Omit<RowOf<typeof dueRow>, 'storedLocale' | 'numberSealed'> {
  readonly locale: Locale;
  /** E.164. */
  readonly number: string;
}

const claimedRow = row('claimed text', { partnerId: text, id: text });

/**
 * Claims texts that are due. A claimed text counts as attempted with an unknown outcome until another one is
 * recorded: if the process dies, the text is not sent again, because the provider may have it and a
 * reminder that comes twice is worse than one that is missing. The mail is sent in any case.
 */
export async function claimTexts(
  { tx, now, service }: Pick<Ctx, 'tx' | 'now' | 'service'>,
  { limit }: { limit: number },
): Promise<DueText[]> {
  const isDue = sql`/* all partners */ from text_message d where d.due_at <= ${now}`;
  const among = await findClaimCondition(tx, { of: 'd', due: isDue });
  if (!among) return [];
  const claimed = await tx.many(
    claimedRow,
    sql`
    /* all partners */
    update text_message d set attempts = d.attempts + 1, due_at = null, failure = ${unknownOutcome}
    where ${among('d')} and d.ctid = any(array(
      select d.ctid ${isDue} and ${among('d')} order by d.due_at limit ${limit}
      for update skip locked))
    returning d.partner_id, d.id`,
  );
  if (claimed.length === 0) return [];
  const rows = await tx.many(
    dueRow,
    sql`
    select m.id, m.partner_id, m.tenant_id, m.consent_id, m.type, m.data, m.simulated, m.attempts,
      c.number_sealed, c.confirmed_at is not null and c.ended_at is null as has_consent,
      coalesce(t.locale, c.locale) as stored_locale, t.time_zone, t.clock_offset_ms,
      t.lease #>> '{property,name}' as property,
      l.state as plan_state, coalesce(l.autopay, false) as autopay,
      i.state as installment_state, i.due_date as installment_due_date
    from text_message m
      join tenant t on t.partner_id = m.partner_id and t.id = m.tenant_id
      join text_consent c on c.partner_id = m.partner_id and c.id = m.consent_id
      left join plan l on l.partner_id = m.partner_id and l.id = m.data ->> 'plan_id'
      left join installment i on i.partner_id = m.partner_id and i.plan_id = m.data ->> 'plan_id'
        and i.number = (m.data ->> 'number')::integer
    where ${areRows([sql`m.partner_id`, sql`m.id`], claimed)}`,
  );
  return rows.map(({ storedLocale, numberSealed, ...due }) => ({
    ...due,
    locale: localeOf(storedLocale ?? '') ?? defaultLocale,
    number: service.vault.open(numberSealed, due.tenantId),
  }));
}

/** Returns why a text must no longer be sent: the tenant stopped texts, or has paid. Null if it may be sent. */
export function whyObsolete(due: DueText, now: Date): string | null {
  if (!due.hasConsent) return dropReasons.stopped;
  return isStillTrue(due, now) ? null : dropReasons.untrue;
}

function isStillTrue(due: DueText, now: Date): boolean {
  const { planState, installmentState } = due;
  if (planState !== 'active' && planState !== 'past_due') return false;
  switch (due.type) {
    case 'installment.upcoming': {
      const today = localDate(tenantTime(due, now), due.timeZone);
      return (
        installmentState === 'scheduled' &&
        due.installmentDueDate === due.data.due_date &&
        (due.installmentDueDate ?? '') >= today
      );
    }
    case 'installment.failed':
      return installmentState === 'failed' || installmentState === 'overdue';
    case 'plan.past_due':
      return planState === 'past_due';
  }
}
