import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import { type AccountKind, post } from '../ledger/post.ts';
import { findPartnerByPms } from '../partners/find-partner.ts';
import { chart } from './chart.ts';
import { copyItems } from './collect-items.ts';
import { type BookedItem, isLine, lockOpenItems } from './find-items.ts';
import { shareBooks } from './lock-books.ts';
import { type By, writeMatch } from './match-by-hand.ts';
import { refuse } from './refuse.ts';
import { type Share, shareDeposit } from './share-deposit.ts';

interface Input {
  readonly item: string;
  /** The other account. */
  readonly account: AccountKind;
  /** The partner in whose books a line is recorded; an entry has its own. */
  readonly pms?: string;
}

export interface Adjusted {
  /** Of a deposit that was shared, those of all partners, separated by spaces. */
  readonly partner_id: string;
  readonly item: string;
  readonly transfer_id: string;
  readonly match_id: string;
  /** Of the account with the difference: cents that its balance changed by. */
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
  by: By,
): Promise<Adjusted> {
  await shareBooks(ctx.tx);
  const [found] = await lockOpenItems(ctx.tx, [item]);
  if (!found) throw new Error(`${item} was found and is gone`);
  const { ledgerAccount, amountInCents } = found;
  if (account === ledgerAccount || account === 'tenant_receivable') {
    throw refuse(
      `The other account cannot be ${account}. Choose another of "svc books accounts"; debts of tenants change by their payments only.`,
    );
  }
  const cents = isLine(item) ? amountInCents : -amountInCents;
  const shares = await sharesOf(ctx, found, { account, pms });
  // One source, so that the bank's line of a shared deposit matches all entries together.
  const sourceId = newId('adj', ctx.now);
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
  const own = await lockOpenItems(ctx.tx, names);
  const matchId = await writeMatch(ctx, [found, ...own], { rule: 'adjustment', ...by });
  return {
    partner_id: partnerIds.join(' '),
    item,
    transfer_id: transferIds.join(' '),
    match_id: matchId,
    amount_in_cents: -cents,
    account: chart[account].name,
  };
}

interface Other {
  readonly account: AccountKind;
  readonly pms: string | undefined;
}

/** The parts of the difference in the books of each partner: of one, except for a processor's deposit. */
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
  const partnerId = await partnerOf(ctx, found, pms);
  return [{ partnerId, amountInCents: isLine(item) ? amountInCents : -amountInCents }];
}

async function partnerOf(
  ctx: Pick<Ctx, 'tx'>,
  { item, partnerId }: { readonly item: string; readonly partnerId: string | null },
  pms: string | undefined,
): Promise<string> {
  if (partnerId !== null) {
    if (pms !== undefined)
      throw refuse(`${item} belongs to a partner already. Leave out --partner.`);
    return partnerId;
  }
  if (pms === undefined) {
    throw refuse(`${item} is of no partner. Name the one in whose books it is: --partner <pms>.`);
  }
  const partner = await findPartnerByPms(ctx.tx, pms);
  if (!partner) throw refuse(`There is no partner ${pms}.`);
  return partner.id;
}
