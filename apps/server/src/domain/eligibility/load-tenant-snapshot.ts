import { type ProductVariant, productVariant } from '@svc/contract';
import {
  bigint,
  instant,
  json,
  nullable,
  type Queryable,
  type RowOf,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import { z } from 'zod';
import type { Service } from '../../context.ts';
import { aggregatedCharges, type Charge, chargeSchema, ofVariant } from '../charges/charge.ts';
import { type Cycle, currentCycle } from '../charges/rent-cycle.ts';
import {
  loadLendingRules,
  newestLendingRule,
  resolveLending,
  type StoredRule,
} from '../lending/lending-rules.ts';
import { coveredLending } from '../lending/military.ts';
import { partnerOfRows } from '../partner-of-rows.ts';
import {
  loadTerms,
  type Program,
  programsColumn,
  programsOf,
  resolveTerms,
  termsOfVersion,
} from '../partners/program-terms.ts';
import { defaultTermsVersion, type Terms } from '../partners/terms.ts';
import { stateCode } from '../partners/us-states.ts';
import { takesPayments } from '../payments/processor-of.ts';
import { areTenants, type TenantKey } from '../tenant-key.ts';
import { localDate, monthOf } from '../tenants/calendar.ts';
import { storedPersonal } from '../tenants/personal-data.ts';
import { tenantSchema } from '../tenants/tenant.ts';
import { type TenantTime, tenantTime } from '../tenants/time.ts';
import { type EligibilityFacts, type EligibilityResult, eligibility } from './eligibility.ts';

const openPlanSchema = z.object({
  id: z.string(),
  state: z.enum(['created', 'active', 'past_due']),
  rentCycleDate: z.string(),
  quoteId: z.string(),
  /** The charges that the plan's settlement pays, with the amount of each. */
  paidCharges: z.array(z.object({ chargeId: z.string(), amountInCents: z.int() })).readonly(),
  /** True if the plan has a settlement whose debit has neither failed nor been returned. */
  paysCharges: z.boolean(),
  termsVersion: z.string(),
});

export interface OpenPlan extends Omit<Readonly<z.infer<typeof openPlanSchema>>, 'termsVersion'> {
  /** The terms under which the plan was agreed. */
  readonly terms: Terms;
}

const applicationSchema = z.object({
  id: z.string(),
  state: z.string(),
  rentCycleDate: z.string(),
  productVariant,
  approvedAmountInCents: z.int().nullable(),
  reapplyAfter: z.string().nullable(),
  /** True if the Military Lending Act covers the tenant; null if it was not looked up. */
  militaryCovered: z.boolean().nullable(),
  version: z.int(),
});
export type Application = Readonly<z.infer<typeof applicationSchema>>;

const coveredSchema = z.object({
  chargeId: z.string(),
  /** `YYYY-MM`: a portal may use a charge's id again next month. */
  month: z.string(),
  amountInCents: z.int(),
});

const snapshotRow = row('tenant snapshot', {
  tenant: json(tenantSchema),
  charges: json(z.array(chargeSchema).readonly()),
  openPlan: nullable(json(openPlanSchema)),
  /** The number of plans that the tenant has had; plans are never deleted. At 0, queries about plans are skipped. */
  planCount: bigint,
  /** Charges that our settlements have paid, for plans that are over. */
  covered: json(z.array(coveredSchema).readonly()),
  /** The newest application that was not withdrawn. */
  application: nullable(json(applicationSchema)),
  /** The time since which the tenant's mail server has refused the address; null if it accepts our mails. */
  bouncesSince: nullable(instant),
  /** The versions of the terms that may apply to the partner's tenants. */
  programs: programsColumn,
  newestLendingRule: nullable(text),
});

/** A tenant with everything that decides what the tenant may do, read in one statement. */
export interface TenantSnapshot
  extends Omit<RowOf<typeof snapshotRow>, 'programs' | 'openPlan' | 'newestLendingRule'> {
  readonly openPlan: OpenPlan | null;
  readonly programs: readonly Program[];
  readonly lendingRules: readonly StoredRule[];
}

export interface Position extends EligibilityFacts {
  readonly cycle: Cycle | null;
  readonly at: TenantTime;
  readonly eligibility: EligibilityResult;
}

type AnyTenantKey = TenantKey | { readonly partnerId: string; readonly externalId: string };

interface Options {
  /** Locks the tenant's row, so that commands about one tenant run one after another. */
  readonly lock: boolean;
  /** The earliest due date in charges that are about to be stored; older settlements are left out. */
  readonly since?: string | undefined;
}

export async function loadTenantSnapshot(
  q: Queryable,
  key: AnyTenantKey,
  { lock, since }: Options,
): Promise<TenantSnapshot | undefined> {
  const read = () =>
    readSnapshots(
      q,
      sql`${tenantSnapshots(sql`${key.partnerId}`, since)} where t.partner_id = ${key.partnerId} and ${isTenant(key)}`,
    );
  if (!lock) return (await read())[0];
  // Two statements: the second one's snapshot includes what the previous holder of the lock committed.
  const locked = sql`
    select t.id from tenant t where t.partner_id = ${key.partnerId} and ${isTenant(key)}
    for update`;
  const [, [snapshot]] = await Promise.all([q.run(locked), read()]);
  return snapshot;
}

/** Loads the snapshots of many tenants, by tenant id, in one statement. Locks nothing. */
export async function loadTenantSnapshots(
  q: Queryable,
  tenants: readonly TenantKey[],
): Promise<Map<string, TenantSnapshot>> {
  if (tenants.length === 0) return new Map();
  const isListed = areTenants([sql`t.partner_id`, sql`t.id`], tenants);
  const all = await readSnapshots(
    q,
    sql`${tenantSnapshots(partnerOfRows(tenants, sql`t.partner_id`))} where ${isListed}`,
  );
  return new Map(all.map((snapshot) => [snapshot.tenant.id, snapshot]));
}

async function readSnapshots(q: Queryable, query: Sql): Promise<TenantSnapshot[]> {
  const found = await q.many(snapshotRow, query);
  const versions = found.flatMap(({ programs, openPlan }) => [
    ...programs.map((it) => it.version),
    ...(openPlan ? [openPlan.termsVersion] : []),
  ]);
  const terms = await loadTerms(q, versions);
  // One statement has read all rows, so they have one newest rule.
  const lendingRules = await loadLendingRules(q, found[0]?.newestLendingRule ?? null);
  return found.map(({ programs, openPlan, newestLendingRule: newest, ...snapshot }) => ({
    ...snapshot,
    lendingRules: newest === null ? [] : lendingRules,
    openPlan: openPlan && withTerms(openPlan, terms),
    programs: programs.map((it) => ({ ...it, terms: terms(it.version) })),
  }));
}

function withTerms(
  { termsVersion, ...plan }: z.infer<typeof openPlanSchema>,
  terms: (version: string) => Terms,
): OpenPlan {
  return { ...plan, terms: terms(termsVersion) };
}

const tenantSnapshots = (partner: Sql, since: string | null = null) => sql`
    select json_build_object(
        'id', t.id, 'partnerId', t.partner_id, 'externalId', t.external_id,
        'personal', ${storedPersonal}, 'paydaysSealed', encode(t.paydays_sealed, 'base64'),
        'productVariant', t.product_variant, 'lease', t.lease,
        'timeZone', t.time_zone, 'returnUrl', t.return_url, 'metadata', t.metadata,
        'underwritingResult', t.underwriting_result, 'declineReasons', t.decline_reasons,
        'simulatedCycleDate', t.simulated_cycle_date, 'clockOffsetMs', t.clock_offset_ms,
        'simulatedTermsVersion', t.simulated_terms_version,
        'eligibilityState', t.eligibility_state, 'eligibilityReason', t.eligibility_reason,
        'pendingFailures', t.pending_payment_failures,
        'eligibilityChangesMs', (extract(epoch from t.turns_at) * 1000)::bigint,
        'version', t.version) as tenant,
      (select b.bounced_at from bounced_address b where b.partner_id = ${partner}
        and b.tenant_id = t.id and b.email_hmac = t.email_hmac) as bounces_since,
      known.charges, ${programsOf(partner)} as programs,
      ${newestLendingRule} as newest_lending_rule,
      (select json_build_object('id', p.id, 'state', p.state, 'rentCycleDate', p.rent_cycle_date,
          'quoteId', p.quote_id, 'termsVersion', coalesce(p.terms_version, ${defaultTermsVersion}::text),
          'paidCharges',
          (select json_agg(json_build_object('chargeId', c.charge_id,
              'amountInCents', c.amount_in_cents)) from plan_charge c
            where c.partner_id = ${partner} and c.plan_id = p.id),
          'paysCharges', exists (select from settlement s
            where s.partner_id = ${partner} and s.plan_id = p.id
              and s.status not in ('failed', 'returned') offset 0))
        from plan p where p.partner_id = ${partner} and p.tenant_id = t.id
          and p.state in ('created', 'active', 'past_due')
        order by p.reopened, p.id limit 1)
        as open_plan,
      (select count(*) from plan p where p.partner_id = ${partner} and p.tenant_id = t.id)
        as plan_count,
      coalesce((select json_agg(json_build_object('chargeId', c.charge_id,
          'month', to_char(p.rent_cycle_date, 'YYYY-MM'), 'amountInCents', c.amount_in_cents))
        from plan p join plan_charge c on c.partner_id = p.partner_id and c.plan_id = p.id
          join settlement s on s.partner_id = p.partner_id and s.plan_id = p.id
            and s.status not in ('failed', 'returned')
        where p.partner_id = ${partner} and p.tenant_id = t.id and p.covers_charges
          and p.state in ('completed', 'charged_off')
          and p.rent_cycle_date >= date_trunc('month', least(known.since, ${since}::date))),
        '[]') as covered,
      (select json_build_object('id', a.id, 'state', a.state,
          'rentCycleDate', a.rent_cycle_date, 'productVariant', a.product_variant,
          'approvedAmountInCents', a.approved_amount_in_cents,
          'reapplyAfter', a.reapply_after, 'militaryCovered', a.military_covered,
          'version', a.version)
        from application a
        where a.partner_id = ${partner} and a.tenant_id = t.id and a.state <> 'withdrawn'
        order by a.created_at desc, a.id desc limit 1) as application
    from tenant t /* all partners: each use adds the tenants that it means */ cross join lateral (
      select min(c.due_date) as since, ${aggregatedCharges} as charges
      from charge c where c.partner_id = ${partner} and c.tenant_id = t.id) known`;

/** Computes the tenant's rent cycle and eligibility at the wall time `now`. Pure. */
export function positionOf(
  { tenant, charges: reported, covered, openPlan, application, ...snapshot }: TenantSnapshot,
  {
    now,
    service,
  }: {
    readonly now: Date;
    readonly service: Pick<Service, 'processor' | 'environment' | 'militaryPhone'>;
  },
  variant: ProductVariant = tenant.productVariant ?? 'rent',
): Position {
  const at = tenantTime(tenant, now);
  const { timeZone } = tenant;
  const place = {
    partnerId: tenant.partnerId,
    state: stateCode(tenant.lease?.property?.state),
    today: localDate(at, timeZone),
    environment: service.environment,
  };
  const terms =
    termsOfVersion(snapshot.programs, tenant.simulatedTermsVersion) ??
    resolveTerms(snapshot.programs, place);
  const charges = reported.map((charge) => withPaid(ofVariant(charge, variant), covered));
  const cycle = currentCycle({
    charges,
    simulatedDate: tenant.simulatedCycleDate,
    at,
    timeZone,
    terms,
  });
  const lending = resolveLending(snapshot.lendingRules, place);
  // Coverage counts for this rent cycle only: the next application is looked up again.
  const isCovered =
    application?.state === 'approved' &&
    application.militaryCovered === true &&
    application.rentCycleDate === cycle?.dueDate;
  const facts = {
    tenant,
    variant,
    charges,
    cycle,
    at,
    terms,
    lending: isCovered ? coveredLending(lending, service.militaryPhone) : lending,
    openPlan,
    application,
    takesPayments: takesPayments(service),
  };
  return { ...facts, eligibility: eligibility(facts) };
}

function withPaid(charge: Charge, covered: TenantSnapshot['covered']): Charge {
  const paid = covered
    .filter((it) => it.chargeId === charge.id && it.month === monthOf(charge.dueDate))
    .reduce((sum, it) => sum + it.amountInCents, 0);
  const amount = Math.min(paid, charge.amountInCents);
  return amount > charge.amountPaidInCents ? { ...charge, amountPaidInCents: amount } : charge;
}

function isTenant(key: AnyTenantKey): Sql {
  return 'tenantId' in key ? sql`t.id = ${key.tenantId}` : sql`t.external_id = ${key.externalId}`;
}
