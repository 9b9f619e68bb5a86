import { payoutMethods } from '@svc/contract';
import { instant, integer, oneOf, type RowOf, row, sql, text } from '@svc/db';
import { findClaimCondition } from '../../cluster.ts';
import type { UnitOfWork } from '../../context.ts';
import { bankTimeZone } from '../bank-time-zone.ts';
import { mayBeginMoney } from '../controls/money-switch.ts';
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

/** A portal whose cut-off is over, locked. */
export type DuePortal = RowOf<typeof dueRow>;

/** Locks a portal whose cut-off is over; undefined if none is due, or while money is stopped. */
export async function claimPortal({ tx, now }: UnitOfWork): Promise<DuePortal | undefined> {
  if (!(await mayBeginMoney(tx))) return undefined;
  const due = sql`
    /* all partners */
    from payout_setting s join partner p on p.id = s.partner_id where s.next_at <= ${now}`;
  const among = await findClaimCondition(tx, { of: 's', due });
  if (!among) return undefined;
  return tx.maybe(
    dueRow,
    sql`
    select s.partner_id, p.pms, s.method, s.cut_off_hour, s.destination,
      s.next_at
    ${due} and ${among('s')} order by s.next_at limit 1 for update of s skip locked`,
  );
}

/**
 * Creates the payout of a portal. A cut-off that was missed, because nothing ran or money was stopped, is
 * made up for once.
 */
export async function createDuePayout(uow: UnitOfWork, portal: DuePortal): Promise<void> {
  const { tx, now } = uow;
  const { partnerId, cutOffHour, nextAt } = portal;
  await createPayout(uow, { ...portal, day: localDate(nextAt, bankTimeZone) });
  await tx.run(sql`
    update payout_setting set next_at = ${nextCutOff(now, cutOffHour)}
    where partner_id = ${partnerId}`);
}

/** Postpones by an hour a payout that could not be created, so that other portals get theirs. */
export async function postponePayout(
  { tx, now }: UnitOfWork,
  { partnerId }: DuePortal,
): Promise<void> {
  await tx.run(sql`
    update payout_setting set next_at = ${now}::timestamptz + interval '1 hour'
    where partner_id = ${partnerId} and next_at <= ${now}`);
}
