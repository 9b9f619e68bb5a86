import { sql } from '@svc/db';
import { createEndpoint } from '@svc/webhooks';
import { openStage, type Stage, sendMailsAt, tickAt, webhookDeps } from '../domain/setup.ts';
import { splitRent } from '../domain/split-rent.ts';

/** The day on which the tenants split their rent. */
export const splitAt = new Date('2026-02-01T12:00:00Z');
export const dueDate = '2026-02-01';
/** Between the deposit of the first payments and the first reminder. */
const settledAt = new Date('2026-02-05T12:00:00Z');
const tenants = 4;

/** Creates a partner with an endpoint and four tenants, each with a plan whose first payment is settled. */
export async function playTenants(url: string): Promise<Stage> {
  const stage = await openStage(url, { limits: { statement: 600_000 } });
  const { db, partner } = stage;
  const endpoint = { url: 'https://partner.example/webhooks' };
  await db.transaction((tx) =>
    createEndpoint(tx, webhookDeps, partner.partnerId, endpoint, splitAt),
  );
  for (let number = 0; number < tenants; number += 1) {
    await splitRent(stage, `t-${number}`, { dueDate, now: splitAt });
  }
  await tickAt(db, settledAt);
  await sendMailsAt(db, settledAt);
  // The copies of these tenants have nothing to do until the end of the bench.
  await db.run(sql`update tenant set turns_at = null where partner_id = ${partner.partnerId}`);
  await db.run(sql`
    update application set expires_at = ${new Date('2027-01-01T00:00:00Z')}
    where partner_id = ${partner.partnerId}`);
  return stage;
}
