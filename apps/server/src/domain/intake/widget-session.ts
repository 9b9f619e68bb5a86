import {
  installmentStates,
  type ProductVariant,
  planStates,
  type WidgetPaymentState,
  type WidgetSessionOutput,
  widgetSessionOf,
} from '@svc/contract';
import { boolean, date, oneOf, type RowOf, row, sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { signatureMatches } from '../access/widget-signature.ts';
import { cycleEdges } from '../charges/rent-cycle.ts';
import {
  loadTenantSnapshot,
  type OpenPlan,
  type Position,
  positionOf,
} from '../eligibility/load-tenant-snapshot.ts';
import { isOriginAllowed, widgetOrigins } from '../partners/allowed-origins.ts';
import { findPartnerWithKeys, type Partner } from '../partners/find-partner.ts';
import { takesPayments } from '../payments/processor-of.ts';
import { readChargedOffPlans } from '../plans/read-charged-off.ts';
import { Refusal } from '../refusal.ts';
import { addDays, addMonth, localDate } from '../tenants/calendar.ts';
import { wasReported } from '../tenants/personal-data.ts';
import type { Tenant } from '../tenants/tenant.ts';

export interface WidgetIdentity {
  readonly pms: string;
  readonly external_id: string;
  readonly signature: string;
  readonly product_variant: ProductVariant;
}

/** Returns the tenant's state for the widget, without amounts and names, because the signature never expires. */
export async function widgetSession(
  ctx: Ctx,
  { input, origin }: { input: WidgetIdentity; origin: string | null },
): Promise<WidgetSessionOutput> {
  const partner = await proveIdentity(ctx, input);
  const origins = widgetOrigins(ctx.service, partner.allowedOrigins, partner.appSchemes);
  if (!isOriginAllowed(origins, origin, ctx.service.environment)) {
    throw new Refusal('origin_not_allowed');
  }
  const key = { partnerId: partner.id, externalId: input.external_id };
  const snapshot = await loadTenantSnapshot(ctx.tx, key, { lock: false });
  if (!snapshot || !wasReported(snapshot.tenant.personal)) {
    return widgetSessionOf(takesPayments(ctx.service) ? 'new' : 'unavailable');
  }
  const position = positionOf(snapshot, ctx, input.product_variant);
  const { tenant } = snapshot;
  const { cycle, application, eligibility } = position;
  const today = localDate(position.at, tenant.timeZone);
  if (snapshot.openPlan) return planSession(ctx, { partner, plan: snapshot.openPlan, today });
  // The experience shows the debt in the same case.
  if (eligibility.state === 'nothing_due' && snapshot.planCount > 0) {
    const owed = await readChargedOffPlans(ctx.tx, [
      { partnerId: partner.id, tenantId: tenant.id },
    ]);
    if (owed.size > 0) return widgetSessionOf('needs_attention');
  }
  if (tenant.lease?.ends_on && tenant.lease.ends_on < today) return widgetSessionOf('moved_out');
  switch (eligibility.state) {
    case 'has_plan':
      return widgetSessionOf('has_plan');
    case 'nothing_due': {
      const isPaidOff = snapshot.planCount > 0 && (await hasPaidPlan(ctx, { tenant, today }));
      return widgetSessionOf(isPaidOff ? 'paid_off' : 'nothing_due');
    }
    case 'approved':
      return widgetSessionOf('approved');
    case 'can_apply': {
      const isOfThisCycle = application?.rentCycleDate === cycle?.dueDate;
      if (!isOfThisCycle) return widgetSessionOf('can_split');
      if (application?.state === 'submitted') return widgetSessionOf('applied');
      return widgetSessionOf(application?.state === 'in_review' ? 'in_review' : 'can_split');
    }
    case 'cycle_closed': {
      if (mayNextCycleBeOpen(position, tenant)) return widgetSessionOf('nothing_due');
      const opens = opensOn(position, tenant);
      return widgetSessionOf(opens === null ? 'unavailable' : 'too_early', null, opens);
    }
    case 'declined':
      return widgetSessionOf('unavailable', null, eligibility.until);
    case 'blocked':
      return widgetSessionOf(eligibility.reason === 'lease_ended' ? 'moved_out' : 'unavailable');
  }
}

/** Returns whether the next month's cycle may be open already, which the last reported charges cannot tell. */
function mayNextCycleBeOpen(
  { cycle, at, terms }: Position,
  { timeZone }: Pick<Tenant, 'timeZone'>,
): boolean {
  const [opens] = cycle ? cycleEdges(addMonth(cycle.dueDate), { timeZone, terms }) : [];
  return opens !== undefined && at >= opens;
}

/** Returns the day on which an upcoming cycle opens; null for any other cycle. */
function opensOn({ cycle }: Position, { timeZone }: Pick<Tenant, 'timeZone'>): string | null {
  return cycle?.state === 'upcoming' ? localDate(cycle.opensAt, timeZone) : null;
}

/**
 * Returns the partner whose key made the signature. Refuses an unknown partner and a wrong signature in the
 * same time, and outside the sandbox in the same way.
 */
export async function proveIdentity(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'>,
  input: Pick<WidgetIdentity, 'pms' | 'external_id' | 'signature'>,
): Promise<Partner> {
  const { partner, keys } = await findPartnerWithKeys(ctx, input.pms);
  const { pms, external_id: externalId, signature } = input;
  const matches = signatureMatches(keys, { pms, externalId, signature });
  if (!partner && ctx.service.environment === 'sandbox') throw new Refusal('portal_unknown');
  if (!matches || !partner) throw new Refusal('signature_invalid');
  return partner;
}

const paymentRow = row('payment of a plan', {
  dueOn: date,
  state: oneOf(...installmentStates),
  moved: boolean,
});

/** Describes the open plan: its payments by day, without amounts. The plan starts once the first one is paid. */
async function planSession(
  ctx: Pick<Ctx, 'tx'>,
  { partner, plan, today }: { partner: Partner; plan: OpenPlan; today: string },
): Promise<WidgetSessionOutput> {
  const installments = await ctx.tx.many(
    paymentRow,
    sql`
    select i.due_date as due_on, i.state, coalesce(i.due_date <> (
        select h.from_date from plan_history h
        where h.partner_id = ${partner.id} and h.plan_id = ${plan.id}
          and h.kind = 'rescheduled' and h.number = i.number
        order by h.id limit 1), false) as moved
    from installment i
    where i.partner_id = ${partner.id} and i.plan_id = ${plan.id}
    order by i.due_date, i.number`,
  );
  // The plan is open, so a canceled payment is one that a credit has paid.
  const credited = installments.filter(({ state }) => state === 'canceled');
  const payments = installments
    .filter(({ state }) => state !== 'canceled')
    .map(({ dueOn, state, moved }) => ({
      due_on: dueOn,
      state: stateOn(today, { dueOn, state }),
      ...(moved ? { moved: true as const } : {}),
    }));
  if (plan.state === 'created') return widgetSessionOf('starting', null, null, payments);
  const isLate = plan.state === 'past_due' || payments.some((it) => it.state === 'past_due');
  const isFailed = payments.some((it) => it.state === 'failed');
  const status = isLate ? 'past_due' : isFailed ? 'payment_failed' : 'has_plan';
  const next = payments.find((it) => it.state !== 'paid' && it.state !== 'processing');
  return {
    ...widgetSessionOf(status, next?.due_on, null, payments),
    ...(credited.length === 0 ? {} : { credited_on: credited.map(({ dueOn }) => dueOn) }),
  };
}

function stateOn(
  today: string,
  { dueOn, state }: Omit<RowOf<typeof paymentRow>, 'moved'>,
): WidgetPaymentState {
  // A payment that is paid, or that the bank has not answered yet, is never late.
  if (state === 'paid' || state === 'processing') return state;
  if (dueOn < today) return 'past_due';
  return state === 'failed' || state === 'overdue' ? 'failed' : 'due';
}

/** For how many days after its rent was due a paid plan is mentioned: until the next month's is over. */
const daysMentioned = 60;

const lastPlanRow = row('last plan', { state: oneOf(...planStates), rentCycleDate: date });

async function hasPaidPlan(
  ctx: Pick<Ctx, 'tx'>,
  { tenant, today }: { tenant: Tenant; today: string },
): Promise<boolean> {
  const last = await ctx.tx.maybe(
    lastPlanRow,
    sql`
    select state, rent_cycle_date from plan
    where partner_id = ${tenant.partnerId} and tenant_id = ${tenant.id} and state <> 'canceled'
    order by created_at desc, id desc limit 1`,
  );
  if (last?.state !== 'completed') return false;
  return addDays(last.rentCycleDate, daysMentioned) >= today;
}
