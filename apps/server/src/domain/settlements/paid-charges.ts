import type { PaidCharge } from '@svc/contract';
import { bigint, recordset, row, type Sql, sql, type Tx, text } from '@svc/db';
import { type Charge, isUnpaid } from '../charges/charge.ts';
import type { PlanColumns } from '../payments/entry-key.ts';

/**
 * The charges that a settlement of the whole amount due pays, ordered by id, and how much of each.
 * Credits reduce the latest charges first, so the parts sum to the amount exactly.
 */
export function allocateToCharges(charges: readonly Charge[], amountInCents: number): PaidCharge[] {
  let left = amountInCents;
  const paid: PaidCharge[] = [];
  for (const charge of charges.filter(isUnpaid)) {
    const amount = Math.min(charge.amountInCents - charge.amountPaidInCents, left);
    if (amount > 0) paid.push({ charge_id: charge.id, amount_in_cents: amount });
    left -= amount;
  }
  if (left !== 0) throw new Error(`${left} cents of the settlement belong to no charge`);
  return paid.sort((one, other) => (one.charge_id < other.charge_id ? -1 : 1));
}

const paidChargeRow = row('paid charge', { charge_id: text, amount_in_cents: bigint });

interface PlanKey {
  readonly partnerId: string;
  readonly planId: string;
}

/** One statement of a `with` list that stores what the plan's settlement pays. */
export function insertPaidCharges(
  { partnerId, planId }: PlanKey,
  paid: readonly PaidCharge[],
): Sql {
  return sql`
    insert into plan_charge (partner_id, plan_id, charge_id, amount_in_cents)
    select ${partnerId}, ${planId}, charge_id, amount_in_cents
    from ${recordset(paidChargeRow, paid, 'c')}`;
}

/** The charges that the plan's settlement pays, in the order of their ids. */
export function readPaidCharges(
  { tx }: { readonly tx: Tx },
  { partnerId, planId }: PlanKey,
): Promise<PaidCharge[]> {
  return tx.many(
    paidChargeRow,
    sql`
    select charge_id, amount_in_cents from plan_charge
    where partner_id = ${partnerId} and plan_id = ${planId} order by charge_id`,
  );
}

/** The charges that the plan's settlement pays: a JSON array of `PaidCharge`, as part of a larger statement. */
export function paidCharges({ partnerId, planId }: PlanColumns): Sql {
  return sql`
    (select coalesce(json_agg(json_build_object('charge_id', c.charge_id,
        'amount_in_cents', c.amount_in_cents) order by c.charge_id), '[]')
      from plan_charge c where c.partner_id = ${partnerId} and c.plan_id = ${planId})`;
}
