import type { EventData, QuoteOutput } from '@svc/contract';
import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { TenantActor } from '../access/actor.ts';
import type { PaidCharge } from '../settlements/allocate.ts';
import type { Acceptance } from './accept.ts';
import type { LockedPosition } from './lock-position.ts';
import type { chargeFirst } from './payment/charge.ts';
import { nextMorning } from './payment/note-entry.ts';

type PlanData = Omit<EventData<'plan.created'>, 'object_version' | 'occurred_at'>;
type Part = PlanData['installments'][number];

export interface NewPlan {
  readonly id: string;
  readonly paymentId: string;
  /** What its events say of it. */
  readonly data: PlanData;
}

export type AgreedText = QuoteOutput['disclosure']['translations'][number];

interface Making {
  readonly quote: QuoteOutput;
  /** What was read and agreed to, in its language. */
  readonly agreed: AgreedText;
  readonly charge: Awaited<ReturnType<typeof chargeFirst>>;
  readonly paid: readonly PaidCharge[];
  readonly methodId: string;
  readonly wanted: Acceptance;
}

/** Writes the plan with its charges, parts and first payment, as that payment came out. */
export async function insertPlan(
  ctx: Ctx<TenantActor>,
  { dossier, cycle, position }: LockedPosition,
  { quote, agreed, charge, paid, methodId, wanted }: Making,
): Promise<NewPlan> {
  const { tx, now, actor } = ctx;
  const { outcome } = charge;
  const version = outcome === 'pending' ? 1 : 2;
  const id = newId('pln', now);
  const parts = quote.installments.map(
    (it): Part => ({
      id: newId('ins', now),
      ...it,
      state: it.number === 1 ? afterCharge[outcome].first : afterCharge[outcome].others,
    }),
  );
  const first = parts[0];
  if (!first) throw new Error('a quote without installments');
  const { locale } = agreed;
  const consent = { at: now.toISOString(), ip: wanted.ip, user_agent: wanted.userAgent, locale };
  await tx.run(sql`
    insert into plan (id, partner_id, tenant_id, application_id, payment_method_id,
      product_variant, rent_cycle_date, state, principal_in_cents, fee_in_cents, apr_bps,
      disclosure_text, disclosure_sha256, quote_id, consent, accepted_at, version, created_at)
    values (${id}, ${actor.partnerId}, ${actor.tenantId}, ${dossier.application?.id ?? null},
      ${methodId}, ${actor.productVariant}, ${cycle.dueDate}, ${afterCharge[outcome].plan},
      ${quote.amount_financed_in_cents}, ${quote.fee_in_cents}, ${quote.apr_bps},
      ${agreed.text}, ${Buffer.from(agreed.sha256, 'hex')}, ${quote.id},
      ${JSON.stringify(consent)}::jsonb, ${position.at}, ${version}, ${now})`);
  await tx.run(sql`
    insert into plan_charge (plan_id, charge_id, amount_in_cents)
    select ${id}, charge_id, amount_in_cents
    from json_to_recordset(${JSON.stringify(paid)}::json)
      as c(charge_id text, amount_in_cents bigint)`);
  await tx.run(sql`
    insert into installment (id, plan_id, number, due_date, amount_in_cents, state, paid_at,
      version)
    select id, ${id}, number, due_date, amount_in_cents, state,
      case when state = 'paid' then ${position.at}::timestamptz end, ${version}::integer
    from json_to_recordset(${JSON.stringify(parts)}::json)
      as i(id text, number integer, due_date date, amount_in_cents bigint, state text)`);
  const paymentId = await insertPayment(ctx, { position, dossier }, { first, charge, methodId });
  await insertHistory(ctx, position.at, { planId: id, first, quote, charge });
  return {
    id,
    paymentId,
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

async function insertPayment(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { position: { at }, dossier: { tenant } }: Pick<LockedPosition, 'position' | 'dossier'>,
  { first, charge, methodId }: Pick<Making, 'charge' | 'methodId'> & { first: Part },
): Promise<string> {
  const id = newId('pay', now);
  const { outcome } = charge;
  const returnCode = outcome === 'failed' ? charge.returnCode : null;
  const settlesAt = outcome === 'pending' ? nextMorning(at, tenant.timeZone) : null;
  await tx.run(sql`
    insert into payment (id, installment_id, attempt, amount_in_cents, outcome, return_code,
      payment_method_id, settles_at, occurred_at, created_at)
    values (${id}, ${first.id}, 1, ${first.amount_in_cents}, ${outcome}, ${returnCode},
      ${methodId}, ${settlesAt}, ${at}, ${now})`);
  return id;
}

async function insertHistory(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  at: Date,
  about: Pick<Making, 'quote' | 'charge'> & { planId: string; first: Part },
): Promise<void> {
  const { planId, first, quote, charge } = about;
  const code = charge.outcome === 'failed' ? charge.returnCode : null;
  const amount = first.amount_in_cents;
  const lines = [
    { kind: 'accepted', amount: quote.amount_financed_in_cents },
    ...afterCharge[charge.outcome].history.map((kind) => ({ kind, number: 1, amount, code })),
  ].map((line) => ({ id: newId('hst', now), ...line }));
  await tx.run(sql`
    insert into plan_history (id, plan_id, kind, number, amount_in_cents, return_code, occurred_at,
      created_at)
    select id, ${planId}, kind, number, amount, code, ${at}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(lines)}::json)
      as h(id text, kind text, number integer, amount bigint, code text)`);
}

/** What the first payment makes of a plan and its parts. */
const afterCharge = {
  succeeded: { plan: 'active', first: 'paid', others: 'scheduled', history: ['paid'] },
  pending: { plan: 'created', first: 'processing', others: 'scheduled', history: [] },
  failed: { plan: 'canceled', first: 'canceled', others: 'canceled', history: ['failed'] },
} as const;
