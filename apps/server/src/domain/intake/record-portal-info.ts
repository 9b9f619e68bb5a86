import { isDeepStrictEqual } from 'node:util';
import type { PortalInfoInput, PortalInfoOutput, ProductVariant } from '@svc/contract';
import { type Queryable, raw, type Sql, sql } from '@svc/db';
import type { Ctx, Service } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { PartnerActor } from '../access/actor.ts';
import { newSecret } from '../access/secrets.ts';
import { insertToken } from '../access/tenant-tokens.ts';
import { type Charge, replaceCharges, replaceChargesAlone, toCharge } from '../charges/charge.ts';
import { viewCycle } from '../charges/rent-cycle.ts';
import { nextEligibilityChange } from '../eligibility/emit-eligibility.ts';
import {
  loadTenantSnapshot,
  type Position,
  positionOf,
  type TenantSnapshot,
} from '../eligibility/load-tenant-snapshot.ts';
import { emit, type NewEvent, type Subject } from '../events/emit.ts';
import { currentLendingRules } from '../lending/lending-rules.ts';
import { loadPrograms } from '../partners/program-terms.ts';
import { openPersonal, type PersonalData, sealPersonal } from '../tenants/personal-data.ts';
import { type ReportedTenant, storeTenant } from '../tenants/store-tenant.ts';
import type { Tenant } from '../tenants/tenant.ts';
import { isSimulated, simulatedTime } from '../tenants/time.ts';
import { applyDrift, chargeDrift, type Drift, driftCancels } from './charge-drift.ts';
import { checkReturnUrl, createLinkOf } from './hosted-links.ts';
import { changedFields, mergePersonal, mergeTenant, newTenant } from './merge-tenant.ts';
import { portalInfoWarnings } from './portal-info-warnings.ts';

const tokenMinutes = 60;

interface Request {
  readonly external_id: string;
  readonly input: PortalInfoInput;
  readonly dry_run: boolean;
}

/**
 * Stores what the portal reports about a tenant and issues a token.
 *
 * First reads without a lock and writes only if the tenant's version is still the one it read; most
 * calls need no more. If another command has written in between, or if the plan must change, it
 * starts again with the tenant's row locked. A locked try can fail only when another request creates
 * the tenant at the same time, since there was no row to lock.
 */
export async function recordPortalInfo(
  ctx: Ctx<PartnerActor>,
  request: Request,
): Promise<PortalInfoOutput> {
  if (request.input.hosted) await checkReturnUrl(ctx, request.input.hosted);
  let output = await tryToRecord(ctx, request, { lock: false });
  while (!output) output = await tryToRecord(ctx, request, { lock: true });
  return output;
}

/** Returns null if nothing was written because the tenant's row has to be locked first. */
async function tryToRecord(
  ctx: Ctx<PartnerActor>,
  { external_id, input, dry_run }: Request,
  { lock }: { readonly lock: boolean },
): Promise<PortalInfoOutput | null> {
  const key = { partnerId: ctx.actor.partnerId, externalId: external_id };
  const [since] = input.charges.map((it) => it.due_date).sort();
  // Reads outside of the transaction if possible, which saves BEGIN and COMMIT.
  const q = lock ? ctx.tx : ctx.tx.alone;
  const known = await loadTenantSnapshot(q, key, { lock, since });
  const rules = known ?? (await loadRules(q, ctx.actor.partnerId));
  const update = mergePortalInfo(ctx, known, { external_id, input, rules });
  const { snapshot, personal, isPersonalChanged, position, drift, events } = update;
  const output = describe(ctx, snapshot, position, input);
  if (dry_run) return output;
  if (drift.length > 0 && !lock) return null;
  const secret = newSecret('svc_tt_');
  const expiresAt = new Date(ctx.now.getTime() + tokenMinutes * 60_000);
  const isStored = await store(ctx, {
    tenant: snapshot.tenant,
    personal: isPersonalChanged ? reportedPersonal(ctx.service, snapshot.tenant, personal) : null,
    eligibility: position.eligibility,
    readVersion: known ? known.tenant.version : null,
    charges: snapshot.charges,
    chargesBefore: known?.charges ?? [],
    eligibilityChangesAt: nextEligibilityChange(snapshot, position.at),
    secret,
    expiresAt,
    variant: input.product_variant ?? null,
    isOnlyWrite: events.length === 0,
  });
  if (!isStored) return null;
  if (drift.length > 0) {
    const { partnerId, id: tenantId } = snapshot.tenant;
    await applyDrift(ctx, { partnerId, tenantId, drift, at: position.at });
  }
  emit(ctx, subjectOf(ctx, snapshot.tenant, position), events);
  const link = input.hosted && (await createLinkOf(ctx, snapshot.tenant, input.hosted));
  return {
    ...output,
    token: secret,
    expires_at: expiresAt.toISOString(),
    ...(link && {
      experience_url: link.url,
      experience_url_expires_at: link.expiresAt.toISOString(),
    }),
  };
}

type Rules = Pick<TenantSnapshot, 'programs' | 'lendingRules'>;

/** Loads the rules for a tenant who isn't stored yet. */
async function loadRules(q: Queryable, partnerId: string): Promise<Rules> {
  const [programs, lendingRules] = await Promise.all([
    loadPrograms(q, partnerId),
    currentLendingRules(q),
  ]);
  return { programs, lendingRules };
}

interface Update {
  /** The tenant after the report was merged. */
  readonly snapshot: TenantSnapshot;
  readonly personal: PersonalData;
  /** True if the columns of the personal data have to be written. */
  readonly isPersonalChanged: boolean;
  readonly position: Position;
  /** Charges of the open plan that the portal has changed. */
  readonly drift: readonly Drift[];
  readonly events: readonly NewEvent[];
}

/** Merges the report into the snapshot and derives the events. Writes nothing. */
function mergePortalInfo(
  ctx: Ctx<PartnerActor>,
  known: TenantSnapshot | undefined,
  { external_id, input, rules }: Pick<Request, 'external_id' | 'input'> & { readonly rules: Rules },
): Update {
  const before =
    known?.tenant ?? newTenant(newId('ten', ctx.now), ctx.actor.partnerId, external_id);
  const personalBefore = openPersonal(ctx.service.vault, before.id, before.personal);
  const personal = mergePersonal(personalBefore, input);
  const tenant = { ...mergeTenant(before, input), version: known ? before.version + 1 : 1 };
  const variant = tenant.productVariant ?? 'rent';
  const charges = input.charges.map((it) => toCharge(it, variant));
  const plan = known?.openPlan ?? null;
  const drift = known && plan ? chargeDrift(plan, known.charges, charges) : [];
  const endsPlan = plan !== null && drift.length > 0 && driftCancels(plan);
  const snapshot: TenantSnapshot = {
    tenant,
    charges,
    openPlan: endsPlan ? null : plan,
    planCount: known?.planCount ?? 0,
    covered: known?.covered ?? [],
    application: known?.application ?? null,
    programs: rules.programs,
    lendingRules: rules.lendingRules,
    bouncesSince: personalBefore?.email === personal.email ? (known?.bouncesSince ?? null) : null,
  };
  const position = positionOf(snapshot, ctx);
  const changed =
    known && personalBefore
      ? changedFields({ ...known, personal: personalBefore }, { ...snapshot, personal })
      : [];
  const events = eventsOf(known, changed, { snapshot, position, drift });
  const isPersonalChanged =
    !isDeepStrictEqual(personalBefore, personal) ||
    (tenant.personal.clear !== null) !== ctx.service.keepsClearNames;
  return { snapshot, personal, isPersonalChanged, position, drift, events };
}

interface Row extends ReportedTenant {
  readonly charges: readonly Charge[];
  readonly chargesBefore: readonly Charge[];
  readonly secret: string;
  readonly expiresAt: Date;
  readonly variant: ProductVariant | null;
  /** True if nothing else is written for this report. */
  readonly isOnlyWrite: boolean;
}

/** Returns false, and writes nothing, if the tenant has another version than the one that was read. */
async function store({ tx, now }: Ctx, row: Row): Promise<boolean> {
  // Planning the charges takes the database 0.3 ms, and in most calls none has changed.
  const writesCharges = !isDeepStrictEqual(row.charges, row.chargesBefore);
  const isOneStatement = !writesCharges || !tx.cluster;
  const q = row.isOnlyWrite && isOneStatement ? tx.alone : tx;
  const tokens = await q.run(sql`
    with saved as (
      ${storeTenant(row, now)}
      returning partner_id, id
    )${writesCharges && isOneStatement ? chargesPart(row) : raw('')}
    ${insertToken(row, { from: sql`saved`, now })}`);
  if (tokens === 0) return false;
  if (!isOneStatement) {
    const { partnerId, id: tenantId } = row.tenant;
    await replaceChargesAlone(tx, { partnerId, tenantId }, row.charges);
  }
  return true;
}

function reportedPersonal(
  { vault, keepsClearNames }: Pick<Service, 'vault' | 'keepsClearNames'>,
  { id, personal: stored }: Tenant,
  personal: PersonalData,
): ReportedTenant['personal'] {
  const sealed = sealPersonal(vault, id, stored, personal);
  return { sealed, clear: keepsClearNames ? personal : null };
}

function chargesPart({ tenant, charges, chargesBefore }: Row): Sql {
  return sql`, ${replaceCharges(tenant.partnerId, charges, { removes: chargesBefore.length > 0 })}`;
}

/** Returns the events: changed fields of a known tenant, drift, and eligibility that was not emitted before. */
function eventsOf(
  known: TenantSnapshot | undefined,
  changed: string[],
  { snapshot, position, drift }: Pick<Update, 'snapshot' | 'position' | 'drift'>,
): NewEvent[] {
  const events: NewEvent[] = [];
  const { version } = snapshot.tenant;
  if (changed.length > 0) events.push({ type: 'tenant.updated', version, data: { changed } });
  for (const data of drift) events.push({ type: 'charge.drift_detected', version, data });
  const { state, reason } = position.eligibility;
  // A new tenant's eligibility is part of this response. After that, emit an event only when it
  // differs from the last one emitted.
  const emitted = known?.tenant.eligibilityState ?? null;
  if (emitted !== null && (emitted !== state || known?.tenant.eligibilityReason !== reason)) {
    events.push({ type: 'tenant.eligibility_changed', version, data: { state, reason } });
  }
  return events;
}

function subjectOf(ctx: Ctx<PartnerActor>, tenant: Tenant, { at }: Position): Subject {
  const { partnerId, pms } = ctx.actor;
  return { partnerId, pms, externalId: tenant.externalId, simulated: isSimulated(tenant), at };
}

function describe(
  ctx: Ctx<PartnerActor>,
  snapshot: TenantSnapshot,
  position: Position,
  input: PortalInfoInput,
): PortalInfoOutput {
  const { tenant } = snapshot;
  const { state, reason } = position.eligibility;
  return {
    token: null,
    expires_at: null,
    experience_url: null,
    experience_url_expires_at: null,
    external_id: tenant.externalId,
    environment: ctx.service.environment,
    rent_cycle: viewCycle(position.cycle),
    eligibility: { state, reason },
    simulated_time: simulatedTime(tenant, ctx.now),
    warnings: portalInfoWarnings(snapshot, position, input, ctx.service.environment),
  };
}
