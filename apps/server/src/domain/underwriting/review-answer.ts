import { declineReason, declineReasons } from '@svc/contract';
import { z } from 'zod';
import { declineSources, ownReason } from './decline-details.ts';
import type { PolicyDecision } from './policy.ts';

const policyVersion = z.string().min(1).max(100);

/** True if the Military Lending Act covers the tenant. Left out if the service has not looked it up. */
const militaryCovered = z.boolean().optional();

/** The answer of the operator's decision service. Unknown fields are ignored. */
export const reviewAnswer = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('approved'),
    policy_version: policyVersion,
    approved_amount_in_cents: z.int().min(1),
    military_covered: militaryCovered,
  }),
  z.object({
    outcome: z.literal('declined'),
    policy_version: policyVersion,
    // Regulation B asks for the principal reasons; its commentary suggests at most four.
    reasons: z
      .array(
        z.union([declineReason, ownReason], {
          error: `must be one of ${declineReasons.join(', ')}, or a code with its text`,
        }),
      )
      .min(1)
      .max(4),
    ...declineSources,
  }),
  // The sources are kept for the notice, in case a person declines.
  z.object({
    outcome: z.literal('in_review'),
    policy_version: policyVersion,
    military_covered: militaryCovered,
    ...declineSources,
  }),
]);
export type ReviewAnswer = z.infer<typeof reviewAnswer>;

/** The decision, limited to the terms' maximum; null if the service has not decided yet. */
export function boundedDecision(
  answer: ReviewAnswer,
  maximumInCents: number,
): PolicyDecision | null {
  switch (answer.outcome) {
    case 'approved': {
      const { approved_amount_in_cents: amount } = answer;
      const approvedAmountInCents = Math.min(amount, maximumInCents);
      const { military_covered } = answer;
      return { outcome: 'approved', reasons: [], approvedAmountInCents, military_covered };
    }
    case 'declined':
      return { ...declined(answer), approvedAmountInCents: 0 };
    case 'in_review':
      return null;
  }
}

function declined({
  reasons,
  consumer_reports,
  information_from_others,
}: Extract<ReviewAnswer, { outcome: 'declined' }>) {
  return {
    outcome: 'declined' as const,
    reasons: reasons.map((it) => (typeof it === 'string' ? it : it.code)),
    details: {
      reasons: reasons.filter((it) => typeof it !== 'string'),
      consumer_reports,
      information_from_others,
    },
  };
}
