import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { entryKeysOf } from './entry-key.ts';
import { recordProcessorEntries } from './record-processor-entry.ts';

interface Reversed {
  readonly partnerId: string;
  readonly tenantId: string;
  readonly methodId: string;
  /** The reversing transfer. */
  readonly sourceId: string;
  readonly amountInCents: number;
  readonly timeZone: string;
}

/** Refunds what the processor has charged for a plan, after the plan's transfers were reversed. */
export async function refundCharge(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  {
    partnerId,
    planId,
    at,
  }: { readonly partnerId: string; readonly planId: string; readonly at: Date },
): Promise<void> {
  const reversed = await ctx.tx.many<Reversed>(sql`
    select e.partner_id as "partnerId", e.tenant_id as "tenantId",
      e.payment_method_id as "methodId", r.id as "sourceId",
      -e.amount_in_cents as "amountInCents", t.time_zone as "timeZone"
    from processor_entry e join tenant t on t.partner_id = e.partner_id and t.id = e.tenant_id
      join ledger_transfer l on l.source_id = e.source_id
      join ledger_transfer r on r.reverses_id = l.id
    where e.source_id = any(array(${entryKeysOf({ partnerId: sql`${partnerId}`, planId: sql`${planId}` })}))
      and not exists (select from processor_entry d where d.source_id = r.id)`);
  const movements = reversed.map((it) => ({ ...it, at }));
  if (movements.length > 0) await recordProcessorEntries(ctx, movements);
}
