import { instant, nullable, oneOf, recordset, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import { terms } from '../partners/terms.ts';
import { nextBankingDay } from '../tenants/banking-days.ts';
import { addDays, hourOf, localDate } from '../tenants/calendar.ts';
import type { TenantTime } from '../tenants/time.ts';
import { openInstrument } from './payment-methods.ts';
import { processorOf } from './processor-of.ts';

interface Payment {
  readonly partnerId: string;
  readonly tenantId: string;
  readonly paymentId: string;
  readonly methodId: string;
  readonly detailsSealed: Buffer;
  readonly timeZone: string;
  readonly at: TenantTime;
}

const eventRow = row('scheduled processor event', {
  id: text,
  kind: oneOf('taken_back', 'won'),
  return_code: nullable(text),
  occurs_at: instant,
});

/**
 * Stores the events that the sandbox's processor will report about a payment later (a return, a won
 * dispute), each due on the morning of its day.
 */
export async function scheduleProcessorEvents(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'>,
  { partnerId, tenantId, paymentId, methodId, detailsSealed, timeZone, at }: Payment,
): Promise<void> {
  const instrument = openInstrument(ctx, { methodId, detailsSealed });
  const upcoming = processorOf(ctx.service).upcomingEvents(instrument);
  if (upcoming.length === 0) return;
  const events = upcoming.map(({ kind, returnCode, afterDays }) => {
    const day = nextBankingDay(addDays(localDate(at, timeZone), afterDays));
    return {
      id: newId('pev', ctx.now),
      kind,
      return_code: returnCode,
      occurs_at: hourOf(day, terms.workHour, timeZone),
    };
  });
  await ctx.tx.run(sql`
    insert into processor_event (partner_id, id, tenant_id, payment_id, kind, return_code,
      occurs_at, created_at)
    select ${partnerId}, e.id, ${tenantId}, ${paymentId}, e.kind, e.return_code, e.occurs_at,
      ${ctx.now}::timestamptz
    from ${recordset(eventRow, events, 'e')}`);
}
