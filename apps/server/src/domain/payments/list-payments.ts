import {
  bigint,
  date,
  instant,
  nullable,
  oneOf,
  type Queryable,
  type RowOf,
  row,
  sql,
  text,
} from '@svc/db';
import { type Listed, listNewest, mostListed } from '../listed.ts';
import type { TenantKey } from '../tenant-key.ts';
import { requireTenant } from '../tenants/require-tenant.ts';

const paymentRow = row('payment of a tenant', {
  payment_id: text,
  plan_id: text,
  installment_due_on: date,
  amount_in_cents: bigint,
  state: oneOf('pending', 'succeeded', 'failed', 'canceled', 'returned'),
  return_code: nullable(text),
  /** The amount refunded already, without refunds that a bank refused. */
  refunded_in_cents: bigint,
  method: text,
  began_at: instant,
});

/** One payment, for an operator who looks for its id. */
export interface TenantPayment extends Omit<RowOf<typeof paymentRow>, 'began_at'> {
  /** In the tenant's time. */
  readonly began_at: string;
}

/** Lists the payments of one tenant, newest first. */
export async function listPayments(
  q: Queryable,
  { pms, tenant }: { readonly pms: string; readonly tenant: string },
): Promise<Listed<TenantPayment>> {
  return paymentsOf(q, await requireTenant(q, { pms, external_id: tenant }));
}

/** Lists the payments of one tenant, or of one of the tenant's plans, newest first. */
export async function paymentsOf(
  q: Queryable,
  { partnerId, tenantId }: TenantKey,
  planId: string | null = null,
): Promise<Listed<TenantPayment>> {
  const payments = await q.many(
    paymentRow,
    sql`
    select y.id as payment_id, i.plan_id, i.due_date as installment_due_on, y.amount_in_cents,
      y.outcome as state, y.return_code, m.type || ' ' || m.last4 as method,
      y.occurred_at as began_at,
      coalesce((select sum(c.amount_in_cents) from processor_call c
        where c.partner_id = ${partnerId} and c.payment_id = y.id and c.kind = 'refund'
          and c.state <> 'failed'), 0)::int8 as refunded_in_cents
    from plan p join installment i on i.partner_id = p.partner_id and i.plan_id = p.id
      join payment y on y.partner_id = i.partner_id and y.installment_id = i.id
      join payment_method m on m.partner_id = y.partner_id and m.id = y.payment_method_id
    where p.partner_id = ${partnerId} and p.tenant_id = ${tenantId}
      and (${planId}::text is null or p.id = ${planId})
    order by y.occurred_at desc, y.id desc limit ${mostListed + 1}`,
  );
  const { items, has_more } = listNewest(payments);
  return { items: items.map((it) => ({ ...it, began_at: it.began_at.toISOString() })), has_more };
}
