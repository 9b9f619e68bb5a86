import { type PlanOutput, planOutput, planStates, productVariants } from '@svc/contract';
import {
  bigint,
  date,
  instant,
  integer,
  json,
  nullable,
  oneOf,
  type Queryable,
  row,
  sql,
  text,
} from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { Refusal } from '../refusal.ts';

export async function readPlan(
  ctx: Ctx<PartnerActor>,
  { id }: { id: string },
): Promise<PlanOutput> {
  const plan = await findPlan(ctx.tx, { partnerId: ctx.actor.partnerId, id });
  if (!plan) throw new Refusal('plan_not_found');
  return plan;
}

const planRow = row('plan', {
  id: text,
  external_id: text,
  state: oneOf(...planStates),
  product_variant: oneOf(...productVariants),
  rent_cycle_date: date,
  amount_financed_in_cents: bigint,
  fee_in_cents: bigint,
  total_of_payments_in_cents: bigint,
  apr_bps: integer,
  installments: json(planOutput.shape.installments),
  settlement_id: nullable(text),
  created_at: instant,
  version: integer,
});

/** Finds the plan with its installments; null if this partner has no such plan. */
export async function findPlan(
  q: Queryable,
  { partnerId, id }: { partnerId: string; id: string },
): Promise<PlanOutput | null> {
  const row = await q.maybe(
    planRow,
    sql`
    select p.id, t.external_id, p.state, p.product_variant, p.rent_cycle_date,
      p.principal_in_cents as amount_financed_in_cents, p.fee_in_cents,
      p.principal_in_cents + p.fee_in_cents as total_of_payments_in_cents, p.apr_bps,
      (select json_agg(json_build_object('id', i.id, 'number', i.number,
          'due_date', i.due_date, 'amount_in_cents', i.amount_in_cents, 'state', i.state)
          order by i.number)
        from installment i where i.partner_id = ${partnerId} and i.plan_id = p.id) as installments,
      (select s.id from settlement s
        where s.partner_id = ${partnerId} and s.plan_id = p.id) as settlement_id,
      p.created_at, p.version
    from plan p join tenant t on t.partner_id = p.partner_id and t.id = p.tenant_id
    where p.partner_id = ${partnerId} and p.id = ${id}`,
  );
  return row ? { ...row, created_at: row.created_at.toISOString() } : null;
}
