import { bigint, row, sql, type Tx, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import { type AccountKind, post } from '../ledger/post.ts';
import { requirePartner } from '../partners/find-partner.ts';
import type { ComparedAccount } from './bank-accounts.ts';
import { chartOf } from './chart.ts';
import { copyItems } from './collect-items.ts';
import { type BookedItem, entryOf, isLine, lockOpenItems } from './find-items.ts';
import { shareBooks } from './lock-books.ts';
import { type Attribution, writeMatch } from './match-by-hand.ts';
import { booksRefusal } from './refuse.ts';
import { type Share, shareDeposit } from './share-deposit.ts';

interface Input {
  readonly item: string;
  /** The account that the difference is booked to. */
  readonly account: AccountKind;
  /** The partner in whose books a line is recorded; an entry has its own. */
  readonly pms?: string;
}

export interface Adjusted {
  /** For a deposit that was shared, the ids of all its partners, separated by spaces. */
  readonly partner_id: string;
  readonly item: string;
  readonly transfer_id: string;
  readonly match_id: string;
  /** The change in cents of the balance of the account that the difference was booked to. */
  readonly amount_in_cents: number;
  readonly account: string;
}

/**
 * Posts a new transfer that explains an item, and matches both. A line that the ledger lacks is recorded;
 * an entry that no statement confirms is taken back by its opposite. Nothing is edited.
 */
export async function adjustItem(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'>,
  { item, account, pms }: Input,
  by: Attribution,
): Promise<Adjusted> {
  await shareBooks(ctx.tx);
  const [found] = await lockOpenItems(ctx.tx, [item]);
  if (!found) throw new Error(`${item} was found and is gone`);
  const { ledgerAccount, amountInCents } = found;
  requireOtherAccount(account, ledgerAccount);
  await refusePartOfReference(ctx.tx, found);
  const cents = isLine(item) ? amountInCents : -amountInCents;
  const shares = await sharesOf(ctx, found, { account, pms });
  const matchId = newId('mat', ctx.now);
  const { transferIds, entries } = await postDifference(ctx, {
    matchId,
    ledgerAccount,
    account,
    shares,
  });
  await writeMatch(ctx, [found, ...entries], { id: matchId, rule: 'adjustment', ...by });
  return {
    partner_id: shares.map((it) => it.partnerId).join(' '),
    item,
    transfer_id: transferIds.join(' '),
    match_id: matchId,
    amount_in_cents: -cents,
    account: chartOf(ctx.service.processorRecords)[account].name,
  };
}

/** @throws Refusal if a difference of `ledgerAccount` cannot be booked to `account` */
export function requireOtherAccount(account: AccountKind, ledgerAccount: ComparedAccount): void {
  if (account !== ledgerAccount && account !== 'tenant_receivable') return;
  throw booksRefusal(
    `The other account cannot be ${account}. Choose another of "svc-admin books accounts"; debts of tenants change by their payments only.`,
  );
}

const sameReferenceRow = row('item of the same reference', { item: text, cents: bigint });

/**
 * If both sides name the reference with different amounts, only their difference is unexplained. Booking one
 * side as a whole would count the movement twice.
 */
async function refusePartOfReference(
  tx: Tx,
  { item, ledgerAccount }: Pick<BookedItem, 'item' | 'ledgerAccount'>,
): Promise<void> {
  const { transferId } = entryOf(item);
  const named = await tx.many(
    sameReferenceRow,
    sql`
    /* many rows: all open lines of an account */
    /* all partners: a line names no partner */
    with own as (
      select reference from bank_line where id = ${item}
      union all
      select reference from book_item
      where transfer_id = ${transferId} and ledger_account = ${ledgerAccount}
    )
    select l.id as item, l.amount_in_cents as cents
    from bank_line l join bank_account b on b.id = l.bank_account_id
    where l.match_id is null and b.ledger_account = ${ledgerAccount} and l.reference <> ''
      and l.reference in (select reference from own)
    union all
    select i.transfer_id || '/' || i.ledger_account, i.amount_in_cents from book_item i
    where i.match_id is null and i.ledger_account = ${ledgerAccount} and i.reference <> ''
      and i.reference in (select reference from own)
      and i.day >= (select min(b.starts_on) from bank_account b
        where b.ledger_account = ${ledgerAccount})
    order by 1`,
  );
  const sumOf = (ofLines: boolean) =>
    named.filter((it) => isLine(it.item) === ofLines).reduce((sum, it) => sum + it.cents, 0);
  const isBoth = [true, false].every((ofLines) => named.some((it) => isLine(it.item) === ofLines));
  if (!isBoth) return;
  const [lines, entries] = [sumOf(true), sumOf(false)];
  const items = named.map((it) => it.item).join(',');
  throw booksRefusal(
    lines === entries
      ? `The lines and the entries of the same reference agree. Match them: svc-admin books match ${items}`
      : `The lines with the reference of ${item} sum to ${lines} cents and the entries to ${entries} cents. Book only the difference of ${lines - entries} cents: svc-admin books match ${items} --account <account>`,
  );
}

interface Difference {
  /** The match that the transfers are posted for. */
  readonly matchId: string;
  readonly ledgerAccount: ComparedAccount;
  readonly account: AccountKind;
  /** The changes of the ledger account in each partner's books. */
  readonly shares: readonly Share[];
}

/** Returns the source id of the transfers that a match posts. They are found by it when the match is undone. */
export function adjustmentOf(matchId: string): string {
  return `adj_${matchId.slice('mat_'.length)}`;
}

/** Posts the transfers that explain a difference, and returns their locked entries of the compared account. */
export async function postDifference(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'>,
  { matchId, ledgerAccount, account, shares }: Difference,
): Promise<{ readonly transferIds: readonly string[]; readonly entries: readonly BookedItem[] }> {
  // One source, so that the bank's line of a shared deposit matches all entries together.
  const sourceId = adjustmentOf(matchId);
  const posted = await post(
    ctx,
    shares.map((share) => ({
      partnerId: share.partnerId,
      tenantId: null,
      kind: 'books_adjustment',
      sourceId,
      occurredAt: ctx.now,
      entries: [
        { kind: ledgerAccount, amountInCents: share.amountInCents },
        { kind: account, amountInCents: -share.amountInCents },
      ],
    })),
  );
  const partnerIds = shares.map((it) => it.partnerId);
  const transferIds = posted.map((it) => it.id);
  await copyItems(
    ctx,
    sql`(l.partner_id, l.id) in (
      select * from unnest(${partnerIds}::text[], ${transferIds}::text[]))`,
  );
  // A transfer between both compared accounts leaves an entry for the other account's statement.
  const names = transferIds.map((id) => `${id}/${ledgerAccount}`);
  return { transferIds, entries: await lockOpenItems(ctx.tx, names) };
}

interface Other {
  readonly account: AccountKind;
  readonly pms: string | undefined;
}

/** Splits a difference between partners' books. Only a processor's deposit concerns more than one partner. */
async function sharesOf(
  ctx: Pick<Ctx, 'tx'>,
  found: BookedItem,
  { account, pms }: Other,
): Promise<readonly Share[]> {
  const { item, amountInCents } = found;
  if (account === 'cash' && pms === undefined && isLine(item)) {
    const shares = await shareDeposit(ctx.tx, item);
    if (shares) return shares;
  }
  const partnerId = await requirePartnerOfItem(ctx, found, pms);
  return [{ partnerId, amountInCents: isLine(item) ? amountInCents : -amountInCents }];
}

/** @throws Refusal if the partner in whose books a difference belongs is not known */
export async function requirePartnerOfItem(
  ctx: Pick<Ctx, 'tx'>,
  { item, partnerId }: { readonly item: string; readonly partnerId: string | null },
  pms: string | undefined,
): Promise<string> {
  if (partnerId !== null) {
    if (pms !== undefined)
      throw booksRefusal(`${item} belongs to a partner already. Leave out --partner.`);
    return partnerId;
  }
  if (pms === undefined) {
    throw booksRefusal(
      `${item} is of no partner. Name the one in whose books it is: --partner <pms>.`,
    );
  }
  return (await requirePartner(ctx.tx, pms)).id;
}
