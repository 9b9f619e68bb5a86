import { bigint, instant, nullable, recordset, row, type Sql, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { ProcessorKind } from '../../processor-kinds.ts';
import { partnerOfRows } from '../partner-of-rows.ts';
import type { TenantKey } from '../tenant-key.ts';

export type AccountKind =
  | 'tenant_receivable'
  | 'partner_payable'
  | 'fee_income'
  | 'processor_clearing'
  | 'settlement_clearing'
  | 'cash'
  | 'credit_loss'
  | 'processing_cost'
  | 'books_difference'
  | ProcessorKind<'account'>;

export interface Entry {
  readonly kind: AccountKind;
  /** Integer cents: debits are positive, credits negative. */
  readonly amountInCents: number;
}

export type TransferKind =
  | 'advance'
  | 'payment'
  | 'charge_off'
  | 'fee_waived'
  | 'settlement_sent'
  | 'settlement_arrived'
  | 'settlement_returned'
  | 'payout_sent'
  | 'payout_paid'
  | 'payout_failed'
  | 'payout_returned'
  | 'payout_adjustment'
  | 'refund'
  | 'deposit'
  | 'payment_taken_back'
  | 'payment_won'
  | 'paid_back'
  | 'refund_refused'
  | 'books_adjustment'
  | ProcessorKind<'transfer'>;

export interface Transfer {
  readonly partnerId: string;
  /** The tenant whose receivable changes; the partner's other accounts are shared by its tenants. */
  readonly tenantId: string | null;
  readonly kind: TransferKind;
  /**
   * The id of what caused the transfer. Unique for each partner and kind (`ledger_transfer_source`), so
   * that a repeated command cannot post it twice.
   */
  readonly sourceId: string;
  readonly occurredAt: Date;
  readonly entries: readonly Entry[];
}

export type Poster = Pick<Ctx, 'tx' | 'now'>;

/**
 * Writes transfers with their entries, in one statement, or in three for each partner on a cluster. Nothing
 * else writes entries. The database also refuses a transfer whose entries do not sum to zero.
 */
export async function post(ctx: Poster, transfers: readonly Transfer[]): Promise<{ id: string }[]> {
  const posted = transfers.map((transfer) => {
    const entries = transfer.entries.filter((entry) => entry.amountInCents !== 0);
    const total = entries.reduce((sum, entry) => sum + entry.amountInCents, 0);
    if (total !== 0 || entries.length < 2) {
      throw new Error(`transfer for ${transfer.sourceId} is off by ${total} cents`);
    }
    return { id: newId('trf', ctx.now), transfer, entries };
  });
  for (const batch of ctx.tx.cluster ? byPartner(posted) : [posted]) {
    await writeBatch(ctx, batch);
  }
  return posted;
}

function byPartner(posted: readonly Posting[]): Posting[][] {
  const partners = new Set(posted.map((it) => it.transfer.partnerId));
  return [...partners].map((id) => posted.filter((it) => it.transfer.partnerId === id));
}

async function writeBatch(ctx: Poster, posted: readonly Posting[]): Promise<void> {
  if (await writePostings(ctx, posted)) return;
  await openAccounts(ctx, posted);
  if (await writePostings(ctx, posted)) return;
  const sources = posted.map((it) => it.transfer.sourceId).join(', ');
  throw new Error(`a transfer for ${sources} names an account that does not exist`);
}

interface Posting {
  readonly id: string;
  readonly transfer: Transfer;
  readonly entries: readonly Entry[];
}

const lineRow = row('ledger line', {
  transfer_id: text,
  partner_id: text,
  tenant_id: nullable(text),
  kind: text,
  amount: bigint,
});
const foundRow = row('ledger line with its account', {
  partner_id: text,
  transfer_id: text,
  account_id: text,
  amount: bigint,
});
const transferRow = row('ledger transfer', {
  id: text,
  partner_id: text,
  kind: text,
  source_id: text,
  occurred_at: instant,
});
const accountRow = row('ledger account', {
  id: text,
  partner_id: text,
  tenant_id: nullable(text),
  kind: text,
});

/**
 * Returns false, and writes nothing, if an account does not exist yet. Locks no account row: all
 * tenants of a partner post to the partner's accounts, and would wait for each other.
 */
async function writePostings({ tx, now }: Poster, posted: readonly Posting[]): Promise<boolean> {
  const lines = posted.flatMap(linesOf);
  const transfers = posted.map(({ id, transfer }) => ({
    id,
    partner_id: transfer.partnerId,
    kind: transfer.kind,
    source_id: transfer.sourceId,
    occurred_at: transfer.occurredAt,
  }));
  const partner = partnerOfRows(
    posted.map((it) => it.transfer),
    sql`l.partner_id`,
  );
  const line = sql`
      select l.partner_id, l.transfer_id, account.id as account_id, l.amount
      from ${recordset(lineRow, lines, 'l')},
        lateral (
          select a.id from ledger_account a
          where a.partner_id = ${partner} and a.tenant_id = l.tenant_id and a.kind = l.kind
          union all
          select a.id from ledger_account a
          where a.partner_id = ${partner} and a.tenant_id is null and l.tenant_id is null
            and a.kind = l.kind
        ) account`;
  const insertTransfers = sql`
      insert into ledger_transfer (partner_id, id, kind, source_id, occurred_at, created_at)
      select t.partner_id, t.id, t.kind, t.source_id, t.occurred_at, ${now}::timestamptz
      from ${recordset(transferRow, transfers, 't')}`;
  const insertEntries = sql`
    insert into ledger_entry (partner_id, transfer_id, account_id, amount_in_cents)
    select line.partner_id, line.transfer_id, line.account_id, line.amount`;
  if (tx.cluster) {
    // In one statement, `posted` would write what it reads from `line`, which needs every server.
    const found = await tx.many(foundRow, line);
    if (found.length !== lines.length) return false;
    await Promise.all([
      tx.run(insertTransfers),
      tx.run(sql`${insertEntries} from ${recordset(foundRow, found, 'line')}`),
    ]);
    return true;
  }
  const written = await tx.run(sql`
    with line as (${line}
    ), posted as (${insertTransfers}
      where (select count(*) from line) = ${lines.length}
      returning id
    )${insertEntries}
    from line where (select count(*) from posted) = ${transfers.length}`);
  return written > 0;
}

function linesOf({ id, transfer, entries }: Posting) {
  return entries.map(({ kind, amountInCents }) => ({
    transfer_id: id,
    partner_id: transfer.partnerId,
    tenant_id: ownerOf(kind, transfer),
    kind,
    amount: amountInCents,
  }));
}

async function openAccounts(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  posted: readonly Posting[],
): Promise<void> {
  const accounts = posted.flatMap(linesOf).map(({ partner_id, tenant_id, kind }) => ({
    id: newId('acc', now),
    partner_id,
    tenant_id,
    kind,
  }));
  await tx.run(sql`
    insert into ledger_account (id, partner_id, tenant_id, kind)
    select a.id, a.partner_id, a.tenant_id, a.kind
    from ${recordset(accountRow, accounts, 'a')}
    on conflict (partner_id, tenant_id, kind) do nothing`);
}

/**
 * Returns one statement of a `with` list, which opens the tenant's account. A transfer posted to it by a later
 * transaction then needs one statement instead of three.
 */
export function openReceivable({ now }: Pick<Ctx, 'now'>, { partnerId, tenantId }: TenantKey): Sql {
  return sql`
    insert into ledger_account (id, partner_id, tenant_id, kind)
    values (${newId('acc', now)}, ${partnerId}, ${tenantId}, 'tenant_receivable')
    on conflict (partner_id, tenant_id, kind) do nothing`;
}

function ownerOf(kind: AccountKind, { tenantId }: Transfer): string | null {
  return kind === 'tenant_receivable' ? tenantId : null;
}

/** Posts the opposite of a transfer. The database allows one reversal for each. */
export async function reverse(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  { partnerId, transferId }: { readonly partnerId: string; readonly transferId: string },
  occurredAt: Date,
): Promise<{ id: string }> {
  const id = newId('trf', ctx.now);
  const written = await ctx.tx.run(sql`
    with posted as (
      insert into ledger_transfer
        (id, partner_id, kind, source_id, reverses_id, occurred_at, created_at)
      select ${id}, partner_id, 'reversal', id, id, ${occurredAt}, ${ctx.now}
      from ledger_transfer where partner_id = ${partnerId} and id = ${transferId}
    )
    insert into ledger_entry (partner_id, transfer_id, account_id, amount_in_cents)
    select partner_id, ${id}, account_id, -amount_in_cents from ledger_entry
    where partner_id = ${partnerId} and transfer_id = ${transferId}`);
  if (written === 0) throw new Error(`partner ${partnerId} has no transfer ${transferId}`);
  return { id };
}
