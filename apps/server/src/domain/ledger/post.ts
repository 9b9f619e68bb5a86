import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';

export type AccountKind =
  | 'tenant_receivable'
  | 'partner_payable'
  | 'fee_income'
  | 'processor_clearing'
  | 'settlement_clearing'
  | 'cash'
  | 'credit_loss';

export interface Entry {
  readonly kind: AccountKind;
  /** Integer cents: debits are positive, credits negative. */
  readonly amountInCents: number;
}

export type TransferKind =
  | 'advance'
  | 'payment'
  | 'charge_off'
  | 'settlement_sent'
  | 'settlement_arrived'
  | 'settlement_returned'
  | 'deposit';

interface Transfer {
  readonly partnerId: string;
  /** The tenant whose receivable moves; the partner's other accounts are shared. */
  readonly tenantId: string | null;
  readonly kind: TransferKind;
  /** What caused it: posted once, whatever is repeated. */
  readonly sourceId: string;
  readonly occurredAt: Date;
  readonly entries: readonly Entry[];
}

/** The only writer of entries. The database refuses what does not sum to zero, too. */
export async function post(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  transfer: Transfer,
): Promise<{ id: string }> {
  const entries = transfer.entries.filter((entry) => entry.amountInCents !== 0);
  const total = entries.reduce((sum, entry) => sum + entry.amountInCents, 0);
  if (total !== 0 || entries.length < 2) {
    throw new Error(`transfer for ${transfer.sourceId} is off by ${total} cents`);
  }
  const id = newId('trf', ctx.now);
  await ctx.tx.run(sql`
    with line as (
      select * from json_to_recordset(${JSON.stringify(entries.map((it) => line(it, transfer, ctx.now)))}::json)
        as l(account_id text, tenant_id text, kind text, amount bigint)
    ), made as (
      insert into ledger_account (id, partner_id, tenant_id, kind)
      select account_id, ${transfer.partnerId}, tenant_id, kind from line
      on conflict (partner_id, tenant_id, kind) do update set kind = excluded.kind
      returning id, kind
    ), posted as (
      insert into ledger_transfer (id, partner_id, kind, source_id, occurred_at, created_at)
      values (${id}, ${transfer.partnerId}, ${transfer.kind}, ${transfer.sourceId},
        ${transfer.occurredAt}, ${ctx.now})
    )
    insert into ledger_entry (transfer_id, account_id, amount_in_cents)
    select ${id}, made.id, line.amount from line join made on made.kind = line.kind`);
  return { id };
}

/** Takes a transfer back with its opposite; each is reversed at most once. */
export async function reverse(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  transferId: string,
  occurredAt: Date,
): Promise<void> {
  const id = newId('trf', ctx.now);
  await ctx.tx.run(sql`
    with posted as (
      insert into ledger_transfer
        (id, partner_id, kind, source_id, reverses_id, occurred_at, created_at)
      select ${id}, partner_id, 'reversal', id, id, ${occurredAt}, ${ctx.now}
      from ledger_transfer where id = ${transferId}
    )
    insert into ledger_entry (transfer_id, account_id, amount_in_cents)
    select ${id}, account_id, -amount_in_cents from ledger_entry
    where transfer_id = ${transferId}`);
}

function line(entry: Entry, { tenantId }: Transfer, now: Date): object {
  return {
    account_id: newId('acc', now),
    tenant_id: entry.kind === 'tenant_receivable' ? tenantId : undefined,
    kind: entry.kind,
    amount: entry.amountInCents,
  };
}
