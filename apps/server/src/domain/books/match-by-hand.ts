import { bigint, date, listOf, nullable, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import { type BookedItem, entryOf, isLine, lockOpenItems } from './find-items.ts';
import { shareBooks } from './lock-books.ts';
import { refuse } from './refuse.ts';

type BooksCtx = Pick<Ctx, 'tx' | 'now'>;

export interface By {
  readonly user: string;
  readonly reason: string;
}

export interface MatchedByHand {
  readonly match_id: string;
  readonly items: readonly string[];
  /** The sum of the lines, and of the entries. */
  readonly amount_in_cents: number;
}

/** Matches lines and entries that the rules left open. Their sums must agree. */
export async function matchItems(
  ctx: BooksCtx,
  items: readonly string[],
  by: By,
): Promise<MatchedByHand> {
  await shareBooks(ctx.tx);
  const found = await lockOpenItems(ctx.tx, items);
  if (found.length < 2) throw refuse('Name at least two items, such as a line and an entry.');
  const [first] = found;
  if (!first || found.some((it) => it.ledgerAccount !== first.ledgerAccount)) {
    throw refuse('The items are of different accounts, so they cannot match.');
  }
  const sumOf = (which: boolean) =>
    found.filter((it) => isLine(it.item) === which).reduce((sum, it) => sum + it.amountInCents, 0);
  const [lines, entries] = [sumOf(true), sumOf(false)];
  if (lines !== entries) {
    throw refuse(
      `The lines sum to ${lines} cents and the entries to ${entries} cents. Adjust or write off the difference of ${lines - entries} cents first.`,
    );
  }
  const matchId = await writeMatch(ctx, found, { rule: 'manual', ...by });
  return { match_id: matchId, items, amount_in_cents: lines };
}

/** Stores a match of locked items. */
export async function writeMatch(
  { tx, now }: BooksCtx,
  items: readonly BookedItem[],
  { rule, reason, user }: By & { readonly rule: 'manual' | 'adjustment' },
): Promise<string> {
  const id = newId('mat', now);
  const bankAccountId = items.find((it) => it.bankAccountId !== null)?.bankAccountId ?? null;
  await tx.run(sql`
    insert into book_match (id, bank_account_id, rule, reason, matched_at, matched_by)
    select ${id}, coalesce(${bankAccountId}, min(b.id)), ${rule}, ${reason}, ${now}, ${user}
    from bank_account b where b.ledger_account = ${items[0]?.ledgerAccount ?? ''}`);
  const names = items.map((it) => it.item);
  await tx.run(sql`
    update bank_line set match_id = ${id} where id = any(${names.filter(isLine)}::text[])`);
  for (const { item, partnerId } of items) {
    if (partnerId === null) continue;
    const { transferId, ledgerAccount } = entryOf(item);
    await tx.run(sql`
      update book_item set match_id = ${id} where partner_id = ${partnerId}
        and transfer_id = ${transferId} and ledger_account = ${ledgerAccount}`);
  }
  await tx.run(sql`delete from book_owner where item = any(${names}::text[])`);
  return id;
}

const matchRow = row('match to undo', {
  rule: text,
  reason: text,
  closed_by: nullable(bigint),
  day: nullable(date),
});
const itemsRow = row('items of a match', { items: listOf(text) });

export interface Unmatched {
  readonly match_id: string;
  readonly rule: string;
  readonly match_reason: string;
  readonly items: readonly string[];
}

/** Opens the items of a match again. One that a closed day contains stays until the day is reopened. */
export async function unmatch({ tx }: BooksCtx, matchId: string): Promise<Unmatched> {
  await shareBooks(tx);
  const match = await tx.maybe(
    matchRow,
    sql`
    select m.rule, m.reason, m.closed_by, s.day
    from book_match m left join book_seal s on s.number = m.closed_by
    where m.id = ${matchId} for update of m`,
  );
  if (!match) throw refuse(`There is no match ${matchId}.`);
  if (match.closed_by !== null) {
    throw refuse(
      `${matchId} was there when ${match.day} was closed. Reopen that day first: svc books reopen ${match.day}.`,
    );
  }
  const { items } = await tx.one(
    itemsRow,
    sql`
    /* all partners */
    select coalesce(array_agg(item order by item), '{}') as items from (
      select id as item from bank_line where match_id = ${matchId}
      union all
      select transfer_id || '/' || ledger_account from book_item where match_id = ${matchId}) t`,
  );
  await tx.run(sql`update bank_line set match_id = null where match_id = ${matchId}`);
  await tx.run(sql`
    /* all partners */
    update book_item set match_id = null where match_id = ${matchId}`);
  await tx.run(sql`delete from book_match where id = ${matchId}`);
  return { match_id: matchId, rule: match.rule, match_reason: match.reason, items };
}

/** Names who looks into an item. */
export async function assignItem(
  { tx, now }: BooksCtx,
  { item, owner, user }: { readonly item: string; readonly owner: string; readonly user: string },
): Promise<{ item: string; owner: string }> {
  await shareBooks(tx);
  await lockOpenItems(tx, [item]);
  await tx.run(sql`
    insert into book_owner (item, owner, assigned_at, assigned_by)
    values (${item}, ${owner}, ${now}, ${user})
    on conflict (item) do update set owner = excluded.owner, assigned_at = excluded.assigned_at,
      assigned_by = excluded.assigned_by`);
  return { item, owner };
}
