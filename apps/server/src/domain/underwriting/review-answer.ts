import { declineReason } from '@svc/contract';
import { z } from 'zod';
import type { PolicyDecision } from './policy.ts';

const policyVersion = z.string().min(1).max(100);

/** The answer of the operator's decision service. Unknown fields are ignored. */
export const reviewAnswer = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('approved'),
    policy_version: policyVersion,
    approved_amount_in_cents: z.int().min(1),
  }),
  z.object({
    outcome: z.literal('declined'),
    policy_version: policyVersion,
    // Regulation B asks for the principal reasons; its commentary suggests at most four.
    reasons: z.array(declineReason).min(1).max(4),
  }),
  z.object({ outcome: z.literal('in_review'), policy_version: policyVersion }),
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
      return { outcome: 'approved', reasons: [], approvedAmountInCents };
    }
    case 'declined':
      return { outcome: 'declined', reasons: answer.reasons, approvedAmountInCents: 0 };
    case 'in_review':
      return null;
  }
}
