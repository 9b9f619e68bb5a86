import { boolean, row, sql } from '@svc/db';
import { byKey } from '../../cluster.ts';
import type { UnitOfWork } from '../../context.ts';
import { markAddress } from '../tenants/risk-marks.ts';
import type { Tenant } from '../tenants/tenant.ts';

export const flagReasons = [
  /** A tenant of another household has the same bank account. */
  'shared_account',
  /** The bank returned the first payment of an earlier plan, or of one that did not begin. */
  'first_payment_returned',
  /** Tenants of three households or more applied from one unit in 30 days. */
  'many_at_address',
] as const;
export type FlagReason = (typeof flagReasons)[number];

const recentDays = 30;
const mostHouseholds = 2;
/** The most other tenants that are compared: enough to tell, while an office's address may have thousands. */
const mostOthers = 100;

const signsRow = row('signs of fraud', {
  sharedAccount: boolean,
  firstPaymentReturned: boolean,
  manyAtAddress: boolean,
});

/**
 * Looks for signs of fraud in an application, and stores why it is flagged. With SVC_HOLD_FLAGGED it is
 * held for an operator: the result is then true. A flag alone refuses no one.
 */
export async function flagApplication(
  uow: Pick<UnitOfWork, 'tx' | 'now' | 'service'>,
  tenant: Tenant,
  applicationId: string,
): Promise<boolean> {
  const reasons = await findReasons(uow, tenant);
  if (reasons.length === 0) return false;
  const { tx, now, service } = uow;
  await tx.run(sql`
    insert into application_flag (partner_id, application_id, tenant_id, reasons, found_at)
    values (${tenant.partnerId}, ${applicationId}, ${tenant.id}, ${reasons}::text[], ${now})`);
  return service.holdsFlagged;
}

async function findReasons(
  uow: Pick<UnitOfWork, 'tx' | 'now' | 'service'>,
  { partnerId, id: tenantId, lease }: Tenant,
): Promise<FlagReason[]> {
  await markAddress(uow, { partnerId, tenantId }, lease);
  const since = new Date(uow.now.getTime() - recentDays * 86_400_000);
  const others = (kind: string) => sql`
    risk_mark m cross join lateral (
        select o.tenant_id, o.marked_at from risk_mark o
        where o.partner_id = ${partnerId} and o.kind = m.kind and o.mark = m.mark
        order by o.tenant_id limit ${mostOthers}) o
    where m.partner_id = ${partnerId} and m.tenant_id = ${tenantId} and m.kind = ${kind}`;
  // Roommates share a lease. A tenant without one counts as a household.
  const household = sql`(select coalesce(t.lease->>'id', t.id) from tenant t
    where t.partner_id = ${partnerId} and t.id = o.tenant_id)`;
  const found = await uow.tx.one(
    signsRow,
    sql`
    select (select count(*) from ${others('account')}
        and ${household} <> ${lease?.id ?? tenantId}) > 0 as shared_account,
      (select count(*) from plan p
        where p.partner_id = ${partnerId} and p.tenant_id = ${tenantId} and exists (
          select from installment i
          where i.partner_id = ${partnerId} and i.plan_id = p.id and i.number = 1 and exists (
            select from payment y
            where y.partner_id = ${partnerId} and y.installment_id = i.id
              and y.outcome in ('failed', 'returned') and y.return_code ~ '^R[0-9][0-9]$'
            ${byKey(uow.tx)}) ${byKey(uow.tx)})) > 0 as first_payment_returned,
      (select count(distinct ${household}) from ${others('address')} and o.marked_at >= ${since})
        > ${mostHouseholds} as many_at_address`,
  );
  const reasons: FlagReason[] = [];
  if (found.sharedAccount) reasons.push('shared_account');
  if (found.firstPaymentReturned) reasons.push('first_payment_returned');
  if (found.manyAtAddress) reasons.push('many_at_address');
  return reasons;
}
