import type {
  EligibilityReason,
  EligibilityState,
  InstallmentState,
  PlanState,
} from '@svc/contract';
import { instant, type Queryable, row, sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { readMoney } from '../controls/money-switch.ts';
import { listPauses, type Pause } from '../controls/pauses.ts';
import {
  loadTenantSnapshot,
  positionOf,
  type TenantSnapshot,
} from '../eligibility/load-tenant-snapshot.ts';
import { takesPayments } from '../payments/processor-of.ts';
import { isInFlight, type LivePlan, loadOpenPlan } from '../plans/live-plan.ts';
import { type Action, nextAction } from '../plans/next-action.ts';
import { Refusal } from '../refusal.ts';
import type { TenantKey } from '../tenant-key.ts';
import { requireTenant } from '../tenants/require-tenant.ts';
import type { Tenant } from '../tenants/tenant.ts';

/** A tenant's state and the service's next step, for an operator. Names no person. */
export interface ShownTenant {
  readonly pms: string;
  readonly external_id: string;
  readonly time_zone: string;
  /** The current time. Like all times here except those of pauses, it is in the tenant's time. */
  readonly now: string;
  readonly eligibility: EligibilityState;
  readonly eligibility_reason: EligibilityReason | null;
  readonly plan: ShownPlan | null;
  /** Null without an open plan, and while the plan only waits for the tenant or the bank. */
  readonly next: NextStep | null;
  /** Why the next step is not taken at its time, or why there is none. A sentence for each reason. */
  readonly waits_for: readonly string[];
}

interface ShownPlan {
  readonly id: string;
  readonly state: PlanState;
  readonly autopay: boolean;
  readonly method: string;
  readonly payments: readonly {
    readonly number: number;
    readonly due_date: string;
    readonly amount_in_cents: number;
    readonly state: InstallmentState;
  }[];
}

interface NextStep {
  readonly kind: Action['kind'];
  readonly at: string;
  /** The number of the payment that the step is about. */
  readonly number: number;
  readonly amount_in_cents: number;
}

/** @throws Refusal if there is no such tenant */
export async function showTenant(
  ctx: Ctx,
  { pms, external_id: externalId }: { readonly pms: string; readonly external_id: string },
): Promise<ShownTenant> {
  const key = await requireTenant(ctx.tx, { pms, external_id: externalId });
  const snapshot = await loadTenantSnapshot(ctx.tx, key, { lock: false });
  if (!snapshot) throw new Refusal('tenant_not_found');
  const { pauses: _pauses, openPlan: _plan, ...shown } = await showSnapshot(ctx, pms, snapshot);
  return shown;
}

/**
 * Does what `showTenant` does for a snapshot that is loaded already, and also returns the open plan and the pauses
 * that hold the tenant's collections.
 */
export async function showSnapshot(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'>,
  pms: string,
  snapshot: TenantSnapshot,
): Promise<
  ShownTenant & { readonly pauses: readonly Pause[]; readonly openPlan: LivePlan | undefined }
> {
  const { tenant } = snapshot;
  const { partnerId, id: tenantId, externalId } = tenant;
  const { at, eligibility } = positionOf(snapshot, ctx);
  const plan = await loadOpenPlan(ctx.tx, { partnerId, tenantId });
  const pauses = await pausesOf(ctx.tx, pms, tenant);
  const next = plan ? nextAction(plan) : null;
  return {
    pms,
    external_id: externalId,
    time_zone: tenant.timeZone,
    now: at.toISOString(),
    eligibility: eligibility.state,
    eligibility_reason: eligibility.reason,
    plan: plan ? showPlan(plan) : null,
    next: next && {
      kind: next.kind,
      at: next.at.toISOString(),
      number: next.part.number,
      amount_in_cents: next.part.amountInCents,
    },
    waits_for: plan
      ? [
          ...planWaits(plan),
          ...(takesPayments(ctx.service) ? [] : ['No payment processor is set up.']),
          ...(await stopReasons(ctx.tx)),
          ...pauses.map(describePause),
          ...(next ? await delayOf(ctx, tenant, next) : []),
        ]
      : [],
    pauses,
    openPlan: plan,
  };
}

function showPlan({ id, state, autopay, method, parts }: LivePlan): ShownPlan {
  return {
    id,
    state,
    autopay,
    method: `${method.type} ${method.last4}`,
    payments: parts.map((it) => ({
      number: it.number,
      due_date: it.dueDate,
      amount_in_cents: it.amountInCents,
      state: it.state,
    })),
  };
}

/** Returns the reasons in the plan itself: it waits for its first payment, the bank, or the tenant. */
function planWaits({ state, autopay, parts }: LivePlan): string[] {
  const firstPaymentPending =
    'The bank has not answered about the first payment. The plan begins when it has.';
  const willBeRetried = (it: LivePlan['parts'][number]) => it.nextAttemptMs !== null;
  return [
    ...(state === 'created' ? [firstPaymentPending] : []),
    ...parts
      .filter(isInFlight)
      .map((it) => `Payment ${it.number} is at the bank, and its outcome is not known yet.`),
    ...parts
      .filter((it) => it.state === 'failed' && !willBeRetried(it))
      .map((it) => `Payment ${it.number} failed and is not tried again: the tenant pays it.`),
    ...parts
      .filter((it) => it.state === 'overdue')
      .map((it) => `Payment ${it.number} is overdue: the tenant pays it.`),
    ...(autopay ? [] : ['Automatic payments are off: the tenant makes each payment.']),
  ];
}

async function stopReasons(q: Queryable): Promise<string[]> {
  const { stopped_at, stopped_by, reason } = await readMoney(q);
  return stopped_at === null
    ? []
    : [`All money is stopped since ${stopped_at} by ${stopped_by}: ${reason}`];
}

/** Returns the pauses that apply to the tenant's collections. */
async function pausesOf(q: Queryable, pms: string, tenant: Tenant): Promise<Pause[]> {
  const subjects = {
    partner: '',
    property: tenant.lease?.property?.id,
    tenant: tenant.externalId,
  } satisfies Record<Pause['scope'], string | undefined>;
  const pauses = await listPauses(q, { pms });
  return pauses.filter(({ scope, subject }) => subject === subjects[scope]);
}

/** Returns the sentence about a pause for `waits_for`. */
export function describePause({ scope, started_at, started_by, reason }: Pause): string {
  return `Collections from this ${scope} are paused since ${started_at} by ${started_by}: ${reason}`;
}

const dueRow = row('time of the next look at a tenant', { dueAt: instant });

/** Explains a delay: a tenant whose work failed is looked at again later than its next step is due. */
async function delayOf(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { partnerId, id: tenantId, clockOffsetMs }: Tenant,
  { at }: Action,
): Promise<string[]> {
  const wasDueAt = new Date(at.getTime() - (clockOffsetMs ?? 0));
  const due = await readDue(tx, { partnerId, tenantId });
  if (wasDueAt > now || due === undefined) return [];
  if (due <= now) return ['It is due now, and a worker takes it up within a minute.'];
  return [
    `It was due at ${wasDueAt.toISOString()}. The service looks again at ${due.toISOString()}, because of a pause or because the work failed; the log has the error.`,
  ];
}

async function readDue(
  tx: Queryable,
  { partnerId, tenantId }: TenantKey,
): Promise<Date | undefined> {
  const found = await tx.maybe(
    dueRow,
    sql`
    select due_at from tenant_due where partner_id = ${partnerId} and tenant_id = ${tenantId}`,
  );
  return found?.dueAt;
}
