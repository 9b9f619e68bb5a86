import {
  type AdvanceClockInput,
  latestDate,
  longestAdvanceDays,
  type SimulationOutput,
} from '@svc/contract';
import { sql } from '@svc/db';
import type { Ctx, RequestSteps } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { loadTenantSnapshot } from '../eligibility/load-tenant-snapshot.ts';
import { Refusal } from '../refusal.ts';
import type { TenantKey } from '../tenant-key.ts';
import { addDuration } from '../tenants/calendar.ts';
import { ensureTenant } from '../tenants/ensure-tenant.ts';
import { type TenantTime, tenantTime } from '../tenants/time.ts';
import { readSimulation } from './read.ts';
import { requireSimulatedFailures } from './require-simulator.ts';
import { runDueUntil } from './run-due-until.ts';

/** Moves one tenant's clock forward and runs what falls due on the way, in order, with its events. */
export async function advanceClock(
  steps: RequestSteps<PartnerActor>,
  { external_id, input }: { external_id: string; input: AdvanceClockInput },
): Promise<SimulationOutput> {
  const { tenant, until } = await steps.step((ctx) => checkAdvance(ctx, external_id, input));
  await runDueUntil(steps, tenant, until);
  return steps.step((ctx) => readSimulation(ctx, { external_id }));
}

async function checkAdvance(
  ctx: Ctx<PartnerActor>,
  externalId: string,
  input: AdvanceClockInput,
): Promise<{ readonly tenant: TenantKey; readonly until: TenantTime }> {
  const key = { partnerId: ctx.actor.partnerId, externalId };
  await ensureTenant(ctx, key);
  const snapshot = await loadTenantSnapshot(ctx.tx, key, { lock: true });
  if (!snapshot) throw new Refusal('tenant_not_found');
  const { id: tenantId, partnerId, timeZone } = snapshot.tenant;
  const from = tenantTime(snapshot.tenant, ctx.now);
  const until = (
    input.by === undefined
      ? new Date(input.to ?? Number.NaN)
      : addDuration(from, input.by, timeZone)
  ) as TenantTime;
  checkDistance(from, until, input);
  await ctx.tx.run(sql`
    update tenant set version = version + 1, updated_at = ${ctx.now}
    where partner_id = ${partnerId} and id = ${tenantId}`);
  return { tenant: { partnerId, tenantId }, until };
}

/** Makes the tenant's next payment fail with this code. Each further call adds another failure. */
export async function failNextPayment(
  ctx: Ctx<PartnerActor>,
  { external_id, input }: { external_id: string; input: { return_code: string } },
): Promise<SimulationOutput> {
  requireSimulatedFailures(ctx);
  const key = { partnerId: ctx.actor.partnerId, externalId: external_id };
  await ensureTenant(ctx, key);
  await ctx.tx.run(sql`
    update tenant set pending_payment_failures
        = '{}' || (pending_payment_failures || ${input.return_code}::text)[1:20]
    where partner_id = ${key.partnerId} and external_id = ${external_id}`);
  return readSimulation(ctx, { external_id });
}

/** Replaces the failures of the tenant's next payments; an empty list lets them succeed. */
export async function setPaymentFailures(
  { tx }: Pick<Ctx, 'tx'>,
  { partnerId, tenantId }: TenantKey,
  codes: readonly string[],
): Promise<void> {
  await tx.run(sql`
    update tenant set pending_payment_failures = ${[...codes]}::text[]
    where partner_id = ${partnerId} and id = ${tenantId}`);
}

function checkDistance(from: Date, until: Date, input: AdvanceClockInput): void {
  if (until < from) throw new Refusal('clock_cannot_go_back');
  const days = (until.getTime() - from.getTime()) / 86_400_000;
  const wrong =
    days > longestAdvanceDays
      ? `must be at most ${longestAdvanceDays} days ahead`
      : until.toISOString() > `${latestDate}T24` && `must not take the clock beyond ${latestDate}`;
  if (!wrong) return;
  const param = input.by === undefined ? 'to' : 'by';
  throw new Refusal('validation_failed', {
    message: `${param} ${wrong}.`,
    errors: [{ param, code: 'too_big', message: wrong }],
  });
}
