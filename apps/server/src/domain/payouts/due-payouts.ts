import { type PayoutMethod, payoutMethods } from '@svc/contract';
import { instant, integer, oneOf, row, sql, text } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { mayBeginMoney } from '../controls/money-switch.ts';
import { bankTimeZone } from '../partners/operating-hours.ts';
import { localDate } from '../tenants/calendar.ts';
import { createPayout } from './create-payout.ts';
import { nextCutOff } from './settings.ts';

const dueRow = row('portal at its cut-off', {
  partnerId: text,
  pms: text,
  method: oneOf(...payoutMethods),
  cutOffHour: integer,
  destination: text,
  nextAt: instant,
});

interface DuePortal {
  readonly partnerId: string;
  readonly pms: string;
  readonly method: PayoutMethod;
  readonly cutOffHour: number;
  readonly destination: string;
  readonly nextAt: Date;
}

/**
 * Creates the payout of one portal whose cut-off is over. A cut-off that was missed, because nothing ran
 * or money was stopped, is made up once. Returns how many portals were due: 0 or 1.
 */
export async function createDuePayout(uow: UnitOfWork): Promise<number> {
  const { tx, now } = uow;
  if (!(await mayBeginMoney(tx))) return 0;
  const due: DuePortal | undefined = await tx.maybe(
    dueRow,
    sql`
    /* all partners */
    select s.partner_id as "partnerId", p.pms, s.method, s.cut_off_hour as "cutOffHour", s.destination,
      s.next_at as "nextAt"
    from payout_setting s join partner p on p.id = s.partner_id
    where s.next_at <= ${now} order by s.next_at limit 1 for update of s skip locked`,
  );
  if (!due) return 0;
  await createPayout(uow, { ...due, day: localDate(due.nextAt, bankTimeZone) });
  await tx.run(sql`
    update payout_setting set next_at = ${nextCutOff(now, due.cutOffHour)}
    where partner_id = ${due.partnerId}`);
  return 1;
}

const postponedRow = row('postponed portal', { pms: text });

/** A payout could not be created: tries again in an hour, so that other portals get theirs. */
export async function postponePayout({ tx, now }: UnitOfWork): Promise<string | null> {
  const postponed = await tx.maybe(
    postponedRow,
    sql`
    /* all partners */
    update payout_setting s set next_at = ${now}::timestamptz + interval '1 hour'
    from partner p
    where p.id = s.partner_id and s.partner_id = (
      select partner_id from payout_setting where next_at <= ${now}
      order by next_at limit 1 for update skip locked)
    returning p.pms`,
  );
  return postponed?.pms ?? null;
}
