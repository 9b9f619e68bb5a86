import { isDeepStrictEqual } from 'node:util';
import type { PortalInfoInput, PortalInfoOutput } from '@svc/contract';
import { type Queryable, raw, type Sql, sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { PartnerActor } from '../access/actor.ts';
import { newSecret, sha256 } from '../access/secrets.ts';
import { type Charge, viewCycle } from '../charges/rent-cycle.ts';
import { replaceCharges, toCharges } from '../charges/sync.ts';
import { nextEligibilityChange } from '../eligibility/emit-eligibility.ts';
import {
  loadTenantSnapshot,
  type Position,
  positionOf,
  type TenantSnapshot,
} from '../eligibility/load-tenant-snapshot.ts';
import { emit, type NewEvent } from '../events/emit.ts';
import type { Tenant } from '../tenants/tenant.ts';
import { isSimulated, simulatedTime } from '../tenants/time.ts';
import { applyDrift, cancels, chargeDrift, type Drift } from './charge-drift.ts';
import { changedFields, mergeTenant, newTenant } from './merge-tenant.ts';
import { portalInfoWarnings } from './portal-info-warnings.ts';

const tokenMinutes = 60;

interface Input {
  readonly external_id: string;
  readonly input: PortalInfoInput;
  readonly dry_run: boolean;
}

/**
 * Upserts what the portal knows of the tenant and issues a token. Reads without a lock and writes
 * only if nobody wrote in between (one statement less each time); if so, again with the lock.
 */
export async function recordPortalInfo(
  ctx: Ctx<PartnerActor>,
  { external_id, input, dry_run }: Input,
  { lock } = { lock: false },
): Promise<PortalInfoOutput> {
  const { partnerId } = ctx.actor;
  const wanted = { partnerId, externalId: external_id };
  const [since] = input.charges.map((it) => it.due_date).sort();
  const known = await loadTenantSnapshot(lock ? ctx.tx : ctx.tx.alone, wanted, { lock, since });
  const before = known?.tenant ?? newTenant(newId('ten', ctx.now), partnerId, external_id);
  const tenant = mergeTenant(before, input);
  const charges = toCharges(input.charges, tenant.productVariant ?? 'rent');
  const plan = known?.openPlan ?? null;
  const drift = known && plan ? chargeDrift(plan, known.charges, charges) : [];
  const ends = plan !== null && drift.length > 0 && cancels(plan);
  const after: TenantSnapshot = {
    tenant,
    charges,
    openPlan: ends ? null : plan,
    covered: known?.covered ?? [],
    application: known?.application ?? null,
  };
  const position = positionOf(after, ctx);
  const answer = describe(ctx, after, position, input);
  if (dry_run) return answer;
  // A change of the plan needs the tenant's row.
  if (drift.length > 0 && !lock)
    return recordPortalInfo(ctx, { external_id, input, dry_run }, { lock: true });
  const secret = newSecret('svc_tt_');
  const expiresAt = new Date(ctx.now.getTime() + tokenMinutes * 60_000);
  const version = known ? before.version + 1 : 1;
  const written = { ...tenant, version };
  const events = changes(known, { ...after, tenant: written }, position, drift);
  // Mostly there is nothing to tell, and the one statement needs no transaction around it.
  const stored = await store(events.length === 0 ? ctx.tx.alone : ctx.tx, ctx.now, {
    tenant: written,
    read: known ? before.version : null,
    charges,
    chargesBefore: known?.charges ?? [],
    position,
    eligibilityChangesAt: nextEligibilityChange(after, position.at),
    secret,
    expiresAt,
    variant: input.product_variant ?? null,
  });
  if (!stored) return recordPortalInfo(ctx, { external_id, input, dry_run }, { lock: true });
  if (drift.length > 0) await applyDrift(ctx, { tenantId: tenant.id, drift, at: position.at });
  if (events.length > 0) emitChanges(ctx, written, position, events);
  return { ...answer, token: secret, expires_at: expiresAt.toISOString() };
}

interface Row {
  readonly tenant: Tenant;
  /** The version that was read, null for a tenant that was not there. */
  readonly read: number | null;
  readonly charges: readonly Charge[];
  readonly chargesBefore: readonly Charge[];
  readonly position: Position;
  readonly eligibilityChangesAt: Date | null;
  readonly secret: string;
  readonly expiresAt: Date;
  readonly variant: 'rent' | 'hoa' | null;
}

async function store(q: Queryable, now: Date, row: Row): Promise<boolean> {
  const { tenant, position } = row;
  const { state, reason } = position.standing;
  const tokens = await q.run(sql`
    with saved as (
      insert into tenant as t (id, partner_id, external_id, first_name, last_name, email,
        phone_number, product_variant, lease, time_zone, return_url, metadata,
        eligibility_state, eligibility_reason, turns_at, version, created_at, updated_at)
      values (${tenant.id}, ${tenant.partnerId}, ${tenant.externalId}, ${tenant.firstName},
        ${tenant.lastName}, ${tenant.email}, ${tenant.phoneNumber}, ${tenant.productVariant},
        ${tenant.lease && JSON.stringify(tenant.lease)}::jsonb, ${tenant.timeZone},
        ${tenant.returnUrl}, ${JSON.stringify(tenant.metadata)}::jsonb, ${state}, ${reason},
        ${row.eligibilityChangesAt}, ${tenant.version}, ${now}, ${now})
      on conflict (partner_id, external_id) do update set
        first_name = excluded.first_name, last_name = excluded.last_name,
        email = excluded.email, phone_number = excluded.phone_number,
        product_variant = excluded.product_variant, lease = excluded.lease,
        time_zone = excluded.time_zone, return_url = excluded.return_url,
        metadata = excluded.metadata, eligibility_state = excluded.eligibility_state,
        eligibility_reason = excluded.eligibility_reason, turns_at = excluded.turns_at,
        version = t.version + 1,
        updated_at = excluded.updated_at
      where t.version = ${row.read}::integer
      returning id
    )${chargesPart(row)}
    insert into tenant_token (secret_sha256, tenant_id, product_variant, created_at, expires_at)
    select ${sha256(row.secret)}, saved.id, ${row.variant}, ${now}, ${row.expiresAt} from saved`);
  return tokens === 1;
}

/** Most calls change no charge, and then need not plan for it: 0.3 ms of the database's time. */
function chargesPart({ charges, chargesBefore }: Row): Sql {
  if (isDeepStrictEqual(charges, chargesBefore)) return raw('');
  return sql`, ${replaceCharges(charges, { removes: chargesBefore.length > 0 })}`;
}

/** A known tenant's changes, and eligibility when it is not what the partner was last told. */
function changes(
  known: TenantSnapshot | undefined,
  { tenant, charges }: TenantSnapshot,
  { standing }: Position,
  drift: readonly Drift[],
): NewEvent[] {
  const events: NewEvent[] = [];
  const changed = known?.tenant.firstName
    ? changedFields(known.tenant, known.charges, tenant, charges)
    : [];
  const { version } = tenant;
  if (changed.length > 0) events.push({ type: 'tenant.updated', version, data: { changed } });
  for (const data of drift) events.push({ type: 'charge.drift_detected', version, data });
  const { state, reason } = standing;
  // The answer itself tells a new tenant's; from then on, what it was when last told counts.
  const told = known?.tenant.eligibilityState ?? null;
  if (told !== null && (told !== state || known?.tenant.eligibilityReason !== reason)) {
    events.push({ type: 'tenant.eligibility_changed', version, data: { state, reason } });
  }
  return events;
}

function emitChanges(
  ctx: Ctx<PartnerActor>,
  tenant: Tenant,
  { at }: Position,
  events: readonly NewEvent[],
): void {
  const { partnerId, pms } = ctx.actor;
  const simulated = isSimulated(tenant);
  emit(ctx, { partnerId, pms, externalId: tenant.externalId, simulated, at }, events);
}

function describe(
  ctx: Ctx<PartnerActor>,
  { tenant }: TenantSnapshot,
  position: Position,
  input: PortalInfoInput,
): PortalInfoOutput {
  const { state, reason } = position.standing;
  return {
    token: null,
    expires_at: null,
    external_id: tenant.externalId,
    environment: ctx.service.environment,
    rent_cycle: viewCycle(position.cycle),
    eligibility: { state, reason },
    simulated_time: simulatedTime(tenant, ctx.now),
    warnings: portalInfoWarnings(tenant, position, input, ctx.service.environment),
  };
}
