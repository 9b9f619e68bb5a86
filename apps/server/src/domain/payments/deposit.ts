import { bigint, bytes, instant, type RowOf, recordset, row, type Sql, sql, text } from '@svc/db';
import { byKey, findClaimCondition, isReachable } from '../../cluster.ts';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import { post } from '../ledger/post.ts';
import type { TenantKey } from '../tenant-key.ts';
import { localDate } from '../tenants/calendar.ts';
import { claimByClock } from '../tenants/claim-by-clock.ts';
import { openInstrument } from './payment-methods.ts';
import { processorId } from './processor.ts';

type DomainCtx = Pick<Ctx, 'tx' | 'now' | 'service'>;

const pendingRow = row('processor entry to deposit', {
  partnerId: text,
  id: text,
  methodId: text,
  detailsSealed: bytes,
  amountInCents: bigint,
  depositAt: instant,
  timeZone: text,
});
type Pending = RowOf<typeof pendingRow>;

interface Options {
  readonly limit: number;
  /** Deposits only this tenant's processor entries, for a simulated clock. */
  readonly tenant?: TenantKey;
}

/**
 * Records the deposits that the processor has made to our account by now: one for each partner and
 * banking day, minus refunds. The clearing account returns to zero, except for what the processor
 * kept. If the processor has booked the money at the bank before, a deposit settles with the processor's
 * account instead of cash (`depositAccount`). Returns how many processor entries were deposited.
 */
export async function depositDue(ctx: DomainCtx, { limit, tenant }: Options): Promise<number> {
  const { processor } = ctx.service;
  // Only the reports of such a processor say when it deposits.
  if (!processor || processor.deposits === 'report') return 0;
  // Concurrent processes deposit different entries: each skips those that the other has locked.
  const pending = await claimByClock({ at: sql`e.deposit_at`, now: ctx.now, tenant }, (isDue) =>
    claimPending(ctx, { limit, isDue }),
  );
  const days = new Map<string, Pending[]>();
  for (const it of pending) {
    const day = `${it.partnerId} ${dayOf(it)}`;
    days.set(day, [...(days.get(day) ?? []), it]);
  }
  for (const entries of days.values()) await deposit(ctx, entries);
  return pending.length;
}

async function claimPending(
  { tx }: DomainCtx,
  { limit, isDue }: { readonly limit: number; readonly isDue: Sql },
): Promise<Pending[]> {
  const due = sql`
    /* all partners, unless a tenant is given */
    from processor_entry e
      join tenant t on t.partner_id = e.partner_id and t.id = e.tenant_id
      cross join lateral (select m.details_sealed from payment_method m
        where m.partner_id = e.partner_id and m.id = e.payment_method_id
          and ${isReachable(tx, 'm')} ${byKey(tx)}) m
    where e.deposit_id is null and ${isDue}`;
  const among = await findClaimCondition(tx, { of: 'e', joined: ['t'], due });
  if (!among) return [];
  return tx.many(
    pendingRow,
    sql`
    /* many rows: all tenants with a simulated clock */
    /* all partners, unless a tenant is given */
    select e.partner_id, e.id, e.payment_method_id as method_id,
      m.details_sealed, e.amount_in_cents, e.deposit_at, t.time_zone
    ${due} and ${among('e')}
    order by e.deposit_at, e.id limit ${limit} for update of e skip locked`,
  );
}

/** Deposits all of one tenant's processor entries now, because the tenant's clock is about to be reset. */
export async function depositNow(
  ctx: DomainCtx,
  { at, ...tenant }: TenantKey & { readonly at: Date },
): Promise<void> {
  const pending = await ctx.tx.run(sql`
    update processor_entry set deposit_at = least(deposit_at, ${at}::timestamptz)
    where partner_id = ${tenant.partnerId} and tenant_id = ${tenant.tenantId}
      and deposit_id is null`);
  if (pending > 0) await depositDue(ctx, { tenant, limit: pending });
}

const lineRow = row('line of a deposit', { id: text, deposited: bigint });

async function deposit(ctx: DomainCtx, entries: readonly Pending[]): Promise<void> {
  const { processor, simulator } = ctx.service;
  const [first] = entries;
  if (!first) return;
  const { partnerId } = first;
  const account = processor?.depositAccount ?? 'cash';
  const id = newId('dep', ctx.now);
  // The processor's statement of the deposit: reconciliation compares each line with our entry.
  const lines = entries.map((it) => ({
    id: it.id,
    deposited:
      simulator && account === 'cash'
        ? simulator.deposit(openInstrument(ctx, it), it.amountInCents)
        : it.amountInCents,
  }));
  const expected = entries.reduce((sum, it) => sum + it.amountInCents, 0);
  const amount = lines.reduce((sum, it) => sum + it.deposited, 0);
  await ctx.tx.run(sql`
    insert into deposit (partner_id, id, deposited_on, processor_deposit_id, expected_in_cents,
      amount_in_cents, created_at)
    values (${partnerId}, ${id}, ${dayOf(first)}, ${processorId(id)}, ${expected}, ${amount},
      ${ctx.now})`);
  await ctx.tx.run(sql`
    update processor_entry e set deposit_id = ${id}, deposited_in_cents = l.deposited
    from ${recordset(lineRow, lines, 'l')}
    where e.partner_id = ${partnerId} and e.id = l.id`);
  // Payments and refunds of the same day can cancel out.
  if (amount === 0) return;
  await post(ctx, [
    {
      partnerId,
      tenantId: null,
      kind: 'deposit',
      sourceId: id,
      occurredAt: first.depositAt,
      entries: [
        { kind: account, amountInCents: amount },
        { kind: 'processor_clearing', amountInCents: -amount },
      ],
    },
  ]);
}

function dayOf({ depositAt, timeZone }: Pending): string {
  return localDate(depositAt, timeZone);
}
