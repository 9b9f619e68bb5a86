import { type Queryable, sql } from '@svc/db';
import { findClaimCondition } from '../../cluster.ts';
import type { UnitOfWork } from '../../context.ts';
import type { TenantKey } from '../tenant-key.ts';
import { claimByClock } from '../tenants/claim-by-clock.ts';
import { openDetails } from '../underwriting/decline-details.ts';
import { decideInReview, type Review, reviewColumns, reviewRow } from './review.ts';

interface Options {
  readonly limit: number;
  /** Limits the run to one tenant, for a simulated clock. Left out, it covers the tenants of all partners. */
  readonly tenant?: TenantKey;
}

/**
 * Locks the tenants whose application is still in review although its rent cycle has closed in the tenant's time.
 * Returns their reviews, those that closed first.
 */
export function claimUndecided(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  { limit, tenant }: Options,
): Promise<Review[]> {
  return claimByClock({ at: sql`a.expires_at`, now, tenant }, async (isDue) => {
    const due = sql`
      /* all partners, unless a tenant is given */
      from application a join tenant t on t.partner_id = a.partner_id and t.id = a.tenant_id
        join partner p on p.id = a.partner_id
        join review r on r.partner_id = a.partner_id and r.application_id = a.id
      where a.state = 'in_review' and ${isDue}`;
    const among = await findClaimCondition(tx, { of: 'a', joined: ['t', 'r'], due });
    if (!among) return [];
    return tx.many(
      reviewRow,
      sql`
      /* many rows: all tenants with a simulated clock */
      /* all partners, unless a tenant is given */
      select ${reviewColumns} ${due} and ${among('a')}
      order by a.expires_at limit ${limit} for update of t skip locked`,
    );
  });
}

/**
 * Declines applications that were not decided in time. Regulation B, 12 CFR 1002.9(a)(1), asks for a notice within 30
 * days, and a rent cycle is open for less, so the decline notice is in time. The reason is the one on its form C-1 that
 * is true: a review verifies what the tenant has stated, and this one did not get that far. Because nothing was decided
 * about the tenant, the tenant may apply again at once. The notice names the sources that the decision service used.
 */
export async function declineUndecided(uow: UnitOfWork, reviews: readonly Review[]): Promise<void> {
  for (const review of reviews) {
    const { applicationId, detailsSealed } = review;
    const sources = openDetails(uow.service.vault, applicationId, detailsSealed);
    const concluded = await decideInReview(uow, review, {
      policyVersion: 'not-decided',
      decide: () => ({
        outcome: 'declined',
        reasons: ['unable_to_verify'],
        approvedAmountInCents: 0,
        ...(sources && { details: sources }),
      }),
      mayReapplyAtOnce: true,
    });
    if (concluded !== 'decided') throw new Error(`${applicationId} is not the tenant's newest`);
  }
}

/** Postpones the decline until `until`, because declining failed. */
export function postponeUndecided(
  q: Queryable,
  { partnerId, tenantId }: TenantKey,
  until: Date,
): Promise<unknown> {
  return q.run(sql`
    update application set expires_at = ${until}
    where partner_id = ${partnerId} and tenant_id = ${tenantId} and state = 'in_review'`);
}
