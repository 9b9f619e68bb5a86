import type { Paydays, QuotesOutput } from '@svc/contract';
import type { Ctx } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { lockTenantSnapshot } from '../eligibility/lock-position.ts';
import { newestPaymentMethod } from '../payments/payment-methods.ts';
import { Refusal } from '../refusal.ts';
import { daysBetween, localDate } from '../tenants/calendar.ts';
import { keepPaydays, sealPaydays } from '../tenants/paydays.ts';
import { tenantTime } from '../tenants/time.ts';
import { quotesFor } from './list-quotes.ts';

/**
 * Stores on which days the tenant gets paid, for this rent and the next ones, and returns the plans with
 * payments on these days. A quote that was on screen before can be accepted only if it is among them.
 */
export async function choosePaydays(
  ctx: Ctx<TenantActor>,
  { paydays }: { readonly paydays: Paydays | null },
): Promise<QuotesOutput> {
  const [snapshot, method] = await Promise.all([
    lockTenantSnapshot(ctx),
    newestPaymentMethod(ctx.tx, ctx.actor),
  ]);
  const { tenant } = snapshot;
  requireNear(paydays, localDate(tenantTime(tenant, ctx.now), tenant.timeZone));
  const paydaysSealed = sealPaydays(ctx.service.vault, tenant.id, paydays);
  ctx.tx.send(keepPaydays(ctx.actor, paydaysSealed));
  return quotesFor(ctx, { ...snapshot, tenant: { ...tenant, paydaysSealed } }, method);
}

/** The next payday is 14 days away at most. A date much further away is a typing error. */
const mostDaysAway = 31;

function requireNear(paydays: Paydays | null, today: string): void {
  if (paydays?.frequency !== 'biweekly') return;
  if (Math.abs(daysBetween(today, paydays.payday)) <= mostDaysAway) return;
  throw new Refusal('validation_failed', {
    errors: [
      {
        param: 'paydays.payday',
        code: 'invalid_value',
        message: `must be within ${mostDaysAway} days of today, ${today}: pass the next payday`,
      },
    ],
  });
}
