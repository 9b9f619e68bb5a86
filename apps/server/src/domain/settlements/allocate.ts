import { type Charge, isUnpaid } from '../charges/rent-cycle.ts';

export interface PaidCharge {
  readonly charge_id: string;
  readonly amount_in_cents: number;
}

/**
 * Which charges a settlement of the whole amount due pays, and how much of each. Credits are used
 * up on the latest charges first; what they leave sums to the amount exactly. In order of their ids.
 */
export function allocate(charges: readonly Charge[], amountInCents: number): PaidCharge[] {
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
