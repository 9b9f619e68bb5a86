import { applicationTransitions, mayMove } from '@svc/contract';
import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { Application } from '../eligibility/load-tenant-snapshot.ts';
import { Refusal } from '../refusal.ts';
import type { PolicyFacts } from '../underwriting/policy.ts';

/** The due time of a review that waits for a person: the decision service is never asked about it. */
export const neverDueAt = new Date('9999-12-31T00:00:00Z');

interface Question {
  readonly partnerId: string;
  readonly application: Application;
  readonly facts: PolicyFacts;
  /** True if an operator has to look at the application before the decision service is asked. */
  readonly isHeld: boolean;
}

/**
 * Puts the application into the review queue. A job asks the operator's decision service about it after the
 * commit, unless it is held. Returns the application, now in review.
 */
export async function askForReview(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { partnerId, application, facts, isHeld }: Question,
): Promise<Application> {
  if (!mayMove(applicationTransitions, application.state as 'submitted', 'in_review')) {
    throw new Refusal('step_not_allowed');
  }
  await tx.run(sql`
    update application set state = 'in_review', version = version + 1
    where partner_id = ${partnerId} and id = ${application.id}`);
  await tx.run(sql`
    insert into review (partner_id, application_id, facts, due_at)
    values (${partnerId}, ${application.id}, ${JSON.stringify(facts)}::jsonb,
      ${isHeld ? neverDueAt : now})`);
  return { ...application, state: 'in_review', version: application.version + 1 };
}
