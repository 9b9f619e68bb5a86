import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import { post } from '../ledger/post.ts';
import { localDate } from '../tenants/calendar.ts';
import { openInstrument } from './payment-methods.ts';
import { processorId } from './processor.ts';
import { processorOf } from './processor-of.ts';

type DomainCtx = Pick<Ctx, 'tx' | 'now' | 'service'>;

interface Waiting {
  readonly id: string;
  readonly partnerId: string;
  readonly methodId: string;
  readonly detailsSealed: Buffer;
  readonly amountInCents: number;
  readonly depositAt: Date;
  readonly timeZone: string;
}

interface Options {
  readonly limit: number;
  /** Deposits only this tenant's movements, for a simulated clock. */
  readonly tenantId?: string;
}

/**
 * Records the deposits that the processor has made to our account by now: one for each partner and
 * banking day, minus refunds. The clearing account returns to zero, except for what the processor
 * kept. Returns how many movements were deposited.
 */
export async function depositDue(ctx: DomainCtx, { limit, tenantId }: Options): Promise<number> {
  const waiting = await ctx.tx.many<Waiting>(sql`
    select e.id, e.partner_id as "partnerId", e.payment_method_id as "methodId",
      m.details_sealed as "detailsSealed", e.amount_in_cents as "amountInCents",
      e.deposit_at as "depositAt", t.time_zone as "timeZone"
    from processor_entry e join tenant t on t.id = e.tenant_id
      join payment_method m on m.id = e.payment_method_id
    where e.deposit_id is null
      and (${tenantId ?? null}::text is null or e.tenant_id = ${tenantId ?? null})
      and e.deposit_at <= ${ctx.now}::timestamptz
        + coalesce(t.clock_offset_ms, 0) * interval '1 millisecond'
    order by e.deposit_at, e.id limit ${limit} for update of e skip locked`);
  const days = new Map<string, Waiting[]>();
  for (const it of waiting) {
    const day = `${it.partnerId} ${dayOf(it)}`;
    days.set(day, [...(days.get(day) ?? []), it]);
  }
  for (const entries of days.values()) await deposit(ctx, entries);
  return waiting.length;
}

/** Deposits all of one tenant's movements now, because the tenant's clock is about to be reset. */
export async function depositNow(
  ctx: DomainCtx,
  { tenantId, at }: { readonly tenantId: string; readonly at: Date },
): Promise<void> {
  const waiting = await ctx.tx.run(sql`
    update processor_entry set deposit_at = least(deposit_at, ${at}::timestamptz)
    where tenant_id = ${tenantId} and deposit_id is null`);
  if (waiting > 0) await depositDue(ctx, { tenantId, limit: waiting });
}

async function deposit(ctx: DomainCtx, entries: readonly Waiting[]): Promise<void> {
  const [first] = entries;
  if (!first) return;
  const { partnerId } = first;
  const id = newId('dep', ctx.now);
  // The processor's statement; reconciliation is its line beside ours, by its id.
  const lines = entries.map((it) => ({
    id: it.id,
    deposited: processorOf(ctx.service).deposit(openInstrument(ctx, it), it.amountInCents),
  }));
  const expected = entries.reduce((sum, it) => sum + it.amountInCents, 0);
  const amount = lines.reduce((sum, it) => sum + it.deposited, 0);
  await ctx.tx.run(sql`
    insert into deposit (id, partner_id, deposited_on, processor_deposit_id, expected_in_cents,
      amount_in_cents, created_at)
    values (${id}, ${partnerId}, ${dayOf(first)}, ${processorId(id)}, ${expected}, ${amount},
      ${ctx.now})`);
  await ctx.tx.run(sql`
    update processor_entry e set deposit_id = ${id}, deposited_in_cents = l.deposited
    from json_to_recordset(${JSON.stringify(lines)}::json) as l(id text, deposited bigint)
    where e.id = l.id`);
  // What came and went back on one day moves nothing.
  if (amount === 0) return;
  await post(ctx, [
    {
      partnerId,
      tenantId: null,
      kind: 'deposit',
      sourceId: id,
      occurredAt: first.depositAt,
      entries: [
        { kind: 'cash', amountInCents: amount },
        { kind: 'processor_clearing', amountInCents: -amount },
      ],
    },
  ]);
}

function dayOf({ depositAt, timeZone }: Waiting): string {
  return localDate(depositAt, timeZone);
}
