import type { SettlementOutput } from '@svc/contract';
import { boolean, nullable, oneOf, type RowOf, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { isUnpaid } from '../charges/charge.ts';
import { currentCycle } from '../charges/rent-cycle.ts';
import {
  type Application,
  loadTenantSnapshot,
  type Position,
  positionOf,
  type TenantSnapshot,
} from '../eligibility/load-tenant-snapshot.ts';
import { newestPaymentMethod, type PaymentMethod } from '../payments/payment-methods.ts';
import { type LivePlan, loadPlan } from '../plans/live-plan.ts';
import { readSettlement } from '../settlements/read.ts';
import { localDate } from '../tenants/calendar.ts';
import { wasReported } from '../tenants/personal-data.ts';
import type { Tenant } from '../tenants/tenant.ts';
import type { TenantTime } from '../tenants/time.ts';

/**
 * How far the tenant has come. `unknown`: the portal has reported nothing. `outside_window`: the charges
 * can be split on other days. `blocked`: the tenant can't split, whatever the day. `plan`: there is a
 * plan, or one has ended and nothing else is due.
 */
export type Stage =
  | 'unknown'
  | 'outside_window'
  | 'blocked'
  | 'ready'
  | 'applied'
  | 'in_review'
  | 'approved'
  | 'declined'
  | 'plan';

/** Where a tenant is in a plan's life, as the steps of a scenario see it. */
export interface Situation {
  readonly stage: Stage;
  /** Null if there is no row yet. `stage` is `unknown` until the portal has reported the tenant. */
  readonly tenant: Tenant | null;
  /** Tenant time, or wall time without a tenant. */
  readonly at: TenantTime;
  readonly eligibility: Position['eligibility'] | null;
  /** The due date whose charges can be split once the clock shows it. */
  readonly cycleDate: string | null;
  /** The newest application that was not withdrawn. */
  readonly application: Application | null;
  readonly method: PaymentMethod | null;
  readonly plan: LivePlan | null;
  /** The plan that ended because its first payment failed. The tenant can accept another one. */
  readonly failedPlanId: string | null;
  /** True if a payment was reversed and has not been paid again. */
  readonly isDisputed: boolean;
  /** The newest payment that a bank can still reverse. */
  readonly reversible: { readonly id: string; readonly type: PaymentMethod['type'] } | null;
  readonly settlement: SettlementOutput | null;
  readonly hasMovedOut: boolean;
}

/** Reads the tenant's situation. Locks nothing: each command of a step locks and checks again. */
export async function readSituation(
  ctx: Ctx<PartnerActor>,
  externalId: string,
): Promise<Situation> {
  const { partnerId } = ctx.actor;
  const snapshot = await loadTenantSnapshot(ctx.tx, { partnerId, externalId }, { lock: false });
  if (!snapshot) return { ...noSituation, at: ctx.now as TenantTime };
  const { tenant, application } = snapshot;
  const position = positionOf(snapshot, ctx);
  const { at } = position;
  if (!wasReported(tenant.personal)) {
    return { ...noSituation, tenant, at, cycleDate: tenant.simulatedCycleDate };
  }
  const key = { partnerId, tenantId: tenant.id };
  const last = await readLastPlan(ctx, key, snapshot.openPlan?.id ?? null);
  const isPresent = last !== undefined && isPresentPlan(last, position);
  const plan = isPresent ? await loadPlan(ctx.tx, { ...key, planId: last.id }) : undefined;
  // Another request has changed the plan between the two reads: an active plan would lack its settlement.
  if (plan && plan.state !== last?.state) return readSituation(ctx, externalId);
  const isApproved = position.eligibility.state === 'approved';
  const hasFailed =
    isApproved && last?.hasFirstFailed === true && last.applicationId === application?.id;
  const { settlementId } = last ?? {};
  const leaseEnd = tenant.lease?.ends_on;
  return {
    stage: stageOf(snapshot, position, plan !== undefined),
    tenant,
    at,
    eligibility: position.eligibility,
    cycleDate: splittableDate(position),
    application,
    method: (await newestPaymentMethod(ctx.tx, key)) ?? null,
    plan: plan ?? null,
    failedPlanId: hasFailed ? last.id : null,
    isDisputed: isPresent && last.isDisputed,
    reversible: isPresent ? reversibleOf(last) : null,
    settlement: isPresent && settlementId ? await readSettlement(ctx, { id: settlementId }) : null,
    hasMovedOut: Boolean(leaseEnd && leaseEnd < localDate(at, tenant.timeZone)),
  };
}

const noSituation = {
  stage: 'unknown',
  tenant: null,
  eligibility: null,
  cycleDate: null,
  application: null,
  method: null,
  plan: null,
  failedPlanId: null,
  isDisputed: false,
  reversible: null,
  settlement: null,
  hasMovedOut: false,
} as const satisfies Omit<Situation, 'at'>;

const lastPlanRow = row('last plan', {
  id: text,
  state: oneOf('created', 'active', 'past_due', 'completed', 'canceled', 'charged_off'),
  coversCharges: boolean,
  applicationId: text,
  hasFirstFailed: boolean,
  isDisputed: boolean,
  reversibleId: nullable(text),
  reversibleType: nullable(oneOf('bank_account', 'card')),
  settlementId: nullable(text),
});

type LastPlan = RowOf<typeof lastPlanRow>;

async function readLastPlan(
  { tx }: Pick<Ctx, 'tx'>,
  { partnerId, tenantId }: { readonly partnerId: string; readonly tenantId: string },
  openPlanId: string | null,
): Promise<LastPlan | undefined> {
  return tx.maybe(
    lastPlanRow,
    sql`
    with payments as (
      select y.id, y.outcome, i.number, i.state, m.type, exists (select from processor_event v
          where v.partner_id = ${partnerId} and v.payment_id = y.id) as has_event
      from payment y
        join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
        join payment_method m on m.partner_id = y.partner_id and m.id = y.payment_method_id
      where i.partner_id = ${partnerId} and i.plan_id = ${lastPlanId({ partnerId, tenantId }, openPlanId)}
    ), reversible as (
      select id, type from payments where outcome = 'succeeded' and not has_event
      order by id desc limit 1
    )
    select p.id, p.state, p.covers_charges, p.application_id,
      p.state = 'canceled' and exists (select from payments
        where number = 1 and outcome = 'failed') as has_first_failed,
      exists (select from payments
        where outcome = 'returned' and state <> 'paid') as is_disputed,
      (select id from reversible) as reversible_id,
      (select type from reversible) as reversible_type,
      (select s.id from settlement s
        where s.partner_id = ${partnerId} and s.plan_id = p.id) as settlement_id
    from plan p
    where p.partner_id = ${partnerId}
      and p.id = ${lastPlanId({ partnerId, tenantId }, openPlanId)}`,
  );
}

/**
 * The open plan, else the newest one. Plans from before a reset come last, because simulated time may have passed
 * them. One made right after a canceled one may have its time.
 */
function lastPlanId(
  { partnerId, tenantId }: { readonly partnerId: string; readonly tenantId: string },
  openPlanId: string | null,
) {
  return sql`coalesce(${openPlanId}::text, (select p.id from plan p
    where p.partner_id = ${partnerId} and p.tenant_id = ${tenantId}
    order by p.covers_charges desc, p.created_at desc, p.state = 'canceled', p.id desc limit 1))`;
}

/** An ended plan counts until the tenant can split something else, or until a reset. */
function isPresentPlan({ state, coversCharges }: LastPlan, { eligibility }: Position): boolean {
  if (state === 'canceled') return false;
  if (state !== 'completed' && state !== 'charged_off') return true;
  return coversCharges && !['can_apply', 'approved', 'declined'].includes(eligibility.state);
}

function reversibleOf({ reversibleId: id, reversibleType: type }: LastPlan) {
  return id === null || type === null ? null : { id, type };
}

function stageOf({ application }: TenantSnapshot, position: Position, hasPlan: boolean): Stage {
  if (hasPlan) return 'plan';
  const { eligibility, cycle } = position;
  switch (eligibility.state) {
    case 'has_plan':
      return 'plan';
    case 'approved':
    case 'declined':
      return eligibility.state;
    case 'can_apply': {
      const isOfCycle = application?.rentCycleDate === cycle?.dueDate;
      if (isOfCycle && application?.state === 'submitted') return 'applied';
      return isOfCycle && application?.state === 'in_review' ? 'in_review' : 'ready';
    }
    case 'cycle_closed':
    case 'nothing_due':
      return splittableDate(position) === null ? 'blocked' : 'outside_window';
    case 'blocked':
      // With a fixed result this check is only a warning, and the next step fixes it.
      return eligibility.reason === 'would_land_late' ? 'ready' : 'blocked';
  }
}

/** The rent cycle without a simulated date, which may be one on which no charge is due. */
function splittableDate({ charges, at, terms, tenant: { timeZone } }: Position): string | null {
  if (!charges.some(isUnpaid)) return null;
  return currentCycle({ charges, simulatedDate: null, at, timeZone, terms })?.dueDate ?? null;
}

/** Returns a text that differs after each step that had an effect. */
export function fingerprintOf(now: Situation): string {
  const { stage, tenant, at, application, method, plan, failedPlanId, settlement } = now;
  return JSON.stringify([
    stage,
    tenant?.version,
    tenant?.underwritingResult,
    at,
    application?.version,
    method?.id,
    plan?.version,
    failedPlanId,
    settlement?.version,
    settlement?.refunded_in_cents,
    now.isDisputed,
    now.hasMovedOut,
  ]);
}

/** Completes "the tenant …" for an error. */
export function describeSituation({ stage, plan, settlement, ...now }: Situation): string {
  switch (stage) {
    case 'unknown':
      return 'is not known';
    case 'outside_window':
      return `can split the charges of ${now.cycleDate} on other days only`;
    case 'blocked':
      return `can’t split (${now.eligibility?.reason ?? 'blocked'})`;
    case 'ready':
      return 'has not applied';
    case 'applied':
      return 'has applied';
    case 'in_review':
      return 'waits for a decision';
    case 'approved':
      return 'is approved and has no plan';
    case 'declined':
      return 'is declined';
    case 'plan':
      return describePlan(plan, settlement);
  }
}

function describePlan(plan: LivePlan | null, settlement: SettlementOutput | null): string {
  if (!plan) return 'has a plan';
  const paid = plan.parts.filter((it) => it.state === 'paid').length;
  const late = plan.parts.filter((it) => it.state === 'failed' || it.state === 'overdue').length;
  const state = plan.state.replace('_', ' ');
  const parts = `${paid} of ${plan.parts.length} payments paid, ${late} late`;
  return `has a plan that is ${state} (${parts}; settlement ${settlement?.status ?? 'not created'})`;
}
