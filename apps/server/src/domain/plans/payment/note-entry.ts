import { sql } from '@svc/db';
import type { Ctx } from '../../../context.ts';
import { terms } from '../../partners/terms.ts';
import { hourOf, localDate } from '../../tenants/calendar.ts';
import { addBankingDays } from '../offer/banking-days.ts';
import { processorId } from './processor.ts';

interface Movement {
  readonly partnerId: string;
  readonly tenantId: string;
  readonly methodId: string;
  /** The payment, refund or reversing transfer. */
  readonly sourceId: string;
  /** From the tenant; negative back to them. */
  readonly amountInCents: number;
  /** Tenant time. */
  readonly at: Date;
  readonly timeZone: string;
}

/** Notes what went through the processor, which deposits it on the morning of the next banking day. */
export async function noteEntry(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { partnerId, tenantId, methodId, sourceId, amountInCents, at, timeZone }: Movement,
): Promise<void> {
  const depositAt = nextMorning(at, timeZone);
  await tx.run(sql`
    insert into processor_entry (id, partner_id, tenant_id, payment_method_id, source_id,
      amount_in_cents, deposit_at, created_at)
    values (${processorId(sourceId)}, ${partnerId}, ${tenantId}, ${methodId}, ${sourceId},
      ${amountInCents}, ${depositAt}, ${now})`);
}

/** When a slow bank answers, and the processor deposits: early on the next banking day there. */
export function nextMorning(at: Date, timeZone: string): Date {
  return hourOf(addBankingDays(localDate(at, timeZone), 1), terms.workHour, timeZone);
}
