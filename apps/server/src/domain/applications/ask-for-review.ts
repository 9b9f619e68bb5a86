import { applicationTransitions, mayMove } from '@svc/contract';
import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { Application } from '../eligibility/load-tenant-snapshot.ts';
import { Refusal } from '../refusal.ts';
import type { PolicyFacts } from '../underwriting/policy.ts';

/**
 * Queues the question to the operator's decision service; a job asks it after the commit. Returns
 * the application, now in review.
 */
export async function askForReview(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  partnerId: string,
  application: Application,
  facts: PolicyFacts,
): Promise<Application> {
  if (!mayMove(applicationTransitions, application.state as 'submitted', 'in_review')) {
    throw new Refusal('step_not_allowed');
  }
  await ctx.tx.run(sql`
    update application set state = 'in_review', version = version + 1
    where partner_id = ${partnerId} and id = ${application.id}`);
  await ctx.tx.run(sql`
    insert into review (partner_id, application_id, facts, due_at)
    values (${partnerId}, ${application.id}, ${JSON.stringify(facts)}::jsonb, ${ctx.now})`);
  return { ...application, state: 'in_review', version: application.version + 1 };
}
