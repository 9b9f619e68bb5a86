import { type ProductVariant, type WidgetSession, widgetSessionOf } from '@svc/contract';
import { date, nullable, row, sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { signatureMatches } from '../access/widget-signature.ts';
import { cycleEdges } from '../charges/rent-cycle.ts';
import {
  loadTenantSnapshot,
  type Position,
  positionOf,
} from '../eligibility/load-tenant-snapshot.ts';
import { originAllowed } from '../partners/allowed-origins.ts';
import { findPartnerWithKeys, type Partner } from '../partners/find-partner.ts';
import { takesPayments } from '../payments/processor-of.ts';
import { Refusal } from '../refusal.ts';
import { addMonth, localDate } from '../tenants/calendar.ts';
import { wasReported } from '../tenants/personal-data.ts';
import type { Tenant } from '../tenants/tenant.ts';

export interface WidgetIdentity {
  readonly pms: string;
  readonly external_id: string;
  readonly signature: string;
  readonly product_variant: ProductVariant;
}

/** The tenant's state for the widget. No amounts and no names, because the signature never expires. */
export async function widgetSession(
  ctx: Ctx,
  { input, origin }: { input: WidgetIdentity; origin: string | null },
): Promise<WidgetSession> {
  const partner = await proveIdentity(ctx, input);
  if (!originAllowed(partner.allowedOrigins, origin, ctx.service.environment)) {
    throw new Refusal('origin_not_allowed');
  }
  const key = { partnerId: partner.id, externalId: input.external_id };
  const snapshot = await loadTenantSnapshot(ctx.tx, key, { lock: false });
  if (!snapshot || !wasReported(snapshot.tenant.personal)) {
    return widgetSessionOf(takesPayments(ctx.service) ? 'new' : 'unavailable');
  }
  const position = positionOf(snapshot, ctx, input.product_variant);
  switch (position.eligibility.state) {
    case 'has_plan':
      return widgetSessionOf('has_plan', await nextPayment(ctx, partner.id, snapshot.openPlan?.id));
    case 'nothing_due':
      return widgetSessionOf('nothing_due');
    case 'can_apply':
    case 'approved':
      return widgetSessionOf('can_split');
    case 'cycle_closed':
      if (isLeftBehind(position, snapshot.tenant)) return widgetSessionOf('nothing_due');
      return widgetSessionOf('unavailable', null, opensOn(position, snapshot.tenant));
    case 'declined':
      return widgetSessionOf('unavailable', null, position.eligibility.until);
    case 'blocked':
      return widgetSessionOf('unavailable');
  }
}

/** Whether the next month's cycle may be open already, which the last reported charges cannot tell. */
function isLeftBehind({ cycle, at }: Position, { timeZone }: Pick<Tenant, 'timeZone'>): boolean {
  const [opens] = cycle ? cycleEdges(addMonth(cycle.dueDate), timeZone) : [];
  return opens !== undefined && at >= opens;
}

/** The day on which an upcoming cycle opens; null for any other cycle. */
function opensOn({ cycle }: Position, { timeZone }: Pick<Tenant, 'timeZone'>): string | null {
  return cycle?.state === 'upcoming' ? localDate(cycle.opensAt, timeZone) : null;
}

/** Refuses an unknown partner and a wrong signature in the same way and time. */
export async function proveIdentity(
  ctx: Pick<Ctx, 'tx' | 'service'>,
  input: Pick<WidgetIdentity, 'pms' | 'external_id' | 'signature'>,
): Promise<Partner> {
  const { partner, keys } = await findPartnerWithKeys(ctx, input.pms);
  const { pms, external_id: externalId, signature } = input;
  if (!signatureMatches(keys, { pms, externalId, signature }) || !partner) {
    throw new Refusal('signature_invalid');
  }
  return partner;
}

const nextPaymentRow = row('next payment', { due_date: nullable(date) });

/** The due date of the plan's next open payment. */
async function nextPayment(
  ctx: Pick<Ctx, 'tx'>,
  partnerId: string,
  planId: string | undefined,
): Promise<string | null> {
  if (!planId) return null;
  const row = await ctx.tx.maybe(
    nextPaymentRow,
    sql`
    select min(due_date) as due_date from installment
    where partner_id = ${partnerId} and plan_id = ${planId}
      and state in ('scheduled', 'failed', 'overdue')`,
  );
  return row?.due_date ?? null;
}
