import { boolean, type Queryable, type RowOf, row, type Sql, sql, text } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { firstIdAt } from '../../ids.ts';
import { unpaidPlansOf } from '../applications/decide-application.ts';
import { recordAudit } from '../audit/record.ts';
import type { TenantKey } from '../tenant-key.ts';
import { blankApplication, eraseTenant } from './erase-tenant.ts';

/** Returns the time since which data is kept. Months count as 31 days, so nothing is deleted before the law allows. */
export function retainedSince(now: Date, months: number): Date {
  return new Date(now.getTime() - months * 31 * 86_400_000);
}

const inactiveRow = row('inactive tenant', {
  partnerId: text,
  tenantId: text,
  pms: text,
  externalId: text,
});
type InactiveTenant = RowOf<typeof inactiveRow>;

/**
 * Finds tenants with no activity since a given time: no report of the portal that changed something, no
 * application, no change of a plan. A tenant with an open plan is never among them.
 */
export function findInactiveTenants(
  q: Queryable,
  { since, after, limit }: { readonly since: Date; readonly after: string; readonly limit: number },
): Promise<InactiveTenant[]> {
  return q.many(
    inactiveRow,
    sql`
    /* many rows: looks at each tenant once an hour */
    /* all partners */
    select t.partner_id, t.id as tenant_id, p.pms, t.external_id
    from tenant t join partner p on p.id = t.partner_id
    where t.id > ${after} and ${isInactive(since)}
    order by t.id limit ${limit}`,
  );
}

function isInactive(since: Date): Sql {
  return sql`t.erased_at is null and t.updated_at < ${since}
      and not exists (select from application a
        where a.partner_id = t.partner_id and a.tenant_id = t.id
          and (a.expires_at >= ${since} or a.state in ('started', 'submitted', 'in_review', 'approved')))
      and not exists (select from plan l
        where l.partner_id = t.partner_id and l.tenant_id = t.id
          and (l.id >= ${firstIdAt('pln', since)} or l.state in ('created', 'active', 'past_due')))
      and not exists (select from plan l join plan_history h
          on h.partner_id = l.partner_id and h.plan_id = l.id and h.id >= ${firstIdAt('hst', since)}
        where l.partner_id = t.partner_id and l.tenant_id = t.id)`;
}

const stillRow = row('tenant that is still inactive', { unpaid: text });
const sessionRow = row('open session of a tenant', { open: boolean });

/**
 * Erases a tenant that is still inactive. Returns false for one that is not, that has an open session, or that
 * still owes what was charged off: the debt would have no debtor.
 * @throws Refusal while money is on its way
 */
export async function eraseInactiveTenant(
  uow: UnitOfWork,
  { partnerId, tenantId, pms, externalId }: InactiveTenant,
  since: Date,
): Promise<boolean> {
  const key: TenantKey = { partnerId, tenantId };
  const still = await uow.tx.maybe(
    stillRow,
    sql`
    select (${unpaidPlansOf(key)})::text as unpaid from tenant t
    where t.partner_id = ${partnerId} and t.id = ${tenantId} and ${isInactive(since)}
    for update of t`,
  );
  if (still?.unpaid !== '0') return false;
  // A separate statement, because a cluster stores sessions on another server than tenants.
  const { open } = await uow.tx.one(
    sessionRow,
    sql`
    select exists (select from tenant_token
      where partner_id = ${partnerId} and tenant_id = ${tenantId}) as open`,
  );
  if (open) return false;
  await eraseTenant(uow, { pms, external_id: externalId });
  await recordAudit(
    { ...uow, requestId: 'retention', address: null },
    { partnerId, via: 'cli', credentialId: 'retention' },
    { action: 'tenant.erased', subject_id: tenantId, details: { external_id: externalId } },
  );
  return true;
}

const applicationRow = row('old application', { partnerId: text, id: text });

/**
 * Blanks what tenants stated in applications that ended before a time, and the facts of their decisions. Outcome and
 * reasons stay. Returns how many.
 */
export async function blankOldApplications(
  uow: UnitOfWork,
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<number> {
  const blankBytes = uow.service.vault.seal('', '').length;
  const old = await uow.tx.many(
    applicationRow,
    sql`
    /* many rows: looks at each application once an hour */
    /* all partners */
    select a.partner_id, a.id from application a
    where a.expires_at < ${since} and a.state not in ('started', 'submitted', 'in_review', 'approved')
      and octet_length(a.date_of_birth_sealed) > ${blankBytes}
    limit ${limit}`,
  );
  for (const { partnerId, id } of old) await blankApplication(uow, partnerId, id);
  return old.length;
}
