import { instant, oneOf, type Queryable, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { requirePartner } from '../partners/find-partner.ts';
import { Refusal } from '../refusal.ts';
import { makeDueNow } from '../tenants/due.ts';
import { requireTenant } from '../tenants/require-tenant.ts';
import { lockControlsExclusively } from './money-switch.ts';

/** The scope of a pause: everything of a partner, or one of its properties or tenants. */
interface PauseScope {
  readonly pms: string;
  /** The id of the property in the lease, as the portal reported it. */
  readonly property?: string;
  /** The portal's id of the tenant. */
  readonly tenant?: string;
}

/** A pause as the operator sees it. */
export interface Pause {
  readonly pms: string;
  readonly scope: 'partner' | 'property' | 'tenant';
  /** The property's or the tenant's id in the portal; empty for a partner. */
  readonly subject: string;
  readonly started_at: string;
  readonly started_by: string;
  readonly reason: string;
}

interface PauseKey {
  readonly partnerId: string;
  readonly scope: Pause['scope'];
  readonly subject: string;
}

/** Stops automatic collections. Returns the partner; `changed` is false if they were paused already. */
export async function pauseCollections(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  target: PauseScope,
  { user, reason }: { readonly user: string; readonly reason: string },
): Promise<{ partner_id: string; changed: boolean }> {
  const { partnerId, scope, subject } = await findScope(tx, target);
  if (scope === 'property')
    await requireProperty(tx, { pms: target.pms, partnerId, property: subject });
  await lockControlsExclusively(tx);
  const changed = await tx.run(sql`
    insert into collection_pause (partner_id, scope, subject, started_at, started_by, reason)
    values (${partnerId}, ${scope}, ${subject}, ${now}, ${user}, ${reason})
    on conflict (partner_id, scope, subject) do nothing`);
  return { partner_id: partnerId, changed: changed > 0 };
}

/**
 * Ends a pause. The next pass of the lane collects what fell due during it, unless another pause still
 * applies to the tenant.
 */
export async function resumeCollections(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  target: PauseScope,
): Promise<{ partner_id: string; changed: boolean }> {
  const { partnerId, scope, subject } = await findScope(tx, target);
  await lockControlsExclusively(tx);
  const changed = await tx.run(sql`
    delete from collection_pause
    where partner_id = ${partnerId} and scope = ${scope} and subject = ${subject}`);
  // All held tenants of the partner become due: the lane holds those again that another pause covers. Locked rows
  // belong to a transaction that reads the controls after this commit.
  if (changed > 0) {
    const held = sql`d.partner_id = ${partnerId} and d.tenant_id in (
      select d.tenant_id from tenant_due d
        join collection_hold h on h.partner_id = d.partner_id and h.tenant_id = d.tenant_id
      where d.partner_id = ${partnerId} and h.held for update of d skip locked)`;
    await makeDueNow(tx, now, held);
  }
  return { partner_id: partnerId, changed: changed > 0 };
}

async function findScope(q: Queryable, { pms, property, tenant }: PauseScope): Promise<PauseKey> {
  if (tenant !== undefined) {
    const { partnerId, tenantId } = await requireTenant(q, { pms, external_id: tenant });
    return { partnerId, scope: 'tenant', subject: tenantId };
  }
  const { id: partnerId } = await requirePartner(q, pms);
  if (property === undefined) return { partnerId, scope: 'partner', subject: '' };
  return { partnerId, scope: 'property', subject: property };
}

/** Refuses a property that no tenant has: a typing error would pause nothing. */
async function requireProperty(
  q: Queryable,
  { pms, partnerId, property }: { pms: string; partnerId: string; property: string },
): Promise<void> {
  const known = await q.run(sql`
    /* many rows: tenants have no index by property, and few pauses name one */
    select from tenant
    where partner_id = ${partnerId} and lease->'property'->>'id' = ${property} limit 1`);
  if (known > 0) return;
  throw new Refusal('not_found', {
    message: `No tenant of ${pms} has a lease in a property ${property}.`,
  });
}

const pauseRow = row('pause', {
  pms: text,
  scope: oneOf('partner', 'property', 'tenant'),
  subject: text,
  started_at: instant,
  started_by: text,
  reason: text,
});

/** Lists the pauses of one partner, or of all, oldest first. */
export async function listPauses(q: Queryable, { pms }: { pms?: string }): Promise<Pause[]> {
  const rows = await q.many(
    pauseRow,
    sql`
    /* many rows: a list for the operator */
    /* all partners, unless the operator names one */
    select p.pms, k.scope, coalesce(t.external_id, k.subject) as subject, k.started_at,
      k.started_by, k.reason
    from collection_pause k join partner p on p.id = k.partner_id
      left join tenant t on k.scope = 'tenant' and t.partner_id = k.partner_id and t.id = k.subject
    where ${pms ?? null}::text is null or p.pms = ${pms ?? null}
    order by k.started_at, p.pms, k.scope, k.subject`,
  );
  return rows.map(({ started_at, ...rest }) => ({ ...rest, started_at: started_at.toISOString() }));
}
