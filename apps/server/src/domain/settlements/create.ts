import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';

interface NewSettlement {
  readonly id: string;
  readonly partnerId: string;
  readonly tenantId: string;
  readonly planId: string;
  readonly amountInCents: number;
  readonly rentCycleDate: string;
  readonly debitBy: string;
  /** The last day before an open settlement counts as stale. */
  readonly staleAfter: string;
}

/** Stores what we owe the portal for a plan. A plan has one settlement. */
export async function createSettlement(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  input: NewSettlement,
): Promise<void> {
  await tx.run(sql`
    insert into settlement (partner_id, id, tenant_id, plan_id, status, amount_in_cents,
      rent_cycle_date, debit_by, stale_after, created_at, updated_at)
    values (${input.partnerId}, ${input.id}, ${input.tenantId}, ${input.planId}, 'unsettled',
      ${input.amountInCents}, ${input.rentCycleDate}, ${input.debitBy}, ${input.staleAfter},
      ${now}, ${now})`);
}
