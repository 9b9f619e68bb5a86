import type { Charge } from '../charges/rent-cycle.ts';
import type { NewEvent } from '../events/emit.ts';
import type { OpenPlan } from '../plans/load-standing.ts';

/** Charges of an open plan that the portal changed since: the plan stays as it was agreed. */
export function chargeDrift(
  plan: OpenPlan,
  before: readonly Charge[],
  after: readonly Charge[],
  version: number,
): NewEvent[] {
  return before
    .filter((known) => plan.chargeIds.includes(known.id))
    .flatMap((known): NewEvent[] => {
      const amount = after.find((it) => it.id === known.id)?.amountInCents ?? 0;
      if (amount === known.amountInCents) return [];
      const data = {
        plan_id: plan.id,
        charge_id: known.id,
        known_amount_in_cents: known.amountInCents,
        new_amount_in_cents: amount,
      };
      return [{ type: 'charge.drift_detected', version, data }];
    });
}
