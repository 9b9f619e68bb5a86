import { type PayoutMethod, payoutMethods } from '@svc/contract';
import { bigint, instant, integer, oneOf, type Queryable, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { bankTimeZone } from '../bank-time-zone.ts';
import { requirePartner } from '../partners/find-partner.ts';
import { Refusal } from '../refusal.ts';
import { nextBankingDay } from '../tenants/banking-days.ts';
import { addDays, hourOf, localDate } from '../tenants/calendar.ts';

interface PayoutSchedule {
  readonly pms: string;
  /** `each`: the portal debits each settlement separately, without payouts. */
  readonly method: PayoutMethod | 'each';
  readonly cut_off_hour: number;
  readonly destination: string;
}

export interface Scheduled extends PayoutSchedule {
  readonly partner_id: string;
  readonly next_at: string | null;
}

/** Returns the first cut-off after `now`: an hour of a banking day in New York. */
export function nextCutOff(now: Date, hour: number): Date {
  const day = nextBankingDay(localDate(now, bankTimeZone));
  const at = hourOf(day, hour, bankTimeZone);
  if (at > now) return at;
  return hourOf(nextBankingDay(addDays(day, 1)), hour, bankTimeZone);
}

/**
 * Sets how a portal gets what we owe it. Debits that it has begun are finished as before, and everything
 * else is in the next payout.
 */
export async function schedulePayouts(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  schedule: PayoutSchedule,
): Promise<Scheduled> {
  const { pms, method, cut_off_hour, destination } = schedule;
  const { id: partner_id } = await requirePartner(tx, pms);
  // No payout is created while this row is locked.
  await tx.run(sql`select from payout_setting where partner_id = ${partner_id} for update`);
  if (method === 'each') {
    await refuseUnfinished(tx, partner_id);
    await tx.run(sql`delete from payout_setting where partner_id = ${partner_id}`);
    return { ...schedule, partner_id, next_at: null };
  }
  const next = nextCutOff(now, cut_off_hour);
  await tx.run(sql`
    insert into payout_setting (partner_id, method, cut_off_hour, destination, next_at, updated_at)
    values (${partner_id}, ${method}, ${cut_off_hour}, ${destination}, ${next}, ${now})
    on conflict (partner_id) do update set method = excluded.method,
      cut_off_hour = excluded.cut_off_hour, destination = excluded.destination,
      next_at = excluded.next_at, updated_at = excluded.updated_at`);
  return { ...schedule, partner_id, next_at: next.toISOString() };
}

const unfinishedRow = row('what payouts still owe', {
  payouts: bigint,
  deductions: bigint,
  carried: bigint,
});

/** Refuses while amounts are left that, without payouts, would neither be deducted nor carried forward. */
async function refuseUnfinished(q: Queryable, partnerId: string): Promise<void> {
  const { payouts, deductions, carried } = await q.one(
    unfinishedRow,
    sql`
    select
      (select count(*) from payout where partner_id = ${partnerId}
        and status in ('pending', 'sent')) as payouts,
      (select count(*) from refund f where f.partner_id = ${partnerId} and f.deducted
        and not exists (select from payout_line l where l.partner_id = ${partnerId}
          and l.source_id = f.id and not l.released))
      + (select count(*) from payout_adjustment a where a.partner_id = ${partnerId}
        and not exists (select from payout_line l where l.partner_id = ${partnerId}
          and l.source_id = a.id and not l.released)) as deductions,
      (select count(*) from settlement s where s.partner_id = ${partnerId}
        and s.status in ('failed', 'returned') and s.payout_id is not null) as carried`,
  );
  if (payouts + deductions + carried === 0) return;
  throw new Refusal('validation_failed', {
    message: `Payouts cannot end yet: ${payouts} are on their way, and ${deductions + carried} refunds, adjustments and settlements wait for the next one.`,
  });
}

const settingRow = row('payout setting of a partner', {
  pms: text,
  method: oneOf(...payoutMethods),
  cut_off_hour: integer,
  destination: text,
  next_at: instant,
});

export interface ListedSetting {
  readonly pms: string;
  readonly method: PayoutMethod;
  readonly cut_off_hour: number;
  readonly destination: string;
  readonly next_at: string;
}

/** Lists the portals that get payouts. */
export async function listPayoutSettings(
  q: Queryable,
  pms: string | undefined,
): Promise<ListedSetting[]> {
  const rows = await q.many(
    settingRow,
    sql`
    /* all partners, unless one is named */
    select o.pms, s.method, s.cut_off_hour, s.destination, s.next_at
    from payout_setting s join partner o on o.id = s.partner_id
    where ${pms ?? null}::text is null or o.pms = ${pms ?? null} order by o.pms`,
  );
  return rows.map(({ next_at, ...it }) => ({ ...it, next_at: next_at.toISOString() }));
}
