import type { DeclineReason, ExperienceState } from '@svc/contract';
import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { terms } from '../partners/terms.ts';

const reasonWords: Record<DeclineReason, string> = {
  income_too_low: 'Income is too low for the amount',
  account_too_new: 'Length of residence is too short',
  past_plan_unpaid: 'An earlier plan was not paid in full',
  unable_to_verify: 'We were unable to verify the information given',
};

// Regulation B, 12 CFR 1002.9(b)(1), in the words of its model notice.
const rights =
  'The federal Equal Credit Opportunity Act prohibits creditors from discriminating against credit applicants on the basis of race, color, religion, national origin, sex, marital status, or age (provided the applicant has the capacity to enter into a binding contract); because all or part of the applicant’s income derives from any public assistance program; or because the applicant has in good faith exercised any right under the Consumer Credit Protection Act. The federal agency that administers compliance with this law concerning this creditor is the Federal Trade Commission, Equal Credit Opportunity, Washington, DC 20580.';

/** The adverse-action notice: for the tenant alone, never for the partner. */
export async function readNotice(
  ctx: Pick<Ctx, 'tx'>,
  application: { readonly id: string },
): Promise<ExperienceState['notice']> {
  const row = await ctx.tx.maybe<{ reasons: DeclineReason[]; decided_at: Date }>(sql`
    select reasons, decided_at from decision
    where application_id = ${application.id} and outcome = 'declined'
    order by created_at desc limit 1`);
  return row
    ? {
        decided_on: row.decided_at.toISOString().slice(0, 10),
        creditor: terms.lenderName,
        reasons: row.reasons.map((reason) => reasonWords[reason]),
        reason_codes: row.reasons,
        rights,
      }
    : null;
}
