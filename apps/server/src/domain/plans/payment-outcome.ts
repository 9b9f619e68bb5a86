import { sql } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import type { LivePlan } from './live-plan.ts';

type PaymentOfPlan = { readonly paymentId: string; readonly installmentId: string };

/** Marks a payment that a bank took back, in full or in part. A completed plan becomes open again. */
export async function markReturned(
  { tx }: Pick<UnitOfWork, 'tx'>,
  plan: LivePlan,
  { paymentId, installmentId }: PaymentOfPlan,
  returnCode: string,
): Promise<void> {
  const { partnerId } = plan;
  await tx.run(sql`
    update payment set outcome = 'returned', return_code = ${returnCode}
    where partner_id = ${partnerId} and id = ${paymentId}`);
  // Other payments of the installment no longer complete it.
  await tx.run(sql`
    update payment set is_part = true
    where partner_id = ${partnerId} and installment_id = ${installmentId}
      and outcome = 'succeeded' and not is_part`);
  if (plan.state === 'completed') {
    await tx.run(sql`
      update plan set reopened = true where partner_id = ${partnerId} and id = ${plan.id}`);
  }
}

/** Marks a returned payment whose money is all ours again. */
export async function markWonBack(
  { tx }: Pick<UnitOfWork, 'tx'>,
  { partnerId }: Pick<LivePlan, 'partnerId'>,
  { paymentId }: Pick<PaymentOfPlan, 'paymentId'>,
  { isPart }: { readonly isPart: boolean },
): Promise<void> {
  await tx.run(sql`
    update payment set outcome = 'succeeded', return_code = null, is_part = ${isPart}
    where partner_id = ${partnerId} and id = ${paymentId}`);
}
