import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import { type BookedItem, entryOf, isLine, lockOpenItems } from './find-items.ts';
import { shareBooks } from './lock-books.ts';

type BooksCtx = Pick<Ctx, 'tx' | 'now'>;

export interface Attribution {
  readonly user: string;
  readonly reason: string;
}

interface Match extends Attribution {
  readonly id?: string;
  readonly rule: 'manual' | 'adjustment';
}

/** Stores a match of locked items. */
export async function writeMatch(
  { tx, now }: BooksCtx,
  items: readonly BookedItem[],
  { id = newId('mat', now), rule, reason, user }: Match,
): Promise<string> {
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

/** Assigns an item to the person who looks into it. */
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
