import type { DeclineReason, SimulationOutput, UnderwritingResult } from '@svc/contract';
import { sql } from '@svc/db';
import type { Ctx, RequestSteps } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { scheduleEligibilityChange } from '../eligibility/emit-eligibility.ts';
import { loadTenantSnapshot } from '../eligibility/load-tenant-snapshot.ts';
import { Refusal } from '../refusal.ts';
import type { TenantKey } from '../tenant-key.ts';
import { noonOf } from '../tenants/calendar.ts';
import { ensureTenant } from '../tenants/ensure-tenant.ts';
import type { Tenant } from '../tenants/tenant.ts';
import { type TenantTime, tenantTime } from '../tenants/time.ts';
import { readSimulation } from './read.ts';
import { runDueUntil } from './run-due-until.ts';

interface Input {
  readonly external_id: string;
  readonly input: {
    readonly underwriting_result: UnderwritingResult;
    readonly rent_cycle_date?: string | undefined;
    readonly decline_reasons?: readonly DeclineReason[] | undefined;
  };
}

/**
 * Fixes the underwriting result of one tenant and, with a date, its clock. With an open plan,
 * everything that falls due up to that date is run.
 */
export async function simulateResult(
  steps: RequestSteps<PartnerActor>,
  { external_id, input }: Input,
): Promise<SimulationOutput> {
  const moved = await steps.step((ctx) => setUnderwritingResult(ctx, { external_id, input }));
  if (moved) await runDueUntil(steps, moved.tenant, moved.until);
  return steps.step((ctx) => readSimulation(ctx, { external_id }));
}

interface MovedClock {
  readonly tenant: TenantKey;
  readonly until: TenantTime;
}

/** Returns the tenant whose clock the caller has to move, because of an open plan, and the time. Null if none has. */
export async function setUnderwritingResult(
  ctx: Ctx<PartnerActor>,
  { external_id, input }: Input,
): Promise<MovedClock | null> {
  const { partnerId } = ctx.actor;
  const key = { partnerId, externalId: external_id };
  await ensureTenant(ctx, key);
  const snapshot = await loadTenantSnapshot(ctx.tx, key, { lock: true });
  if (!snapshot) throw new Refusal('tenant_not_found');
  const { tenant, openPlan } = snapshot;
  const date = input.rent_cycle_date;
  const clock = date === undefined ? null : clockAt(ctx, tenant, date, openPlan !== null);
  if (input.underwriting_result !== tenant.underwritingResult && !openPlan) {
    await withdrawApplications(ctx, { partnerId, tenantId: tenant.id });
  }
  // With an open plan the clock starts where it stands, and `runDueUntil` moves it. In real time that is
  // an offset of 0: a date may only be simulated together with a clock.
  const startAt = openPlan ? (tenant.clockOffsetMs ?? 0) : clock;
  await ctx.tx.run(sql`
    update tenant set underwriting_result = ${input.underwriting_result},
      decline_reasons = ${[...(input.decline_reasons ?? [])]}::text[],
      simulated_cycle_date = coalesce(${date ?? null}::date, simulated_cycle_date),
      clock_offset_ms = coalesce(${clock === null ? null : startAt}::bigint, clock_offset_ms),
      version = version + 1,
      updated_at = ${ctx.now}
    where partner_id = ${partnerId} and id = ${tenant.id}`);
  if (openPlan && clock !== null) {
    const until = tenantTime({ clockOffsetMs: clock }, ctx.now);
    return { tenant: { partnerId, tenantId: tenant.id }, until };
  }
  const clockOffsetMs = clock ?? tenant.clockOffsetMs;
  const simulatedCycleDate = date ?? tenant.simulatedCycleDate;
  await scheduleEligibilityChange(ctx, {
    ...snapshot,
    tenant: { ...tenant, clockOffsetMs, simulatedCycleDate },
  });
  return null;
}

/** Lets the rules or the operator's decision service decide again. The clock stays. */
export async function clearUnderwritingResult(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { partnerId, tenantId }: TenantKey,
): Promise<void> {
  await tx.run(sql`
    update tenant set underwriting_result = null, decline_reasons = '{}', version = version + 1,
      updated_at = ${now}
    where partner_id = ${partnerId} and id = ${tenantId}`);
}

/** Deprecated: takes the result and the date in one call of `simulateResult`. */
export async function setFlow(
  steps: RequestSteps<PartnerActor>,
  {
    external_id,
    input,
  }: { external_id: string; input: { rent_cycle_date: string; flow: UnderwritingResult } },
): Promise<SimulationOutput> {
  const { flow: underwriting_result, rent_cycle_date } = input;
  return simulateResult(steps, {
    external_id,
    input: { underwriting_result, rent_cycle_date },
  });
}

/** The clock's offset that makes it noon of `date` now, in the property's time zone. */
function clockAt(ctx: Ctx, tenant: Tenant, date: string, hasOpenPlan: boolean): number {
  const noon = noonOf(date, tenant.timeZone);
  const { clockOffsetMs, simulatedCycleDate } = tenant;
  // A portal may repeat the call for each page, which must not set the clock of an open plan back.
  if (hasOpenPlan && simulatedCycleDate === date && clockOffsetMs !== null) return clockOffsetMs;
  if (hasOpenPlan && noon < tenantTime(tenant, ctx.now)) throw new Refusal('clock_cannot_go_back');
  return noon.getTime() - ctx.now.getTime();
}

/** Withdraws applications, so that the tenant can apply again without a waiting period. */
async function withdrawApplications(ctx: Ctx, { partnerId, tenantId }: TenantKey): Promise<void> {
  await ctx.tx.run(sql`
    update application a set state = 'withdrawn', ssn_sealed = null, version = version + 1
    where a.partner_id = ${partnerId} and a.tenant_id = ${tenantId}
      and a.state in ('submitted', 'in_review', 'approved', 'declined')
      and not exists (select from plan p
        where p.partner_id = ${partnerId} and p.tenant_id = a.tenant_id
          and p.application_id = a.id and p.state <> 'canceled')`);
}
