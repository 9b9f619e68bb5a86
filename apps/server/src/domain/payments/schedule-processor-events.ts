import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import { terms } from '../partners/terms.ts';
import { nextBankingDay } from '../tenants/banking-days.ts';
import { addDays, hourOf, localDate } from '../tenants/calendar.ts';
import type { TenantTime } from '../tenants/time.ts';
import { openInstrument } from './payment-methods.ts';
import { processorOf } from './processor-of.ts';

interface Payment {
  readonly paymentId: string;
  readonly tenantId: string;
  readonly methodId: string;
  readonly detailsSealed: Buffer;
  readonly timeZone: string;
  readonly at: TenantTime;
}

/**
 * Stores the events that the sandbox's processor will report about a payment later (a return, a won
 * dispute), each due on the morning of its day.
 */
export async function scheduleProcessorEvents(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'>,
  { paymentId, tenantId, methodId, detailsSealed, timeZone, at }: Payment,
): Promise<void> {
  const instrument = openInstrument(ctx, { methodId, detailsSealed });
  for (const { kind, returnCode, afterDays } of processorOf(ctx.service).tellsLater(instrument)) {
    const day = nextBankingDay(addDays(localDate(at, timeZone), afterDays));
    await ctx.tx.run(sql`
      insert into processor_event (id, tenant_id, payment_id, kind, return_code, occurs_at,
        created_at)
      values (${newId('pev', ctx.now)}, ${tenantId}, ${paymentId}, ${kind}, ${returnCode},
        ${hourOf(day, terms.workHour, timeZone)}, ${ctx.now})`);
  }
}
