import type { OwnPlanOutput } from '@svc/contract';
import { type Database, sql } from '@svc/db';
import { oneRowOf } from '@svc/db/testing';
import { expect } from 'vitest';
import { allEntryKeysOf } from '../../src/domain/payments/entry-key.ts';

/**
 * Checks that the tenant's ledger balance equals the plan's open installments, that no installment
 * was paid twice, and that the plan's state fits the states of its installments.
 */
export async function checkMoney(
  db: Database,
  plan: { id: string; total_of_payments_in_cents: number },
): Promise<void> {
  const now = await oneRowOf<Record<'owed' | 'open' | 'paid' | 'twice' | 'unlike', number>>(
    db,
    sql`
    select
      (select coalesce(sum(e.amount_in_cents), 0)::int8 from ledger_entry e
        join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id 
        where a.partner_id = p.partner_id and a.tenant_id = p.tenant_id) as owed,
      (select coalesce(sum(i.amount_in_cents), 0)::int8 from installment i
        where i.partner_id = p.partner_id and i.plan_id = p.id and p.state <> 'created'
          and i.state not in ('paid', 'canceled')) as open,
      (select coalesce(sum(y.amount_in_cents), 0)::int8 from payment y
        join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
        where i.partner_id = p.partner_id and i.plan_id = p.id and y.outcome = 'succeeded') as paid,
      (select count(*) from (select 1 from payment y join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
        where i.partner_id = p.partner_id and i.plan_id = p.id and y.outcome = 'succeeded'
        group by i.id, i.agreed_in_cents
        having sum(y.amount_in_cents) > i.agreed_in_cents) t) as twice,
      (select count(*) from installment i where i.partner_id = p.partner_id and i.plan_id = p.id and case p.state
        when 'completed' then i.state not in ('paid', 'canceled')
        when 'created' then i.state not in ('scheduled', 'processing') end) as unlike
    from plan p where p.id = ${plan.id}`,
  );
  expect(now.owed).toBe(now.open);
  expect([now.twice, now.unlike]).toEqual([0, 0]);
  expect(now.paid).toBeLessThanOrEqual(plan.total_of_payments_in_cents);
}

/** Checks that the amount shown to the tenant as owed equals the ledger's receivable or loss. */
export async function checkDebt(db: Database, { plan, management }: OwnPlanOutput): Promise<void> {
  const { owed } = await oneRowOf<{ owed: number }>(
    db,
    sql`
    select coalesce(sum(e.amount_in_cents), 0)::int8 as owed
    from ledger_transfer l join ledger_entry e on e.partner_id = l.partner_id and e.transfer_id = l.id
      join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
        and a.kind in ('tenant_receivable', 'credit_loss')
    -- A payment that an operator gave back, or that a bank took twice, is our loss, and no debt.
    where not (a.kind = 'credit_loss'
        and (starts_with(l.source_id, 'prf_') or l.source_id like '%#beyond'))
      and l.source_id in (select ${plan.id} union all ${allEntryKeysOf({
        partnerId: sql`(select partner_id from plan where id = ${plan.id})`,
        planId: sql`${plan.id}`,
      })})`,
  );
  // Nothing is booked before the first payment goes through, and a reset reverses all of it.
  if (!['created', 'canceled'].includes(plan.state))
    expect(management.amounts.left_in_cents).toBe(owed);
}

/**
 * Checks that we owe the portal exactly the settlements that did not arrive, and that the clearing accounts hold only
 * money in transit.
 */
export async function checkPartner(db: Database, partnerId: string): Promise<void> {
  const balances = await oneRowOf<Record<string, number>>(
    db,
    sql`
    select
      coalesce(sum(amount) filter (where kind = 'partner_payable'), 0)::int8 as payable,
      coalesce(sum(amount) filter (where kind = 'settlement_clearing'), 0)::int8 as sent,
      coalesce(sum(amount) filter (where kind = 'processor_clearing'), 0)::int8 as collected
    from (select a.kind, e.amount_in_cents as amount from ledger_entry e
      join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id where a.partner_id = ${partnerId}) t`,
  );
  const expected = await oneRowOf<Record<string, number>>(
    db,
    sql`
    select
      coalesce((select -sum(s.amount_in_cents) from settlement s join plan p on p.partner_id = s.partner_id and p.id = s.plan_id
        where p.state <> 'canceled' and s.status in ('unsettled', 'failed', 'returned')), 0)::int8
        as payable,
      coalesce((select -sum(s.amount_in_cents) from settlement s join plan p on p.partner_id = s.partner_id and p.id = s.plan_id
        where p.state <> 'canceled' and s.status = 'unverified'), 0)::int8 as sent,
      coalesce((select sum(e.amount_in_cents - coalesce(e.deposited_in_cents, 0))
        from processor_entry e), 0)::int8 as collected`,
  );
  expect(balances).toEqual(expected);
}
