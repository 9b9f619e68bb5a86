import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { tellEligibility } from '../eligibility/emit-eligibility.ts';
import { loadLivePlan, loadOpenPlan } from '../plans/live-plan.ts';
import { scheduleDue } from '../plans/run-due.ts';
import type { TenantTime } from '../tenants/time.ts';
import type { Told } from './processor-event.ts';
import { win } from './record-dispute-won.ts';
import { takeBack } from './reverse-payment.ts';

interface Wanted {
  readonly tenantId: string;
  readonly at: TenantTime;
}

/** All that the processor has told by now of one tenant's payments; the tenant's row is locked. */
export async function runProcessorEvents(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'>,
  { tenantId, at }: Wanted,
): Promise<number> {
  let done = 0;
  for (;;) {
    const told = await takeNext(ctx, { tenantId, at });
    if (!told) return done;
    done += 1;
    // Nothing comes back twice, and nothing is won that was not taken.
    if (told.outcome !== (told.kind === 'won' ? 'returned' : 'succeeded')) continue;
    const before = await loadLivePlan(ctx.tx, { tenantId, planId: told.planId });
    if (!before) throw new Error(`payment ${told.paymentId} has no plan`);
    const change = told.kind === 'won' ? win : takeBack;
    const plan = await change(ctx, before, told, at);
    await scheduleDue(ctx, await loadOpenPlan(ctx, tenantId), plan);
    await tellEligibility(ctx, plan, at);
  }
}

/** When the processor is going to tell something, as far as it is known. */
export async function momentsToCome(
  { tx }: Pick<Ctx, 'tx'>,
  tenantId: string,
): Promise<TenantTime[]> {
  const rows = await tx.many<{ at: Date }>(sql`
    select occurs_at as at from processor_event
    where tenant_id = ${tenantId} and handled_at is null`);
  return rows.map(({ at }) => at as TenantTime);
}

async function takeNext(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { tenantId, at }: Wanted,
): Promise<Told | undefined> {
  return tx.maybe<Told>(sql`
    with next as (
      update processor_event set handled_at = ${now} where id = (
        select id from processor_event
        where tenant_id = ${tenantId} and handled_at is null and occurs_at <= ${at}
        order by occurs_at, id limit 1)
      returning id, kind, return_code, payment_id
    )
    select e.id, e.kind, e.return_code as "returnCode", y.id as "paymentId", y.outcome,
      y.amount_in_cents as "amountInCents", i.plan_id as "planId", i.id as "installmentId",
      m.id as "methodId", m.type as "methodType"
    from next e join payment y on y.id = e.payment_id join installment i on i.id = y.installment_id
      join plan p on p.id = i.plan_id
      join payment_method m on m.id = coalesce(y.payment_method_id, p.payment_method_id)`);
}
