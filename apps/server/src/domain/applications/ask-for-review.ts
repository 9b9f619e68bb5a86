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
  const inReview = await moveToReview(ctx, partnerId, application);
  await queueReview(ctx, { partnerId, applicationId: application.id, facts });
  return inReview;
}

export async function queueReview(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  review: {
    readonly partnerId: string;
    readonly applicationId: string;
    readonly facts: PolicyFacts;
  },
): Promise<void> {
  await tx.run(sql`
    insert into review (partner_id, application_id, facts, due_at)
    values (${review.partnerId}, ${review.applicationId}, ${JSON.stringify(review.facts)}::jsonb,
      ${now})`);
}

/** The tenant sees that the application is in review. */
export async function moveToReview(
  { tx }: Pick<Ctx, 'tx'>,
  partnerId: string,
  application: Application,
): Promise<Application> {
  if (!mayMove(applicationTransitions, application.state as 'submitted', 'in_review')) {
    throw new Refusal('step_not_allowed');
  }
  await tx.run(sql`
    update application set state = 'in_review', version = version + 1
    where partner_id = ${partnerId} and id = ${application.id}`);
  return { ...application, state: 'in_review', version: application.version + 1 };
}
