import { sql } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { terms } from '../partners/terms.ts';
import { addBankingDays } from '../tenants/banking-days.ts';
import { hourOf, localDate } from '../tenants/calendar.ts';
import { processorId } from './processor.ts';

export interface Movement {
  readonly partnerId: string;
  readonly tenantId: string;
  readonly methodId: string;
  /** The payment, refund or reversing transfer. */
  readonly sourceId: string;
  /** Positive from the tenant to us, negative back to the tenant. */
  readonly amountInCents: number;
  /** Tenant time. */
  readonly at: Date;
  readonly timeZone: string;
}

/**
 * Records money that moved through the processor, in one statement. The processor deposits it on
 * the morning of the next banking day.
 */
export async function recordProcessorEntries(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  movements: readonly Movement[],
): Promise<void> {
  const entries = movements.map((it) => ({
    ...it,
    id: processorId(it.sourceId),
    depositAt: nextMorning(it.at, it.timeZone),
  }));
  await tx.run(sql`
    insert into processor_entry (id, partner_id, tenant_id, payment_method_id, source_id,
      amount_in_cents, deposit_at, created_at)
    select e.id, e."partnerId", e."tenantId", e."methodId", e."sourceId", e."amountInCents",
      e."depositAt", ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(entries)}::json) as e(id text, "partnerId" text,
      "tenantId" text, "methodId" text, "sourceId" text, "amountInCents" bigint,
      "depositAt" timestamptz)`);
}

/** 9:00 on the next banking day, local time: when a slow bank answers and the processor deposits. */
export function nextMorning(at: Date, timeZone: string): Date {
  return hourOf(addBankingDays(localDate(at, timeZone), 1), terms.workHour, timeZone);
}
