import { boolean, type Database, instant, nullable, row, sql } from '@svc/db';
import type { Clock } from '@svc/runtime';
import { bankTimeZone } from '../../domain/bank-time-zone.ts';
import { workHour } from '../../domain/partners/operating-hours.ts';
import type { PayoutRail, RailOutcome } from '../../domain/payouts/rail.ts';
import { addBankingDays } from '../../domain/tenants/banking-days.ts';
import { hourOf, localDate } from '../../domain/tenants/calendar.ts';

interface Deps {
  readonly db: Database;
  readonly clock: Pick<Clock, 'now'>;
}

const payoutRow = row('payout of the simulator', {
  refused: boolean,
  paidAt: nullable(instant),
  failedAt: nullable(instant),
  returnedAt: nullable(instant),
});

/**
 * Sends payouts in the sandbox. They arrive on the next banking day at 09:00 in New York. A destination
 * that contains `refused`, `fails` or `returned` makes that happen, and after `lost` the answer is lost. One
 * that contains `by hand` is left to the operator.
 */
export function createPayoutRail({ db, clock }: Deps): PayoutRail {
  async function find(key: string): Promise<RailOutcome | null> {
    const found = await db.maybe(
      payoutRow,
      sql`
      select refused, paid_at, failed_at, returned_at
      from simulator_payout where key = ${key}`,
    );
    if (!found) return null;
    const now = clock.now();
    const isOver = (at: Date | null) => at !== null && at <= now;
    if (found.refused) return { state: 'failed', reason: 'R13: the bank refused the payout' };
    if (isOver(found.returnedAt)) return { state: 'returned', reason: 'R02: account closed' };
    if (isOver(found.failedAt)) return { state: 'failed', reason: 'R03: no account' };
    return { state: isOver(found.paidAt) ? 'paid' : 'sent', reference: key };
  }

  return {
    name: 'simulator',
    takes: (destination) => !destination.includes('by hand'),
    find,
    async send({ key, amountInCents, destination }) {
      const now = clock.now();
      const nextDay = addBankingDays(localDate(now, bankTimeZone), 1);
      const at = (days: number) =>
        hourOf(addBankingDays(nextDay, days), workHour, bankTimeZone).toISOString();
      const fails = destination.includes('fails');
      const returned = destination.includes('returned');
      await db.run(sql`
        insert into simulator_payout (key, amount_in_cents, refused, paid_at, failed_at, returned_at,
          received_at)
        values (${key}, ${amountInCents}, ${destination.includes('refused')},
          ${fails ? null : at(0)}::timestamptz, ${fails ? at(0) : null}::timestamptz,
          ${returned ? at(2) : null}::timestamptz, ${now})
        on conflict (key) do nothing`);
      if (destination.includes('lost')) throw new Error('the answer was lost');
      return (await find(key)) ?? { state: 'sent' };
    },
  };
}
