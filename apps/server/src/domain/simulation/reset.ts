import type { SimulationOutput } from '@svc/contract';
import { row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { requireMoneyRunning } from '../controls/money-switch.ts';
import { scheduleEligibilityChange } from '../eligibility/emit-eligibility.ts';
import { loadTenantSnapshot, positionOf } from '../eligibility/load-tenant-snapshot.ts';
import { emit, type NewEvent } from '../events/emit.ts';
import { reverse } from '../ledger/post.ts';
import { depositNow } from '../payments/deposit.ts';
import { refundCharge } from '../payments/refund-charge.ts';
import { resetInPayouts } from '../payouts/reset-payouts.ts';
import { findPlan } from '../plans/read-plan.ts';
import { transferSourcesOf } from '../plans/transfer-sources.ts';
import { Refusal } from '../refusal.ts';
import { ensureTenant } from '../tenants/ensure-tenant.ts';
import { isSimulated } from '../tenants/time.ts';
import { readSimulation } from './read.ts';

const openPlanRow = row('open plan', { id: text });

/**
 * Returns a tenant to real time and real underwriting. Ends open applications and plans, with
 * reversing entries, so that the tenant can start again.
 */
export async function resetSimulation(
  ctx: Ctx<PartnerActor>,
  { external_id }: { external_id: string },
): Promise<SimulationOutput> {
  const { partnerId, pms } = ctx.actor;
  const key = { partnerId, externalId: external_id };
  await ensureTenant(ctx, key);
  const snapshot = await loadTenantSnapshot(ctx.tx, key, { lock: true });
  if (!snapshot) throw new Refusal('tenant_not_found');
  const { tenant } = snapshot;
  const { at } = positionOf(snapshot, ctx);
  const open = await ctx.tx.many(
    openPlanRow,
    sql`
    select id from plan
    where partner_id = ${partnerId} and tenant_id = ${tenant.id}
      and state in ('created', 'active', 'past_due')
    order by id`,
  );
  const events: NewEvent[] = [];
  // Canceling a plan refunds what was charged.
  if (open.length > 0) await requireMoneyRunning(ctx.tx);
  for (const { id } of open) events.push(await cancelPlan(ctx, id, at));
  await ctx.tx.run(sql`
    delete from processor_event
    where partner_id = ${partnerId} and tenant_id = ${tenant.id} and handled_at is null`);
  await ctx.service.simulator?.reset(ctx.tx, { partnerId, tenantId: tenant.id });
  await depositNow(ctx, { partnerId, tenantId: tenant.id, at });
  await ctx.tx.run(sql`
    update application set state = 'withdrawn', ssn_sealed = null, version = version + 1
    where partner_id = ${partnerId} and tenant_id = ${tenant.id}
      and state in ('started', 'submitted', 'in_review', 'approved', 'declined')`);
  await ctx.tx.run(sql`
    update tenant set underwriting_result = null, decline_reasons = '{}',
      simulated_cycle_date = null, clock_offset_ms = null,
      pending_payment_failures = '{}', paydays_sealed = null, version = version + 1,
      updated_at = ${ctx.now}
    where partner_id = ${partnerId} and id = ${tenant.id}`);
  const real = { ...tenant, simulatedCycleDate: null, clockOffsetMs: null };
  await scheduleEligibilityChange(ctx, { ...snapshot, tenant: real, application: null });
  await ctx.tx.run(sql`
    delete from tenant_due where partner_id = ${partnerId} and tenant_id = ${tenant.id}`);
  await ctx.tx.run(sql`
    delete from collection_hold where partner_id = ${partnerId} and tenant_id = ${tenant.id}`);
  await ctx.tx.run(sql`
    update plan set covers_charges = false
    where partner_id = ${partnerId} and tenant_id = ${tenant.id}`);
  const simulated = isSimulated(tenant);
  if (events.length > 0) {
    emit(ctx, { partnerId, pms, externalId: tenant.externalId, simulated, at }, events);
  }
  return readSimulation(ctx, { external_id });
}

const transferRow = row('transfer to reverse', { id: text });

async function cancelPlan(ctx: Ctx<PartnerActor>, planId: string, at: Date): Promise<NewEvent> {
  const { partnerId } = ctx.actor;
  await ctx.tx.run(sql`
    update plan set state = 'canceled', version = version + 1
    where partner_id = ${partnerId} and id = ${planId}`);
  await ctx.tx.run(sql`
    update installment set state = 'canceled', version = version + 1
    where partner_id = ${partnerId} and plan_id = ${planId}
      and state in ('scheduled', 'processing', 'failed', 'overdue')`);
  await ctx.tx.run(sql`
    update processor_call set cancel_wanted = true, check_at = least(check_at, ${ctx.now}::timestamptz)
    where partner_id = ${partnerId} and state not in ('succeeded', 'failed') and key in (
      select y.id from payment y
        join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
      where i.partner_id = ${partnerId} and i.plan_id = ${planId} and y.outcome = 'pending')`);
  await ctx.tx.run(sql`
    update payment y set outcome = 'canceled' from installment i
    where i.partner_id = ${partnerId} and i.plan_id = ${planId}
      and y.partner_id = i.partner_id and y.installment_id = i.id and y.outcome = 'pending'`);
  await ctx.tx.run(sql`
    update settlement set status = 'failed', failure_reason = 'simulation_reset',
      version = version + 1, updated_at = ${ctx.now}
    where partner_id = ${partnerId} and plan_id = ${planId}
      and status in ('unsettled', 'unverified')`);
  const transfers = await ctx.tx.many(
    transferRow,
    sql`
    select l.transfer_id as id from ledger_transfer_source l
    where l.partner_id = ${partnerId} and l.source_id = any(array(
        ${transferSourcesOf({ partnerId: sql`${partnerId}`, planId: sql`${planId}` })}))
      and not exists (select from ledger_transfer_source r
        where r.partner_id = ${partnerId} and r.source_id = l.transfer_id and r.kind = 'reversal')
    order by l.transfer_id`,
  );
  for (const { id: transferId } of transfers) await reverse(ctx, { partnerId, transferId }, at);
  await resetInPayouts(ctx, { partnerId, planId });
  await refundCharge(ctx, { partnerId, planId, at });
  const plan = await findPlan(ctx.tx, { partnerId, id: planId });
  if (!plan) throw new Refusal('plan_not_found');
  return {
    type: 'plan.canceled',
    version: plan.version,
    data: {
      plan_id: plan.id,
      rent_cycle_date: plan.rent_cycle_date,
      product_variant: plan.product_variant,
      amount_financed_in_cents: plan.amount_financed_in_cents,
      fee_in_cents: plan.fee_in_cents,
      apr_bps: plan.apr_bps,
      installments: plan.installments,
      reason: 'simulation_reset',
    },
  };
}
