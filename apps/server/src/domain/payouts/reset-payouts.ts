import { bigint, boolean, row, sql } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { takeFromPayout } from '../settlements/move-with-payout.ts';
import { insertAdjustment } from './by-operator.ts';

const paidRow = row('what payouts have of a settlement', { isInPayout: boolean, net: bigint });

/**
 * Deducts from the next payout what payouts have paid, or will pay, for the settlement of a plan. The sandbox's
 * reset has reversed the plan's ledger entries before.
 */
export async function resetInPayouts(
  uow: UnitOfWork,
  { partnerId, planId }: { readonly partnerId: string; readonly planId: string },
): Promise<void> {
  const found = await uow.tx.maybe(
    paidRow,
    sql`
    select active.is_in_payout,
      (case when active.is_in_payout then s.amount_in_cents else 0 end
        - coalesce((select sum(f.amount_in_cents) from refund f where f.partner_id = ${partnerId}
          and f.settlement_id = s.id and f.deducted), 0))::int8 as net
    from settlement s, lateral (select count(*) > 0 from payout_line l
        where l.partner_id = ${partnerId} and l.source_id = s.id and not l.released) active(is_in_payout)
    where s.partner_id = ${partnerId} and s.plan_id = ${planId} and s.payout_id is not null`,
  );
  if (!found) return;
  if (found.net !== 0) {
    const about = { partnerId, amountInCents: -found.net, user: 'simulation' };
    await insertAdjustment(uow, { ...about, reason: `reset of the plan ${planId}` });
  }
  if (found.isInPayout) return;
  await takeFromPayout(uow, { partnerId, planId });
}
