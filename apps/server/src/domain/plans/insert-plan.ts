import type { EventData, QuoteOutput } from '@svc/contract';
import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { TenantActor } from '../access/actor.ts';
import type { PaidCharge } from '../settlements/allocate.ts';
import type { Acceptance } from './accept.ts';
import type { LockedPosition } from './lock-position.ts';
import type { ChargeOutcome } from './payment/test-bank.ts';

type PlanData = Omit<EventData<'plan.created'>, 'object_version' | 'occurred_at'>;
type Part = PlanData['installments'][number];

export interface NewPlan {
  readonly id: string;
  readonly paymentId: string;
  readonly first: Part;
  /** What its events say of it. */
  readonly data: PlanData;
}

interface Making {
  readonly quote: QuoteOutput;
  readonly charge: ChargeOutcome;
  readonly paid: readonly PaidCharge[];
  readonly methodId: string;
  readonly wanted: Acceptance;
}

/** Writes the plan with its charges, parts and first payment, as that payment came out. */
export async function insertPlan(
  ctx: Ctx<TenantActor>,
  { dossier, cycle, position }: LockedPosition,
  { quote, charge, paid, methodId, wanted }: Making,
): Promise<NewPlan> {
  const { tx, now, actor } = ctx;
  const succeeded = charge.outcome === 'succeeded';
  const id = newId('pln', now);
  const parts = quote.installments.map(
    (it): Part => ({
      id: newId('ins', now),
      ...it,
      state: succeeded ? (it.number === 1 ? 'paid' : 'scheduled') : 'canceled',
    }),
  );
  const first = parts[0];
  if (!first) throw new Error('a quote without installments');
  const consent = { at: now.toISOString(), ip: wanted.ip, user_agent: wanted.userAgent };
  await tx.run(sql`
    insert into plan (id, partner_id, tenant_id, application_id, payment_method_id,
      product_variant, rent_cycle_date, state, principal_in_cents, fee_in_cents, apr_bps,
      disclosure_text, disclosure_sha256, quote_id, consent, accepted_at, version, created_at)
    values (${id}, ${actor.partnerId}, ${actor.tenantId}, ${dossier.application?.id ?? null},
      ${methodId}, ${actor.productVariant}, ${cycle.dueDate}, ${succeeded ? 'active' : 'canceled'},
      ${quote.amount_financed_in_cents}, ${quote.fee_in_cents}, ${quote.apr_bps},
      ${quote.disclosure.text}, ${Buffer.from(quote.disclosure.sha256, 'hex')}, ${quote.id},
      ${JSON.stringify(consent)}::jsonb, ${position.at}, 2, ${now})`);
  await tx.run(sql`
    insert into plan_charge (plan_id, charge_id, amount_in_cents)
    select ${id}, charge_id, amount_in_cents
    from json_to_recordset(${JSON.stringify(paid)}::json)
      as c(charge_id text, amount_in_cents bigint)`);
  await tx.run(sql`
    insert into installment (id, plan_id, number, due_date, amount_in_cents, state, paid_at,
      version)
    select id, ${id}, number, due_date, amount_in_cents, state,
      case when state = 'paid' then ${position.at}::timestamptz end, 2
    from json_to_recordset(${JSON.stringify(parts)}::json)
      as i(id text, number integer, due_date date, amount_in_cents bigint, state text)`);
  const paymentId = newId('pay', now);
  await tx.run(sql`
    insert into payment (id, installment_id, attempt, amount_in_cents, outcome, return_code,
      payment_method_id, occurred_at, created_at)
    values (${paymentId}, ${first.id}, 1, ${first.amount_in_cents}, ${charge.outcome},
      ${succeeded ? null : charge.returnCode}, ${methodId}, ${position.at}, ${now})`);
  const outcome = succeeded ? 'paid' : 'failed';
  await tx.run(sql`
    insert into plan_history (id, plan_id, kind, number, amount_in_cents, return_code, occurred_at,
      created_at)
    values (${newId('hst', now)}, ${id}, 'accepted', null, ${quote.amount_financed_in_cents}, null,
        ${position.at}, ${now}),
      (${newId('hst', now)}, ${id}, ${outcome}, 1, ${first.amount_in_cents},
        ${succeeded ? null : charge.returnCode}, ${position.at}, ${now})`);
  return {
    id,
    paymentId,
    first,
    data: {
      plan_id: id,
      rent_cycle_date: cycle.dueDate,
      product_variant: actor.productVariant,
      amount_financed_in_cents: quote.amount_financed_in_cents,
      fee_in_cents: quote.fee_in_cents,
      apr_bps: quote.apr_bps,
      installments: parts,
    },
  };
}
