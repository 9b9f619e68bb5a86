import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { terms } from '../partners/terms.ts';
import { addBankingDays } from '../tenants/banking-days.ts';
import { hourOf, localDate } from '../tenants/calendar.ts';
import { shared } from '../together.ts';
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
export const noteEntry = shared(
  async ({ tx, now }: Pick<Ctx, 'tx' | 'now'>, movements: readonly Movement[]) => {
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
  },
);

/** When a slow bank answers, and the processor deposits: early on the next banking day there. */
export function nextMorning(at: Date, timeZone: string): Date {
  return hourOf(addBankingDays(localDate(at, timeZone), 1), terms.workHour, timeZone);
}
