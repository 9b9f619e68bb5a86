import { bigint, row, sql, text } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { allEntryKeysOf } from './entry-key.ts';
import { recordProcessorEntries } from './record-processor-entry.ts';
import { requestRefunds } from './refund-calls.ts';

const reversedRow = row('reversed processor entry', {
  partnerId: text,
  tenantId: text,
  methodId: text,
  /** The id of the reversing transfer. */
  sourceId: text,
  amountInCents: bigint,
  timeZone: text,
  /** The payment or refund that was reversed. */
  reversedId: text,
});

interface Canceled {
  readonly partnerId: string;
  readonly planId: string;
  /** Tenant time. */
  readonly at: Date;
}

/** Refunds what the processor has charged for a plan, after the plan's transfers were reversed. */
export async function refundCharge(
  ctx: UnitOfWork,
  { partnerId, planId, at }: Canceled,
): Promise<void> {
  const reversed = await ctx.tx.many(
    reversedRow,
    sql`
    select e.partner_id, e.tenant_id,
      e.payment_method_id as method_id, r.transfer_id as source_id,
      -e.amount_in_cents as amount_in_cents, t.time_zone,
      e.source_id as reversed_id
    from processor_entry e
      join tenant t on t.partner_id = e.partner_id and t.id = e.tenant_id
      join ledger_transfer_source l on l.partner_id = e.partner_id and l.source_id = e.source_id
      join ledger_transfer_source r on r.partner_id = l.partner_id
        and r.source_id = l.transfer_id and r.kind = 'reversal'
    where e.partner_id = ${partnerId}
      and e.source_id = any(array(
        ${allEntryKeysOf({ partnerId: sql`${partnerId}`, planId: sql`${planId}` })}))
      and not exists (select from processor_entry d
        where d.partner_id = ${partnerId} and d.source_id = r.transfer_id)`,
  );
  const movements = reversed.map((it) => ({ ...it, at }));
  if (movements.length === 0) return;
  recordProcessorEntries(ctx, movements);
  for (const { tenantId, sourceId, amountInCents, reversedId: paymentId } of movements) {
    const given = { partnerId, tenantId, planId, sourceId, amountInCents: -amountInCents };
    // If the reversed entry is itself a refund, nothing is given back.
    if (amountInCents < 0) await requestRefunds(ctx, { ...given, paymentId });
  }
}
