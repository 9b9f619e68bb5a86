import { adultYears, type DeclineReason } from '@svc/contract';
import { z } from 'zod';
import type { Terms } from '../partners/terms.ts';
import type { DeclineDetails } from './decline-details.ts';

export const policyVersion = 'rules-2026-11';

/** Everything that the rules use. Stored with each decision, so that it can be explained. */
export const policyFacts = z.object({
  amount_in_cents: z.int(),
  monthly_income_in_cents: z.int(),
  age_in_years: z.int(),
  /** Null if the portal did not say when the lease began. */
  lease_age_in_days: z.int().nullable(),
  unpaid_plans: z.int(),
});
export type PolicyFacts = Readonly<z.infer<typeof policyFacts>>;

export interface PolicyDecision {
  readonly outcome: 'approved' | 'declined';
  /** The codes of the reasons: ours, or those of the decision service. */
  readonly reasons: readonly string[];
  readonly approvedAmountInCents: number;
  /** True if the Military Lending Act covers the tenant. Undefined if this decision does not say. */
  readonly military_covered?: boolean | undefined;
  /** Set only for a decline by the decision service, or by a person after it. */
  readonly details?: DeclineDetails;
}

const incomeShare = 0.5;
const leaseDays = 30;

/**
 * Decides by our rules, as far as the terms let them decline. Each reason is a rule that failed, most
 * important first. Pure.
 */
export function decideByRules(
  facts: PolicyFacts,
  { maximumInCents, declineReasons }: Pick<Terms, 'maximumInCents' | 'declineReasons'>,
): PolicyDecision {
  // submit-application.ts tells them that they must be 18. No decline reason would be true, and a decline
  // would make them wait for 90 days.
  if (facts.age_in_years < adultYears) throw new Error('An applicant under 18 reached the rules');
  const affordable = Math.floor(facts.monthly_income_in_cents * incomeShare);
  const failed: DeclineReason[] = [];
  if (facts.unpaid_plans > 0) failed.push('past_plan_unpaid');
  if (facts.amount_in_cents > affordable) failed.push('income_too_low');
  if (facts.lease_age_in_days !== null && facts.lease_age_in_days < leaseDays) {
    failed.push('account_too_new');
  }
  const reasons = failed.filter((it) => declineReasons.includes(it));
  return {
    outcome: reasons.length === 0 ? 'approved' : 'declined',
    reasons,
    approvedAmountInCents: Math.min(affordable, maximumInCents),
  };
}

/** Decides by the result that the partner fixed for this tenant in the simulation. */
export function decideBySimulation(
  result: 'WILL_BE_APPROVED' | 'WILL_BE_DECLINED',
  declineReasons: readonly DeclineReason[],
  maximumInCents: number,
): PolicyDecision {
  if (result === 'WILL_BE_APPROVED') {
    return { outcome: 'approved', reasons: [], approvedAmountInCents: maximumInCents };
  }
  const reasons = declineReasons.length > 0 ? declineReasons : (['income_too_low'] as const);
  return { outcome: 'declined', reasons, approvedAmountInCents: 0 };
}
