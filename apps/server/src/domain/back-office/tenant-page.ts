import type { TenantPageOutput } from '@svc/contract/operator';
import {
  bigint,
  boolean,
  date,
  instant,
  listOf,
  nullable,
  oneOf,
  type Queryable,
  row,
  sql,
  text,
} from '@svc/db';
import type { OperatorActor } from '../access/actor.ts';
import { loadTenantSnapshot, positionOf } from '../eligibility/load-tenant-snapshot.ts';
import { describePause, type ShownTenant, showSnapshot } from '../intake/show-tenant.ts';
import { newestRecordsConsent } from '../mail/electronic-records.ts';
import { requirePartner } from '../operators/partners-of.ts';
import type { LivePlan } from '../plans/live-plan.ts';
import { rescheduleDays } from '../plans/reschedule-days.ts';
import { feeToWaive } from '../refunds/waive-fee.ts';
import { Refusal } from '../refusal.ts';
import type { TenantKey } from '../tenant-key.ts';
import { localDate } from '../tenants/calendar.ts';
import { openPersonal } from '../tenants/personal-data.ts';
import type { Lease } from '../tenants/tenant.ts';
import { isSimulated } from '../tenants/time.ts';
import { type Discloser, loadIsDisclosed, maskPersonal } from './mask.ts';

/** A tenant as the operator's API names one. */
export interface NamedTenant {
  readonly partner: string;
  readonly external_id: string;
}

const tenantRow = row('tenant of a page', {
  id: text,
  createdAt: instant,
  erasedAt: nullable(instant),
});

/** @throws Refusal if there is no such tenant, or the operator may not see the partner */
export async function requireVisibleTenant(
  q: Queryable,
  actor: Pick<OperatorActor, 'partners'>,
  { partner: pms, external_id: externalId }: NamedTenant,
) {
  const partner = await requirePartner(q, actor, pms);
  const tenant = await q.maybe(
    tenantRow,
    sql`
    select id, created_at, erased_at from tenant
    where partner_id = ${partner.id} and external_id = ${externalId}`,
  );
  if (!tenant) throw new Refusal('tenant_not_found');
  return { partner, ...tenant, partnerId: partner.id, tenantId: tenant.id };
}

/** Reads everything about one tenant that fits on a page: who, where, what is owed, and what happens next. */
export async function readTenantPage(
  ctx: Discloser,
  named: NamedTenant,
): Promise<TenantPageOutput> {
  const { tx, service } = ctx;
  const found = await requireVisibleTenant(tx, ctx.actor, named);
  const { partner, partnerId, tenantId } = found;
  const key = { partnerId, tenantId };
  const snapshot = await loadTenantSnapshot(tx, key, { lock: false });
  if (!snapshot) throw new Refusal('tenant_not_found');
  const { tenant } = snapshot;
  const person = openPersonal(service.vault, tenantId, tenant.personal);
  const isClear = (await loadIsDisclosed(ctx, [key]))(tenantId);
  const { cycle } = positionOf(snapshot, ctx);
  const { pauses, plan, openPlan, ...shown } = await showSnapshot(ctx, partner.pms, snapshot);
  const disclosed = person && (isClear ? person : maskPersonal(person));
  return {
    partner: { pms: partner.pms, name: partner.name },
    tenant_id: tenantId,
    external_id: tenant.externalId,
    product_variant: tenant.productVariant,
    created_at: found.createdAt.toISOString(),
    erased_at: found.erasedAt?.toISOString() ?? null,
    person: disclosed && {
      first_name: disclosed.firstName,
      last_name: disclosed.lastName,
      email: disclosed.email,
      phone_number: disclosed.phoneNumber,
      is_masked: !isClear,
    },
    home: tenant.lease && homeOf(tenant.lease, isClear),
    time_zone: tenant.timeZone,
    now: shown.now,
    is_simulated: isSimulated(tenant),
    eligibility: { state: shown.eligibility, reason: shown.eligibility_reason },
    balance: {
      amount_in_cents: cycle?.amountDueInCents ?? 0,
      due_date: cycle?.dueDate ?? null,
    },
    position: positionSentence({ ...shown, plan, isPaused: pauses.length > 0 }),
    next: shown.next,
    // The page shows the pauses with who made them, so that a button can end them.
    waits_for: shown.waits_for.filter((it) => !pauses.map(describePause).includes(it)),
    pauses: pauses.map(({ pms: _pms, ...pause }) => pause),
    plan: openPlan ? await showOpenPlan(tx, openPlan, shown.now) : null,
    plans: await readPlans(tx, key),
    methods: await readMethods(tx, key),
    applications: await readApplications(tx, key),
    consents: await readConsents(tx, key),
    mail: {
      bounces_since: snapshot.bouncesSince?.toISOString() ?? null,
      ...(await readMail(tx, key)),
    },
  };
}

async function showOpenPlan(
  q: Queryable,
  plan: LivePlan,
  now: string,
): Promise<TenantPageOutput['plan']> {
  const today = localDate(new Date(now), plan.timeZone);
  return {
    id: plan.id,
    state: plan.state,
    autopay: plan.autopay,
    rent_cycle_date: plan.rentCycleDate,
    payments: plan.parts.map((part) => ({
      number: part.number,
      due_date: part.dueDate,
      amount_in_cents: part.amountInCents,
      state: part.state,
      may_move_to: rescheduleDays(plan, part, today),
    })),
    may_cancel: plan.state === 'created',
    fee_to_waive_in_cents: await feeToWaive(q, plan),
  };
}

/** The street is personal data. The city and the state decide what is offered, so they are not masked. */
function homeOf({ id, property }: Lease, isClear: boolean): TenantPageOutput['home'] {
  const { line1, line2, postal_code: postalCode, city, state } = property ?? {};
  const address = [line1, line2, postalCode].filter(Boolean).join(', ');
  return {
    lease_id: id,
    property_id: property?.id ?? null,
    property_name: property?.name ?? null,
    address: isClear && address !== '' ? address : null,
    city: city ?? null,
    state: state ?? null,
  };
}

const steps = {
  remind: (day) => `has a reminder on ${day}`,
  collect: (day) => `will be charged on ${day}`,
  overdue: (day) => `is overdue on ${day} unless the tenant pays it`,
  past_due: (day) => `makes the plan past due on ${day} unless the tenant pays it`,
  charge_off: (day) => `makes the plan a loss on ${day} unless the tenant pays it`,
} satisfies Record<NonNullable<ShownTenant['next']>['kind'], (day: string) => string>;

/** @example "Payment 2 of 4, $380.03, failed and will be charged again on Dec 8." */
export function positionSentence({
  plan,
  next,
  time_zone: timeZone,
  waits_for: waits,
  isPaused,
}: Pick<ShownTenant, 'plan' | 'next' | 'time_zone' | 'waits_for'> & {
  readonly isPaused: boolean;
}): string {
  if (!plan) return 'There is no open plan, so nothing will be charged.';
  if (!next) return waits[0] ?? 'Nothing happens until the tenant or the bank acts.';
  const day = new Intl.DateTimeFormat('en-US', { timeZone, month: 'short', day: 'numeric' });
  const amount = (next.amount_in_cents / 100).toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
  });
  const payment = `Payment ${next.number} of ${plan.payments.length}, ${amount},`;
  const on = day.format(new Date(next.at));
  if (next.kind === 'collect') {
    if (isPaused) return `${payment} is not charged on ${on} unless collections are resumed.`;
    const { state } = plan.payments.find(({ number }) => number === next.number) ?? {};
    if (state === 'failed') return `${payment} failed and will be charged again on ${on}.`;
  }
  return `${payment} ${steps[next.kind](on)}.`;
}

const planRow = row('plan of a page', {
  id: text,
  state: text,
  rent_cycle_date: date,
  principal_in_cents: bigint,
  acceptedAt: instant,
  terms_version: nullable(text),
  settlementId: nullable(text),
  status: nullable(text),
  settled: nullable(bigint),
});

async function readPlans(
  q: Queryable,
  { partnerId, tenantId }: TenantKey,
): Promise<TenantPageOutput['plans']> {
  const rows = await q.many(
    planRow,
    sql`
    select p.id, p.state, p.rent_cycle_date, p.principal_in_cents, p.accepted_at, p.terms_version,
      s.id as settlement_id, s.status, s.amount_in_cents as settled
    from (select * from plan where partner_id = ${partnerId} and tenant_id = ${tenantId}
        order by created_at desc limit 24) p
      left join settlement s on s.partner_id = ${partnerId} and s.plan_id = p.id
    order by p.created_at desc, p.id desc`,
  );
  return rows.map(({ acceptedAt, settlementId, status, settled, ...plan }) => ({
    ...plan,
    accepted_at: acceptedAt.toISOString(),
    settlement:
      settlementId === null
        ? null
        : { id: settlementId, status: status ?? '', amount_in_cents: settled ?? 0 },
  }));
}

const methodRow = row('payment method of a page', {
  id: text,
  type: oneOf('bank_account', 'card'),
  brand: nullable(text),
  last4: text,
  expires: nullable(text),
  addedAt: instant,
});

async function readMethods(
  q: Queryable,
  { partnerId, tenantId }: TenantKey,
): Promise<TenantPageOutput['methods']> {
  const rows = await q.many(
    methodRow,
    sql`
    select id, type, brand, last4, expires, created_at as added_at from payment_method
    where partner_id = ${partnerId} and tenant_id = ${tenantId}
    order by created_at desc, id desc limit 10`,
  );
  return rows.map(({ addedAt, ...method }) => ({ ...method, added_at: addedAt.toISOString() }));
}

const applicationRow = row('application of a page', {
  id: text,
  state: text,
  amount_in_cents: bigint,
  approved_amount_in_cents: nullable(bigint),
  submittedAt: instant,
  reapply_after: nullable(date),
  flags: listOf(text),
  reasons: listOf(text),
});

async function readApplications(
  q: Queryable,
  { partnerId, tenantId }: TenantKey,
): Promise<TenantPageOutput['applications']> {
  const rows = await q.many(
    applicationRow,
    sql`
    select a.id, a.state, a.amount_in_cents, a.approved_amount_in_cents, a.submitted_at,
      a.reapply_after,
      coalesce((select f.reasons from application_flag f
        where f.partner_id = ${partnerId} and f.application_id = a.id), '{}') as flags,
      coalesce((select d.reasons from decision d
        where d.partner_id = ${partnerId} and d.application_id = a.id
        order by d.id desc limit 1), '{}') as reasons
    from application a where a.partner_id = ${partnerId} and a.tenant_id = ${tenantId}
    order by a.created_at desc, a.id desc limit 10`,
  );
  return rows.map(({ submittedAt, ...application }) => ({
    ...application,
    submitted_at: submittedAt.toISOString(),
  }));
}

const consentRow = row('consents of a page', { agreed: nullable(boolean), texts: boolean });

async function readConsents(
  q: Queryable,
  { partnerId, tenantId }: TenantKey,
): Promise<TenantPageOutput['consents']> {
  const { agreed, texts } = await q.one(
    consentRow,
    sql`
    select ${newestRecordsConsent(sql`${partnerId}`, sql`${tenantId}`)} as agreed,
      exists (select from text_consent c
        where c.partner_id = ${partnerId} and c.tenant_id = ${tenantId}
          and c.confirmed_at is not null and c.ended_at is null) as texts`,
  );
  return {
    electronic_records: agreed === null ? null : agreed ? 'electronic' : 'paper',
    texts: texts ? 'on' : 'off',
  };
}

const mailRow = row('mails of a page', {
  lastSentAt: nullable(instant),
  waiting: bigint,
  given_up: bigint,
});

async function readMail(
  q: Queryable,
  { partnerId, tenantId }: TenantKey,
): Promise<Omit<TenantPageOutput['mail'], 'bounces_since'>> {
  const { lastSentAt, ...counts } = await q.one(
    mailRow,
    sql`
    select max(m.sent_at) as last_sent_at,
      count(*) filter (where m.due_at is not null) as waiting,
      count(*) filter (where m.due_at is null and m.sent_at is null) as given_up
    from (select * from mail
      where partner_id = ${partnerId} and tenant_id = ${tenantId} order by id desc limit 200) m`,
  );
  return { ...counts, last_sent_at: lastSentAt?.toISOString() ?? null };
}
