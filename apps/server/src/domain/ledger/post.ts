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
  | 'refund'
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
  if (await write(ctx, { id, transfer, entries })) return { id };
  await openAccounts(ctx, transfer, entries);
  if (await write(ctx, { id, transfer, entries })) return { id };
  throw new Error(`transfer for ${transfer.sourceId} names an account that is not there`);
}

interface Writing {
  readonly id: string;
  readonly transfer: Transfer;
  readonly entries: readonly Entry[];
}

/** Locks no account: a partner's are shared by all its tenants. False when one is not open yet. */
async function write(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { id, transfer, entries }: Writing,
): Promise<boolean> {
  const { partnerId } = transfer;
  const lines = JSON.stringify(
    entries.map(({ kind, amountInCents }) => ({
      kind,
      tenant_id: ownerOf(kind, transfer),
      amount: amountInCents,
    })),
  );
  const written = await tx.run(sql`
    with line as (
      select account.id, l.amount
      from json_to_recordset(${lines}::json) as l(tenant_id text, kind text, amount bigint),
        lateral (
          select a.id from ledger_account a
          where a.partner_id = ${partnerId} and a.tenant_id = l.tenant_id and a.kind = l.kind
          union all
          select a.id from ledger_account a
          where a.partner_id = ${partnerId} and a.tenant_id is null and l.tenant_id is null
            and a.kind = l.kind
        ) account
    ), posted as (
      insert into ledger_transfer (id, partner_id, kind, source_id, occurred_at, created_at)
      select ${id}, ${partnerId}, ${transfer.kind}, ${transfer.sourceId},
        ${transfer.occurredAt}::timestamptz, ${now}::timestamptz
      where (select count(*) from line) = ${entries.length}
      returning id
    )
    insert into ledger_entry (transfer_id, account_id, amount_in_cents)
    select posted.id, line.id, line.amount from posted, line`);
  return written > 0;
}

async function openAccounts(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  transfer: Transfer,
  entries: readonly Entry[],
): Promise<void> {
  for (const { kind } of entries) {
    await tx.run(sql`
      insert into ledger_account (id, partner_id, tenant_id, kind)
      values (${newId('acc', now)}, ${transfer.partnerId}, ${ownerOf(kind, transfer)}, ${kind})
      on conflict (partner_id, tenant_id, kind) do nothing`);
  }
}

function ownerOf(kind: AccountKind, { tenantId }: Transfer): string | null {
  return kind === 'tenant_receivable' ? tenantId : null;
}

/** Takes a transfer back with its opposite; each is reversed at most once. */
export async function reverse(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  transferId: string,
  occurredAt: Date,
): Promise<{ id: string }> {
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
  return { id };
}
