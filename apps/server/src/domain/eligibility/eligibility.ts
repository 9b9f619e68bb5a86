import type { Eligibility, ProductVariant } from '@svc/contract';
import { type Charge, isUnpaid } from '../charges/charge.ts';
import type { Cycle } from '../charges/rent-cycle.ts';
import type { Lending } from '../lending/lending-rules.ts';
import { isAboveLimits } from '../lending/splits.ts';
import type { Terms } from '../partners/terms.ts';
import { debitBy } from '../tenants/banking-days.ts';
import { localDate, monthOf } from '../tenants/calendar.ts';
import type { Tenant } from '../tenants/tenant.ts';
import type { TenantTime } from '../tenants/time.ts';

export interface EligibilityFacts {
  /** True if a payment processor is set up. */
  readonly takesPayments: boolean;
  readonly tenant: Pick<Tenant, 'lease' | 'timeZone' | 'underwritingResult'>;
  readonly variant: ProductVariant;
  readonly charges: readonly Charge[];
  readonly cycle: Cycle | null;
  readonly at: TenantTime;
  /** The terms in effect on this day, for the partner and the property's state. */
  readonly terms: Terms;
  /** The lending rules for this home: if a loan may be made, and within which limits. */
  readonly lending: Lending;
  readonly openPlan: { readonly rentCycleDate: string } | null;
  readonly application: {
    readonly state: string;
    readonly rentCycleDate: string;
    readonly approvedAmountInCents: number | null;
    readonly reapplyAfter: string | null;
  } | null;
}

export type EligibilityResult = Eligibility & { readonly until: string | null };

type Reason = NonNullable<Eligibility['reason']>;

/**
 * Decides whether the tenant can split the amount due now, and if not, why. Every surface uses this, and
 * accepting an offer checks it again.
 */
export function eligibility(facts: EligibilityFacts): EligibilityResult {
  const { cycle, openPlan, application, at, tenant } = facts;
  if (openPlan) return resultWithPlan(openPlan.rentCycleDate, cycle);
  // The first check: without a processor we must not ask for income or date of birth.
  if (!facts.takesPayments) return resultFor('blocked', 'payments_unavailable');
  if (facts.lending.refusal) return resultFor('blocked', facts.lending.refusal);
  if (!cycle || cycle.amountDueInCents === 0) return resultFor('nothing_due', 'nothing_due');
  if (cycle.state !== 'open') return resultFor('cycle_closed', null);
  const check = failedCheck(facts, cycle);
  if (check) return resultFor('blocked', check);
  const today = localDate(at, tenant.timeZone);
  if (application?.state === 'declined' && today < (application.reapplyAfter ?? today)) {
    return { state: 'declined', reason: 'declined_until', until: application.reapplyAfter };
  }
  const approved = application?.state === 'approved' && application.rentCycleDate === cycle.dueDate;
  if (!approved) return resultFor('can_apply', null);
  return cycle.amountDueInCents > (application.approvedAmountInCents ?? 0)
    ? resultFor('blocked', 'amount_above_cap')
    : resultFor('approved', null);
}

export function wouldLandLate({ tenant, at }: Pick<EligibilityFacts, 'tenant' | 'at'>): boolean {
  const lateFeeFrom = tenant.lease?.late_fee_from;
  return lateFeeFrom ? debitBy(at, tenant.timeZone) >= lateFeeFrom : false;
}

/** Returns the first recoverable pre-check that fails, in the order a tenant would settle them; null if none does. */
export function failedCheck(facts: EligibilityFacts, cycle: Cycle): Reason | null {
  const { at, tenant, variant, terms } = facts;
  const today = localDate(at, tenant.timeZone);
  const leaseEnd = tenant.lease?.ends_on;
  const isBlockedBy = (reason: Reason) => blockingCharges(facts, cycle, reason).length > 0;
  if (leaseEnd && (leaseEnd < today || leaseEnd < cycle.dueDate)) return 'lease_ended';
  if (tenant.lease?.payments_enabled === false) return 'payments_disabled';
  if (isBlockedBy('past_due_balance')) return 'past_due_balance';
  if (isBlockedBy('security_deposit_open')) return 'security_deposit_open';
  if (isBlockedBy('late_fee_open')) return 'late_fee_open';
  if (variant === 'hoa' && !cycle.charges.some((it) => it.type === 'hoa_dues'))
    return 'not_monthly';
  if (cycle.amountDueInCents > terms.maximumInCents) return 'amount_above_cap';
  if (cycle.amountDueInCents < terms.minimumInCents) return 'amount_below_minimum';
  // A covered borrower gets the same reason, so that the portal cannot learn from it who serves in the military.
  if (isAboveLimits({ ...facts, cycle, timeZone: tenant.timeZone })) return 'cost_above_limit';
  if (!tenant.underwritingResult && wouldLandLate(facts)) return 'would_land_late';
  return null;
}

/** Returns the unpaid charges behind a reason, which the tenant has to pay in the portal first. */
export function blockingCharges(
  { charges }: Pick<EligibilityFacts, 'charges'>,
  cycle: Pick<Cycle, 'dueDate'>,
  reason: Reason | null,
): readonly Charge[] {
  const unpaid = charges.filter(isUnpaid);
  switch (reason) {
    case 'past_due_balance':
      return unpaid.filter((it) => monthOf(it.dueDate) < monthOf(cycle.dueDate));
    case 'security_deposit_open':
      return unpaid.filter((it) => it.type === 'security_deposit');
    case 'late_fee_open':
      return unpaid.filter((it) => it.type === 'late_fee');
    default:
      return [];
  }
}

function resultWithPlan(planDate: string, cycle: Cycle | null): EligibilityResult {
  const earlier = cycle !== null && monthOf(planDate) !== monthOf(cycle.dueDate);
  return resultFor('has_plan', earlier ? 'open_plan' : null);
}

function resultFor(state: Eligibility['state'], reason: Reason | null): EligibilityResult {
  return { state, reason, until: null };
}
