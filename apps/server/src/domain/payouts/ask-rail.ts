import type { PayoutStatus } from '@svc/contract';
import { bigint, boolean, date, nullable, row, sql, text } from '@svc/db';
import { findClaimCondition } from '../../cluster.ts';
import type { UnitOfWork } from '../../context.ts';
import { bankTimeZone } from '../bank-time-zone.ts';
import { mayBeginMoney } from '../controls/money-switch.ts';
import { addBankingDays } from '../tenants/banking-days.ts';
import { localDate } from '../tenants/calendar.ts';
import { canMovePayout, movePayout, type Outcome } from './move-payout.ts';
import { type RailOutcome, railTimeoutMs } from './rail.ts';
import { lockPayout } from './read.ts';

// The lease is longer than a process waits for the rail's answer, so that no other process asks at the same time.
const leaseMs = 3 * railTimeoutMs;
const recheckMs = 10 * 60_000;

/** Banking days after a payout arrived on which the rail is still asked whether it was returned. */
const returnDays = 10;

/** A payout about which a process asks the rail, outside of any transaction. */
export interface ClaimedPayout {
  readonly partnerId: string;
  readonly id: string;
  /** `find`: the rail may have it already, so it is asked first. */
  readonly todo: 'send' | 'find';
  readonly amountInCents: number;
  readonly destination: string;
}

const claimedRow = row('claimed payout', {
  partnerId: text,
  id: text,
  wasAttempted: boolean,
  amountInCents: bigint,
  destination: text,
});

/**
 * Claims payouts to send or to ask about. The lease and the time of the attempt commit before the rail is
 * called, so that a process that finds an attempt without an outcome looks it up.
 */
export async function claimPayouts(
  { tx, now, service }: UnitOfWork,
  { limit }: { readonly limit: number },
): Promise<ClaimedPayout[]> {
  if (!service.payoutRail) return [];
  // While money is stopped, payouts that were sent are still resolved, and new ones wait.
  const mayBegin = await mayBeginMoney(tx);
  const leased = new Date(now.getTime() + leaseMs);
  const isDue = sql`
      /* all partners */
      from payout p
      where p.check_at <= ${now} and p.rail = ${service.payoutRail.name}
        and (p.attempted_at is not null or ${mayBegin}::boolean)`;
  const among = await findClaimCondition(tx, { of: 'p', due: isDue });
  if (!among) return [];
  const rows = await tx.many(
    claimedRow,
    sql`
    with due as (
      select p.partner_id, p.id, p.attempted_at is not null as was_attempted
      ${isDue} and ${among('p')}
      order by p.check_at limit ${limit} for update skip locked
    )
    update payout p set check_at = ${leased},
      attempted_at = coalesce(p.attempted_at, ${now}::timestamptz)
    from due where p.partner_id = due.partner_id and p.id = due.id and ${among('p')}
    returning p.partner_id, p.id, due.was_attempted,
      p.amount_in_cents, p.destination`,
  );
  return rows.map(({ wasAttempted, ...it }) => ({ ...it, todo: wasAttempted ? 'find' : 'send' }));
}

const paidRow = row('when a payout was paid', { paidOn: nullable(date) });

/**
 * Writes what the rail answered. Null means that it has never received the payout, which can then be sent. An
 * answer that contradicts what is stored changes nothing.
 * @returns whether the answer fits what is stored
 */
export async function recordRailOutcome(
  uow: UnitOfWork,
  { partnerId, id }: Pick<ClaimedPayout, 'partnerId' | 'id'>,
  outcome: RailOutcome | null,
): Promise<boolean> {
  const { tx, now } = uow;
  const payout = await lockPayout(tx, { partnerId, id });
  if (outcome === null) {
    if (payout.status !== 'pending') return false;
    await tx.run(sql`
      update payout set attempted_at = null, check_at = ${now}
      where partner_id = ${partnerId} and id = ${id} and check_at is not null`);
    return true;
  }
  const steps = stepsOf(payout.status, outcome);
  let fits = true;
  for (const step of steps) {
    const current = await lockPayout(tx, { partnerId, id });
    if (!canMovePayout(current, step)) {
      fits = false;
      break;
    }
    await movePayout(uow, { ...current, partnerId }, step);
  }
  await scheduleCheck(uow, { partnerId, id });
  return fits;
}

/** The order of the states, because an answer may be older than what is stored. */
const progress: readonly PayoutStatus[] = ['pending', 'sent', 'paid', 'returned'];

/** Returns the steps to an outcome. Those that were missed between two questions are made up for, with their events. */
function stepsOf(status: PayoutStatus, outcome: RailOutcome): Outcome[] {
  const isKnown = progress.indexOf(outcome.state) <= progress.indexOf(status);
  const sent: Outcome = { status: 'sent' };
  const paid: Outcome = { status: 'paid' };
  switch (outcome.state) {
    case 'sent':
    case 'paid': {
      if (isKnown) return [];
      const { state, reference } = outcome;
      return [
        ...(status === 'pending' && state === 'paid' ? [sent] : []),
        { status: state, reference },
      ];
    }
    case 'failed':
    case 'returned': {
      if (status === outcome.state) return [];
      const { reason } = outcome;
      // A bank calls the return of a payout that arrived a failure, too.
      if (status === 'paid') return [{ status: 'returned', reason }];
      if (outcome.state === 'failed') return [{ status: 'failed', reason }];
      return [...(status === 'pending' ? [sent] : []), paid, { status: 'returned', reason }];
    }
  }
}

async function scheduleCheck(
  { tx, now }: UnitOfWork,
  { partnerId, id }: Pick<ClaimedPayout, 'partnerId' | 'id'>,
): Promise<void> {
  const { paidOn } = await tx.one(
    paidRow,
    sql`
    select (paid_at at time zone ${bankTimeZone})::date as paid_on from payout
    where partner_id = ${partnerId} and id = ${id}`,
  );
  const isOver =
    paidOn !== null && localDate(now, bankTimeZone) > addBankingDays(paidOn, returnDays);
  const next = isOver ? null : new Date(now.getTime() + recheckMs);
  await tx.run(sql`
    update payout set check_at = ${next}
    where partner_id = ${partnerId} and id = ${id} and check_at is not null`);
}
