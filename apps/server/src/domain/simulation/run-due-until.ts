import { bigint, nullable, row, sql, text } from '@svc/db';
import type { Steps, UnitOfWork } from '../../context.ts';
import { claimUndecided, declineUndecided } from '../applications/decline-undecided.ts';
import { expireApplications } from '../applications/expire-applications.ts';
import { applyEvents } from '../disputes/apply-events.ts';
import { runProcessorEvents } from '../disputes/run-processor-events.ts';
import { eligibilityChanges } from '../eligibility/eligibility-changes.ts';
import { emitEligibility } from '../eligibility/emit-eligibility.ts';
import { loadTenantSnapshot } from '../eligibility/load-tenant-snapshot.ts';
import { type CallToMake, claimCalls } from '../payments/calls.ts';
import { depositDue } from '../payments/deposit.ts';
import { receiveEvents } from '../payments/receive-events.ts';
import { loadOpenPlan } from '../plans/live-plan.ts';
import { runDue } from '../plans/run-due.ts';
import { scheduleDueOf } from '../plans/schedule-due.ts';
import { sendCalls } from '../plans/send-calls.ts';
import { Refusal } from '../refusal.ts';
import type { TenantKey } from '../tenant-key.ts';
import { isSimulated, type TenantTime, tenantTime } from '../tenants/time.ts';
import { recheckTexts } from '../texts/record-texts.ts';
import { requireNoneInFlight } from './require-simulator.ts';

const mostDeposits = 1_000;
const mostWebhooks = 1_000;
const mostCalls = 100;

/**
 * Moves one tenant's clock to a later time and runs everything that falls due on the way, in order.
 * Each event carries the time at which it fell due.
 *
 * It is a sequence of short transactions. One ends at each payment, whose call is made outside of it,
 * and the next continues at that time. After each commit the clock shows the time up to which
 * everything has run, so a crash loses nothing: the lanes resolve the payment, and a later call continues.
 * The same is true if the caller closes the connection.
 * @throws Refusal `simulation_not_possible` at a payment that a real processor has not decided on
 */
export async function runDueUntil(
  steps: Steps,
  tenant: TenantKey,
  until: TenantTime,
): Promise<void> {
  // Calls that the lane has not sent yet, such as the request to stop a canceled payment.
  const waiting = await steps.step((uow) => claimCalls(uow, { limit: mostCalls, tenant }));
  await sendCalls(steps, waiting);
  for (let isResumed = false; ; isResumed = true) {
    steps.requireCaller();
    await steps.step((uow) => requireNoneInFlight(uow, tenant));
    const calls = await steps.step((uow) => runToNextCall(uow, tenant, { until, isResumed }));
    if (calls.length === 0) return;
    await sendCalls(steps, calls);
  }
}

/**
 * Moves the clock of a copied tenant to a time of the tenant that it is a copy of. A clock that has not been set, or
 * that a reset of the tenant set back, is set without running anything.
 */
export async function moveClockTo(steps: Steps, tenant: TenantKey, at: TenantTime): Promise<void> {
  const isSet = await steps.step(async (uow) => {
    const snapshot = await loadTenantSnapshot(uow.tx, tenant, { lock: true });
    if (!snapshot) throw new Refusal('tenant_not_found');
    const isBehind = isSimulated(snapshot.tenant) && tenantTime(snapshot.tenant, uow.now) < at;
    if (!isBehind) await setClock(uow, tenant, at);
    return !isBehind;
  });
  if (!isSet) await runDueUntil(steps, tenant, at);
}

interface Span {
  readonly until: TenantTime;
  /** Part of what falls due at the present time may have been done already. */
  readonly isResumed: boolean;
}

async function runToNextCall(
  uow: UnitOfWork,
  tenant: TenantKey,
  { until, isResumed }: Span,
): Promise<CallToMake[]> {
  const snapshot = await loadTenantSnapshot(uow.tx, tenant, { lock: true });
  if (!snapshot) throw new Refusal('tenant_not_found');
  const { pms } = await uow.tx.one(
    partnerRow,
    sql`select pms from partner where id = ${tenant.partnerId}`,
  );
  const tenantOfPartner = { ...tenant, pms };
  // A tenant in real time becomes a simulated one here, so its events are marked as such.
  let from = tenantTime(snapshot.tenant, uow.now);
  await setClock(uow, tenant, from);
  const upcoming = (await uow.service.simulator?.upcoming(uow.tx, tenant)) ?? [];
  const moments = [...eligibilityChanges(snapshot), ...upcoming]
    .filter((it) => it > from && it < until)
    .sort((a, b) => a.getTime() - b.getTime());
  // Another call may have moved the clock further. It never goes back.
  const end = from > until ? from : until;
  for (const moment of [...(isResumed ? [from] : []), ...moments, end]) {
    const clockOffsetMs = await setClock(uow, tenant, moment);
    const calls = await runDue(uow, [{ ...tenant, clockOffsetMs, from, until: moment }]);
    const [call] = calls;
    if (call) {
      await stopAt(uow, tenantOfPartner, call.payer.at as TenantTime);
      return calls;
    }
    await receiveSimulated(uow, tenant);
    await runProcessorEvents(uow, { ...tenant, at: moment });
    await expireApplications(uow, { limit: 1, tenant });
    await declineUndecided(uow, await claimUndecided(uow, { limit: 1, tenant }));
    await emitEligibility(uow, { ...tenantOfPartner, at: moment });
    from = moment;
  }
  await depositDue(uow, { tenant, limit: mostDeposits });
  if (uow.service.texts) await recheckTexts(uow, tenant);
  return [];
}

const partnerRow = row('partner', { pms: text });
const clockRow = row('clock', { offsetMs: nullable(bigint) });

async function setClock(
  { tx, now }: UnitOfWork,
  { partnerId, tenantId }: TenantKey,
  at: TenantTime,
): Promise<number | null> {
  const { offsetMs } = await tx.one(
    clockRow,
    sql`
    update tenant set clock_offset_ms = ${at.getTime() - now.getTime()}
    where partner_id = ${partnerId} and id = ${tenantId}
    returning clock_offset_ms as offset_ms`,
  );
  return offsetMs;
}

/** Sets the clock back to the time of the payment that is about to be made. */
async function stopAt(
  uow: UnitOfWork,
  tenant: TenantKey & { readonly pms: string },
  at: TenantTime,
): Promise<void> {
  const clockOffsetMs = await setClock(uow, tenant, at);
  await scheduleDueOf(uow.tx, [
    { ...tenant, clockOffsetMs, plan: await loadOpenPlan(uow.tx, tenant) },
  ]);
  await emitEligibility(uow, { ...tenant, at });
}

/** Lets the simulator send the webhooks that are due, and applies them at once. */
async function receiveSimulated(uow: UnitOfWork, tenant: TenantKey): Promise<void> {
  const { now, service } = uow;
  const { simulator } = service;
  if (!simulator) return;
  const webhooks = await simulator.takeWebhooks(uow.tx, { now, tenant, limit: mostWebhooks });
  const events = webhooks.flatMap(({ raw, headers }) => simulator.parseWebhook(raw, headers, now));
  if (events.length === 0) return;
  await receiveEvents(uow, simulator.name, events);
  await applyEvents(uow, { limit: events.length, ids: events.map(({ id }) => id) });
}
