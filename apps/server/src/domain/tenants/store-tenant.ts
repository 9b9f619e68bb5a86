import {
  boolean,
  instant,
  integer,
  nullable,
  type Queryable,
  type RowOf,
  raw,
  recordset,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { partnerOfRows } from '../partner-of-rows.ts';
import { areTenants, type TenantKey } from '../tenant-key.ts';
import type { PersonalData, SealedPersonal } from './personal-data.ts';
import type { Tenant } from './tenant.ts';

/** A tenant after a report from the portal. */
export interface ReportedTenant {
  readonly tenant: Tenant;
  /** Null to keep what is stored. */
  readonly personal: ReportedPersonal | null;
  readonly eligibility: { readonly state: string; readonly reason: string | null };
  /** Wall time. */
  readonly eligibilityChangesAt: Date | null;
  /** Null for a new tenant. */
  readonly readVersion: number | null;
}

interface ReportedPersonal {
  readonly sealed: SealedPersonal;
  /** Also in clear text, because a service before 0.3.0 may read it; null if none can. */
  readonly clear: PersonalData | null;
}

/**
 * A statement that stores the tenant as `t`, for a `with` list that reads what it returns. It writes
 * nothing if the tenant has another version than the one that was read.
 */
export function storeTenant(reported: ReportedTenant, now: Date): Sql {
  const { tenant, readVersion } = reported;
  const { id, partnerId, externalId, version } = tenant;
  const { columns, values } = storedFields(reported, now);
  if (readVersion === null) {
    return sql`
      insert into tenant as t (id, partner_id, external_id, version, created_at, ${raw(columns)})
      values (${id}, ${partnerId}, ${externalId}, ${version}, ${now}, ${values})
      on conflict (partner_id, external_id) do nothing`;
  }
  // Found by the tenant's id, because an erased tenant has lost its external id to the next person.
  return sql`
      update tenant t set version = t.version + 1, (${raw(columns)}) = row(${values})
      where t.partner_id = ${partnerId} and t.id = ${id} and t.version = ${readVersion}::integer`;
}

interface Fields {
  readonly columns: string;
  readonly values: Sql;
}

function storedFields(
  { tenant, personal, eligibility, eligibilityChangesAt }: ReportedTenant,
  now: Date,
): Fields {
  const others = {
    columns:
      'product_variant, lease, time_zone, return_url, metadata, eligibility_state, eligibility_reason, turns_at, updated_at',
    values: sql`${tenant.productVariant}, ${tenant.lease && JSON.stringify(tenant.lease)}::jsonb,
        ${tenant.timeZone}, ${tenant.returnUrl}, ${JSON.stringify(tenant.metadata)}::jsonb,
        ${eligibility.state}, ${eligibility.reason}, ${eligibilityChangesAt}, ${now}`,
  };
  if (personal === null) return others;
  const fields = personalFields(personal);
  return {
    columns: `${fields.columns}, ${others.columns}`,
    values: sql`${fields.values}, ${others.values}`,
  };
}

/**
 * The columns with personal data. Writes the key only if it is new: `svc-admin secret rotate` may have
 * sealed a stored one again since it was read.
 */
function personalFields({ sealed, clear }: ReportedPersonal): Fields {
  const columns = 'first_name, last_name, email, phone_number, personal, email_hmac, search_hashes';
  const values = sql`${clear?.firstName ?? null}, ${clear?.lastName ?? null},
        ${clear?.email ?? null}, ${clear?.phoneNumber ?? null}, ${sealed.personal},
        ${sealed.emailHmac}, ${sealed.searchHashes}::integer[]`;
  if (sealed.keySealed === null) return { columns, values };
  return { columns: `${columns}, key_sealed`, values: sql`${values}, ${sealed.keySealed}` };
}

const eligibilityRow = row('changed eligibility', {
  partnerId: text,
  tenantId: text,
  state: text,
  reason: nullable(text),
  version: integer,
  eligibilityChangesAt: nullable(instant),
  isNew: boolean,
});

/** The eligibility of a tenant, or only the time at which it may change, that differs from what is stored. */
export type ChangedEligibility = RowOf<typeof eligibilityRow>;

export function storeEligibility(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  changes: readonly ChangedEligibility[],
): void {
  tx.send(sql`
    update tenant t set eligibility_state = e.state, eligibility_reason = e.reason,
      version = e.version, turns_at = e.eligibility_changes_at,
      updated_at = case when e.is_new then ${now}::timestamptz else t.updated_at end
    from ${recordset(eligibilityRow, changes, 'e')}
    where t.partner_id = ${partnerOfRows(changes, sql`e.partner_id`)} and t.id = e.tenant_id`);
}

/** Stores when the tenant's eligibility is checked next, in wall time; null if time alone does not change it. */
export function setEligibilityCheck(
  q: Queryable,
  { partnerId, tenantId }: TenantKey,
  at: Date | null,
): Promise<number> {
  return q.run(sql`
    update tenant set turns_at = ${at} where partner_id = ${partnerId} and id = ${tenantId}`);
}

/**
 * Checks the eligibility of tenants when the day begins at their property, or earlier if a check is due
 * before. A simulated clock may be past that day: then the check is due now.
 *
 * Increments their versions. A portal_info that read the tenant earlier would otherwise replace the time with
 * one that ignores this check. With the new version, it reads the tenant again.
 */
export async function checkEligibilityOn(
  q: Queryable,
  day: string,
  tenants: readonly TenantKey[],
): Promise<void> {
  await q.run(sql`
    /* all partners: a change of the terms is about tenants of any */
    update tenant t set version = t.version + 1, turns_at = least(t.turns_at,
      -- Subtracted in UTC: a cluster refuses functions in an update that depend on the session's zone.
      (${day}::date::timestamp at time zone t.time_zone at time zone 'UTC'
        - coalesce(t.clock_offset_ms, 0) * interval '1 millisecond') at time zone 'UTC')
    where ${areTenants([sql`t.partner_id`, sql`t.id`], tenants)}`);
}
