import { bigint, instant, recordset, row, sql, text } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { workHour } from '../partners/operating-hours.ts';
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

const entryRow = row('processor entry', {
  partner_id: text,
  id: text,
  tenant_id: text,
  payment_method_id: text,
  source_id: text,
  amount_in_cents: bigint,
  deposit_at: instant,
});

/**
 * Records money that moved through the processor, in one statement. The processor deposits it on
 * the morning of the next banking day.
 */
export function recordProcessorEntries(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  movements: readonly Movement[],
): void {
  const entries = movements.map((it) => ({
    partner_id: it.partnerId,
    id: processorId(it.sourceId),
    tenant_id: it.tenantId,
    payment_method_id: it.methodId,
    source_id: it.sourceId,
    amount_in_cents: it.amountInCents,
    deposit_at: nextMorning(it.at, it.timeZone),
  }));
  tx.send(sql`
    insert into processor_entry (partner_id, id, tenant_id, payment_method_id, source_id,
      amount_in_cents, deposit_at, created_at)
    select e.partner_id, e.id, e.tenant_id, e.payment_method_id, e.source_id, e.amount_in_cents,
      e.deposit_at, ${now}::timestamptz
    from ${recordset(entryRow, entries, 'e')}`);
}

/** Returns 9:00 on the next banking day, local time, when a slow bank answers and the processor deposits. */
export function nextMorning(at: Date, timeZone: string): Date {
  return hourOf(addBankingDays(localDate(at, timeZone), 1), workHour, timeZone);
}
