import { bigint, boolean, date, nullable, type RowOf, row, sql, type Tx, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { reverse } from '../ledger/post.ts';
import { adjustmentOf } from './adjust.ts';
import { copyItems } from './collect-items.ts';
import { lockOpenItems } from './find-items.ts';
import { shareBooks } from './lock-books.ts';
import { type Attribution, writeMatch } from './match-by-hand.ts';
import { booksRefusal } from './refuse.ts';

export interface Unmatched {
  readonly match_id: string;
  readonly rule: string;
  readonly match_reason: string;
  /** The items that are open again. */
  readonly items: readonly string[];
  /** The transfers that reverse those that the match had posted. */
  readonly reversed_by: readonly string[];
}

const matchRow = row('match to undo', {
  rule: text,
  reason: text,
  closed_by: nullable(bigint),
  day: nullable(date),
});
const itemRow = row('item of a match', { item: text, isReversal: boolean });

/**
 * Opens the items of a match again, and reverses what the match had posted. A match that a closed day contains
 * stays until the day is reopened.
 */
export async function unmatch(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'>,
  matchId: string,
  by: Attribution,
): Promise<Unmatched> {
  const { tx } = ctx;
  await shareBooks(tx);
  const match = await tx.maybe(
    matchRow,
    sql`
    select m.rule, m.reason, m.closed_by, s.day
    from book_match m left join book_seal s on s.number = m.closed_by
    where m.id = ${matchId} for update of m`,
  );
  if (!match) throw booksRefusal(`There is no match ${matchId}.`);
  if (match.closed_by !== null) {
    throw booksRefusal(
      `${matchId} was there when ${match.day} was closed. Reopen that day first: svc-admin books reopen ${match.day}.`,
    );
  }
  const items = await tx.many(
    itemRow,
    sql`
    /* all partners */
    select id as item, false as is_reversal from bank_line where match_id = ${matchId}
    union all
    select transfer_id || '/' || ledger_account, kind = 'reversal' and starts_with(reference, 'adj_')
    from book_item where match_id = ${matchId}
    order by 1`,
  );
  if (items.some((it) => it.isReversal)) {
    throw booksRefusal(
      `${matchId} is an adjustment with its reversal, which explain each other. Adjust the open item again instead.`,
    );
  }
  const posted = await lockPosted(tx, matchId);
  await tx.run(sql`update bank_line set match_id = null where match_id = ${matchId}`);
  await tx.run(sql`
    /* all partners */
    update book_item set match_id = null where match_id = ${matchId}`);
  await tx.run(sql`delete from book_match where id = ${matchId}`);
  const own = posted.map((it) => it.item);
  return {
    match_id: matchId,
    rule: match.rule,
    match_reason: match.reason,
    items: items.map((it) => it.item).filter((it) => !own.includes(it)),
    reversed_by: await reverseTransfers(ctx, posted, {
      ...by,
      reason: `Undoes ${matchId}: ${by.reason}`,
    }),
  };
}

const postedRow = row('entry that a match posted', {
  partnerId: text,
  transferId: text,
  ledgerAccount: text,
  item: text,
  matchId: nullable(text),
});
type Posted = RowOf<typeof postedRow>;

/**
 * Locks and returns the entries of the transfers that a match posted, including those of the other compared account.
 * @throws Refusal if one of these is matched already, because its reversal would have nothing to cancel
 */
async function lockPosted(tx: Tx, matchId: string): Promise<Posted[]> {
  const posted = await tx.many(
    postedRow,
    sql`
    /* many rows: the items of a match, by no index */
    /* all partners */
    select i.partner_id, i.transfer_id,
      i.ledger_account, i.transfer_id || '/' || i.ledger_account as item,
      i.match_id
    from book_item i
    where (i.partner_id, i.transfer_id) in (select partner_id, transfer_id from book_item
      where match_id = ${matchId} and kind = 'books_adjustment'
        and reference = ${adjustmentOf(matchId)})
    order by i.partner_id, i.transfer_id, i.ledger_account for update of i`,
  );
  const used = posted.find((it) => it.matchId !== null && it.matchId !== matchId);
  if (used) {
    throw booksRefusal(
      `${matchId} posted ${used.item}, which is matched as ${used.matchId}. Undo that first: svc-admin books unmatch ${used.matchId}.`,
    );
  }
  return posted;
}

/** Reverses the transfers, and matches their entries with those of the reversals. */
async function reverseTransfers(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'>,
  posted: readonly Posted[],
  by: Attribution,
): Promise<string[]> {
  const reversals: { partnerId: string; id: string }[] = [];
  const isFirst = (it: Posted, index: number) =>
    posted.findIndex((one) => one.transferId === it.transferId) === index;
  for (const { partnerId, transferId } of posted.filter(isFirst)) {
    const { id } = await reverse(ctx, { partnerId, transferId }, ctx.now);
    reversals.push({ partnerId, id });
  }
  const ids = reversals.map((it) => it.id);
  if (ids.length === 0) return ids;
  await copyItems(
    ctx,
    sql`(l.partner_id, l.id) in (
      select * from unnest(${reversals.map((it) => it.partnerId)}::text[], ${ids}::text[]))`,
  );
  for (const account of new Set(posted.map((it) => it.ledgerAccount))) {
    const originals = posted.filter((it) => it.ledgerAccount === account).map((it) => it.item);
    const items = await lockOpenItems(ctx.tx, [
      ...originals,
      ...ids.map((id) => `${id}/${account}`),
    ]);
    await writeMatch(ctx, items, { ...by, rule: 'adjustment' });
  }
  return ids;
}
