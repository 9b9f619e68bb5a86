import { sql } from '@svc/db';
import type { Ctx } from '../../../context.ts';
import { newId } from '../../../ids.ts';
import { terms } from '../../partners/terms.ts';
import { addDays, hourOf, localDate } from '../../tenants/calendar.ts';
import type { TenantTime } from '../../tenants/time.ts';
import type { LivePlan } from '../life/live-plan.ts';
import { nextBankingDay } from '../offer/banking-days.ts';
import { openInstrument } from '../payment/payment-methods.ts';
import { processorOf } from '../payment/processor-of.ts';

interface FirstPayment {
  readonly paymentId: string;
  readonly at: TenantTime;
}

/** Notes what the sandbox's processor will tell of a plan's first payment, each on its morning. */
export async function announce(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'>,
  { tenantId, method, detailsSealed, timeZone }: LivePlan,
  { paymentId, at }: FirstPayment,
): Promise<void> {
  const instrument = openInstrument(ctx, { methodId: method.id, detailsSealed });
  for (const { kind, returnCode, afterDays } of processorOf(ctx.service).tellsLater(instrument)) {
    const day = nextBankingDay(addDays(localDate(at, timeZone), afterDays));
    await ctx.tx.run(sql`
      insert into processor_event (id, tenant_id, payment_id, kind, return_code, occurs_at,
        created_at)
      values (${newId('pev', ctx.now)}, ${tenantId}, ${paymentId}, ${kind}, ${returnCode},
        ${hourOf(day, terms.workHour, timeZone)}, ${ctx.now})`);
  }
}
