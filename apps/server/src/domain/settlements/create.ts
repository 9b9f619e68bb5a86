import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { PaidCharge } from './allocate.ts';

interface NewSettlement {
  readonly partnerId: string;
  readonly tenantId: string;
  readonly planId: string;
  readonly amountInCents: number;
  readonly rentCycleDate: string;
  readonly debitBy: string;
  /** The last day on which nobody needs to wonder that it is still open. */
  readonly staleAfter: string;
}

interface Created {
  readonly id: string;
  /** What it pays, charge by charge. */
  readonly paid: PaidCharge[];
}

/** What we owe the portal for a plan: one for each, for ever. */
export async function createSettlement(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  input: NewSettlement,
): Promise<Created> {
  const id = newId('stl', ctx.now);
  const paid = await ctx.tx.many<PaidCharge>(sql`
    with created as (
      insert into settlement (id, partner_id, tenant_id, plan_id, status, amount_in_cents,
        rent_cycle_date, debit_by, stale_after, created_at, updated_at)
      values (${id}, ${input.partnerId}, ${input.tenantId}, ${input.planId}, 'unsettled',
        ${input.amountInCents}, ${input.rentCycleDate}, ${input.debitBy}, ${input.staleAfter},
        ${ctx.now}, ${ctx.now})
    )
    select charge_id, amount_in_cents from plan_charge where plan_id = ${input.planId}
    order by charge_id`);
  return { id, paid };
}
