import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { AccountKind } from '../ledger/post.ts';
import { postDifference, requireOtherAccount, requirePartnerOfItem } from './adjust.ts';
import { isLine, lockOpenItems } from './find-items.ts';
import { shareBooks } from './lock-books.ts';
import { type Attribution, writeMatch } from './match-by-hand.ts';
import { booksRefusal } from './refuse.ts';

interface Input {
  readonly items: readonly string[];
  /** The account that a difference between lines and entries is booked to. */
  readonly account?: AccountKind;
  /** The partner in whose books a difference is, if the entries are of several. */
  readonly pms?: string;
}

export interface MatchedByHand {
  readonly match_id: string;
  readonly items: readonly string[];
  /** The sum of the lines, which equals the sum of the entries plus the difference. */
  readonly amount_in_cents: number;
  /** The part that was booked to another account. */
  readonly difference?: {
    readonly amount_in_cents: number;
    readonly account: AccountKind;
    readonly transfer_id: string;
    readonly partner_id: string;
  };
}

/**
 * Matches lines and entries that the rules left open. Their sums agree, or the difference is booked to an
 * account that the operator names.
 */
export async function matchItems(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'>,
  { items, account, pms }: Input,
  by: Attribution,
): Promise<MatchedByHand> {
  await shareBooks(ctx.tx);
  const found = await lockOpenItems(ctx.tx, items);
  if (found.length < 2) throw booksRefusal('Name at least two items, such as a line and an entry.');
  const [first] = found;
  if (!first || found.some((it) => it.ledgerAccount !== first.ledgerAccount)) {
    throw booksRefusal('The items are of different accounts, so they cannot match.');
  }
  const { ledgerAccount } = first;
  const sumOf = (ofLines: boolean) =>
    found
      .filter((it) => isLine(it.item) === ofLines)
      .reduce((sum, it) => sum + it.amountInCents, 0);
  const [lines, entries] = [sumOf(true), sumOf(false)];
  const cents = lines - entries;
  if (account === undefined) {
    if (pms !== undefined)
      throw booksRefusal('--partner is for a difference. Pass --account with it.');
    if (cents !== 0) {
      throw booksRefusal(
        `The lines sum to ${lines} cents and the entries to ${entries} cents. Name the account of the difference of ${cents} cents, such as --account processing_cost, or leave out what does not belong together.`,
      );
    }
    const matchId = await writeMatch(ctx, found, { rule: 'manual', ...by });
    return { match_id: matchId, items, amount_in_cents: lines };
  }
  if (cents === 0) {
    throw booksRefusal(`The lines and the entries sum to ${lines} cents. Leave out --account.`);
  }
  const sides = new Set(found.map((it) => isLine(it.item)));
  if (sides.size < 2) {
    throw booksRefusal(
      'A difference is between lines and entries. Explain one side alone with "svc-admin books adjust".',
    );
  }
  requireOtherAccount(account, ledgerAccount);
  const partnerIds = new Set(found.flatMap((it) => it.partnerId ?? []));
  const [onlyPartnerId = null] = partnerIds.size === 1 ? partnerIds : [];
  const partnerId = await requirePartnerOfItem(
    ctx,
    { item: 'The difference', partnerId: onlyPartnerId },
    pms,
  );
  const matchId = newId('mat', ctx.now);
  const posted = await postDifference(ctx, {
    matchId,
    ledgerAccount,
    account,
    shares: [{ partnerId, amountInCents: cents }],
  });
  await writeMatch(ctx, [...found, ...posted.entries], { id: matchId, rule: 'adjustment', ...by });
  return {
    match_id: matchId,
    items,
    amount_in_cents: lines,
    difference: {
      amount_in_cents: cents,
      account,
      transfer_id: posted.transferIds.join(' '),
      partner_id: partnerId,
    },
  };
}
