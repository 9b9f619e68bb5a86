import { installmentStates, paidCharge, planStates, productVariants } from '@svc/contract';
import {
  bigint,
  boolean,
  bytes,
  date,
  integer,
  json,
  nullable,
  oneOf,
  type Queryable,
  type RowOf,
  raw,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import { z } from 'zod';
import { byKey } from '../../cluster.ts';
import type { Subject } from '../events/emit.ts';
import type { MailFacts } from '../events/queue-mails.ts';
import { areRows, partnerOfRows } from '../partner-of-rows.ts';
import { loadTerms } from '../partners/program-terms.ts';
import { defaultTermsVersion, type Terms } from '../partners/terms.ts';
import { methodAsJson, paymentMethodSchema } from '../payments/payment-methods.ts';
import { paidCharges } from '../settlements/paid-charges.ts';
import { areTenants, type TenantKey } from '../tenant-key.ts';
import { isSimulated, type TenantTime } from '../tenants/time.ts';

const livePartSchema = z.object({
  id: z.string(),
  number: z.int(),
  dueDate: z.string(),
  /**
   * The amount still due, without what was paid in part, or the amount paid in total. If the installment was
   * credited in full, the amount before that credit.
   */
  amountInCents: z.int(),
  /** The amount paid of an installment that is not paid in full: a part payment, or what a chargeback left. */
  partPaidInCents: z.int(),
  agreedInCents: z.int(),
  /** The amount credited by the landlord or waived by us. */
  creditedInCents: z.int(),
  state: z.enum(installmentStates),
  version: z.int(),
  retries: z.int(),
  /** Tenant time, milliseconds. */
  nextAttemptMs: z.int().nullable(),
  paidMs: z.int().nullable(),
  remindedFor: z.string().nullable(),
});
export type LivePart = Readonly<z.infer<typeof livePartSchema>>;

const pendingPaymentSchema = z.object({
  id: z.string(),
  methodId: z.string(),
  methodType: z.enum(['bank_account', 'card']),
  /** The charges that the plan's settlement will pay. */
  charges: z.array(paidCharge.readonly()).readonly(),
});

const livePlanRow = row('live plan', {
  id: text,
  partnerId: text,
  pms: text,
  tenantId: text,
  externalId: text,
  timeZone: text,
  clockOffsetMs: nullable(bigint),
  state: oneOf(...planStates),
  /** True if the plan was completed, until a bank returned a payment. */
  reopened: boolean,
  version: integer,
  productVariant: oneOf(...productVariants),
  rentCycleDate: date,
  principalInCents: bigint,
  feeInCents: bigint,
  aprBps: integer,
  autopay: boolean,
  method: json(paymentMethodSchema),
  detailsSealed: bytes,
  /** The property's day on which collections continued after a pause; null if they never paused. */
  resumedOn: nullable(date),
  /** The first payment, until the bank has answered. */
  pending: nullable(json(pendingPaymentSchema.readonly())),
  parts: json(z.array(livePartSchema.readonly()).readonly()),
  termsVersion: text,
});

/** A plan with everything that its next action depends on. */
export interface LivePlan extends Omit<RowOf<typeof livePlanRow>, 'termsVersion'> {
  /** The terms that the plan was agreed under. */
  readonly terms: Terms;
}

/** Loads the tenant's plan with this id. A command that changes the plan holds the lock of the tenant's row. */
export async function loadPlan(
  q: Queryable,
  { partnerId, tenantId, planId }: TenantKey & { readonly planId: string },
): Promise<LivePlan | undefined> {
  const [plan] = await readPlans(
    q,
    sql`${partnerId}`,
    sql`where p.partner_id = ${partnerId} and p.tenant_id = ${tenantId} and p.id = ${planId}`,
  );
  return plan;
}

/** Loads plans by their ids, in one statement. The tenants' rows are locked. */
export async function loadPlans(
  q: Queryable,
  plans: readonly { readonly partnerId: string; readonly planId: string }[],
): Promise<Map<string, LivePlan>> {
  const ids = plans.map(({ partnerId, planId }) => ({ partnerId, id: planId }));
  const found = await readPlans(
    q,
    partnerOfRows(ids, sql`p.partner_id`),
    sql`where ${areRows([sql`p.partner_id`, sql`p.id`], ids)}`,
  );
  return new Map(found.map((plan) => [plan.id, plan]));
}

/**
 * Loads the tenant's open plan. In addition to the plan that is running, there may be one that a returned
 * payment has reopened; the running one comes first.
 */
export async function loadOpenPlan(
  q: Queryable,
  { partnerId, tenantId }: TenantKey,
): Promise<LivePlan | undefined> {
  const [plan] = await readPlans(
    q,
    sql`${partnerId}`,
    sql`where p.partner_id = ${partnerId} and p.tenant_id = ${tenantId} and ${areOpen}
      order by p.reopened, p.id limit 1`,
  );
  return plan;
}

/** Loads the open plans of many tenants, by tenant, in one statement. */
export async function loadOpenPlans(
  q: Queryable,
  tenants: readonly TenantKey[],
): Promise<Map<string, LivePlan>> {
  if (tenants.length === 0) return new Map();
  const isListed = areTenants([sql`p.partner_id`, sql`p.tenant_id`], tenants);
  const plans = await readPlans(
    q,
    partnerOfRows(tenants, sql`p.partner_id`),
    sql`where ${isListed} and ${areOpen} order by p.reopened desc, p.id desc`,
  );
  // The last of a tenant's plans stays in the map: by this order, the one that is running.
  return new Map(plans.map((plan) => [plan.tenantId, plan]));
}

/** `partner` is the partner of all chosen plans, as `partnerOfRows` gives it. */
async function readPlans(q: Queryable, partner: Sql, chosen: Sql): Promise<LivePlan[]> {
  const found = await q.many(livePlanRow, sql`${livePlans(q, partner)} ${chosen}`);
  const terms = await loadTerms(
    q,
    found.map((it) => it.termsVersion),
  );
  return found.map(({ termsVersion, ...plan }) => ({ ...plan, terms: terms(termsVersion) }));
}

const areOpen = raw(`p.state in ('created', 'active', 'past_due')`);

const livePlans = (q: Queryable, partner: Sql) => sql`
    select p.id, p.partner_id, (select r.pms from partner r where r.id = p.partner_id) as pms,
      p.tenant_id,
      t.external_id, t.time_zone,
      t.clock_offset_ms,
      p.state, p.reopened, p.version, p.product_variant,
      p.rent_cycle_date, p.principal_in_cents,
      p.fee_in_cents, p.apr_bps, p.autopay,
      coalesce(p.terms_version, ${defaultTermsVersion}) as terms_version,
      (select h.resumed_on from collection_hold h
        where h.partner_id = ${partner} and h.tenant_id = p.tenant_id) as resumed_on,
      ${methodAsJson} as method,
      m.details_sealed,
      case when p.state = 'created' then (
        select json_build_object('id', y.id, 'methodId', y.payment_method_id, 'methodType', u.type,
          'charges', ${paidCharges({ partnerId: partner, planId: sql`p.id` })})
        from payment y
          join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
          join payment_method u on u.partner_id = y.partner_id and u.id = y.payment_method_id
        where i.partner_id = ${partner} and i.plan_id = p.id and y.outcome = 'pending') end as pending,
      -- The rows as they are: json_build_object takes three times as long.
      (select json_agg(part) from (
        select i.id, i.number, i.due_date as "dueDate", i.amount_in_cents as "amountInCents",
          i.agreed_in_cents as "agreedInCents", i.part_paid_in_cents as "partPaidInCents",
          i.credited_in_cents as "creditedInCents", i.state, i.version, i.retries,
          i.reminded_for as "remindedFor",
          (extract(epoch from i.next_attempt_at) * 1000)::bigint as "nextAttemptMs",
          (extract(epoch from i.paid_at) * 1000)::bigint as "paidMs"
        from installment i where i.partner_id = ${partner} and i.plan_id = p.id
        order by i.number) part) as parts
    from plan p
      cross join lateral (select * from tenant t
        where t.partner_id = p.partner_id and t.id = p.tenant_id ${byKey(q)}) t
      cross join lateral (select * from payment_method m
        where m.partner_id = p.partner_id and m.id = p.payment_method_id ${byKey(q)}) m`;

/** Returns the subject of this plan's events, at a tenant time. */
export function subjectOf(plan: LivePlan, at: TenantTime): Subject {
  const { partnerId, pms, externalId } = plan;
  return { partnerId, pms, externalId, simulated: isSimulated(plan), at };
}

/** Returns the fields that all events of a plan carry. */
export function planData(plan: LivePlan) {
  return {
    plan_id: plan.id,
    rent_cycle_date: plan.rentCycleDate,
    product_variant: plan.productVariant,
    amount_financed_in_cents: plan.principalInCents,
    fee_in_cents: plan.feeInCents,
    apr_bps: plan.aprBps,
    installments: plan.parts.map((part) => ({
      id: part.id,
      number: part.number,
      due_date: part.dueDate,
      amount_in_cents: part.amountInCents,
      state: part.state,
    })),
  };
}

/** Returns the fields that all events of an installment carry. */
export function partData(plan: LivePlan, part: LivePart) {
  return {
    plan_id: plan.id,
    installment_id: part.id,
    number: part.number,
    due_date: part.dueDate,
    amount_in_cents: part.amountInCents,
  };
}

/** Returns the rest of the plan, for mails about it. After a charge-off, only the ledger knows what is owed. */
export function mailFactsOf(plan: LivePlan): MailFacts {
  if (plan.state === 'charged_off') return { autopay: false };
  const parts = plan.parts.toSorted((a, b) => (a.dueDate < b.dueDate ? -1 : 1));
  const open = parts.filter(isOpen);
  const next = open.find((it) => !isInFlight(it));
  return {
    left_in_cents: open.reduce((sum, it) => sum + it.amountInCents, 0),
    next: next ? { amount_in_cents: next.amountInCents, due_date: next.dueDate } : null,
    autopay: plan.autopay,
    parts: parts.map(({ number, state }) => ({ number, state })),
  };
}

/** Returns whether a payment for the installment still waits for its outcome from the processor. */
export function isInFlight(part: LivePart): boolean {
  return part.state === 'processing';
}

export function isOpen(part: LivePart): boolean {
  return part.state !== 'paid' && part.state !== 'canceled';
}
