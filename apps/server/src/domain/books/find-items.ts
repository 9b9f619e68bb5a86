import {
  bigint,
  date,
  instant,
  nullable,
  oneOf,
  type Queryable,
  row,
  sql,
  type Tx,
  text,
} from '@svc/db';
import { type ComparedAccount, comparedAccounts } from './bank-accounts.ts';
import { booksRefusal } from './refuse.ts';

/** A line of a statement, or a ledger entry that needs one. */
export interface BookedItem {
  /** `bln_…`, or a transfer and the kind of its account: `trf_…/cash`. */
  readonly item: string;
  readonly ledgerAccount: ComparedAccount;
  readonly amountInCents: number;
  readonly day: string;
  /** The account of a line; null for an entry. */
  readonly bankAccountId: string | null;
  /** The partner of an entry; null for a line. */
  readonly partnerId: string | null;
  readonly matchId: string | null;
}

export const isLine = (item: string) => item.startsWith('bln_');

/** Parses an entry's name, `trf_…/cash`, into its transfer and the kind of its account. */
export function entryOf(item: string): { transferId: string; ledgerAccount: string } {
  const [transferId = '', ledgerAccount = ''] = item.split('/');
  return { transferId, ledgerAccount };
}

const itemRow = row('item of the books', {
  item: text,
  ledgerAccount: oneOf(...comparedAccounts),
  amountInCents: bigint,
  day: date,
  bankAccountId: nullable(text),
  partnerId: nullable(text),
  matchId: nullable(text),
});

/**
 * Locks lines and entries that are not matched. If two operators name the same item, the second one
 * waits for the first, and the refusal names the person who matched it.
 * @throws Refusal if one does not exist or is matched
 */
export async function lockOpenItems(tx: Tx, items: readonly string[]): Promise<BookedItem[]> {
  const twice = items.find((it, index) => items.indexOf(it) !== index);
  if (twice !== undefined) throw booksRefusal(`${twice} is named twice.`);
  const found = [...(await lockLines(tx, items)), ...(await lockEntries(tx, items))];
  for (const item of items) {
    const it = found.find((one) => one.item === item);
    if (!it) {
      throw booksRefusal(
        `There is no line or entry ${item}. "svc-admin books exceptions" lists what is not matched.`,
      );
    }
    if (it.matchId !== null) throw booksRefusal(await describeMatched(tx, item, it.matchId));
  }
  return found;
}

function lockLines(tx: Tx, items: readonly string[]): Promise<BookedItem[]> {
  return tx.many(
    itemRow,
    sql`
    select l.id as item, b.ledger_account, l.amount_in_cents,
      l.booked_on as day, l.bank_account_id, null::text as partner_id,
      l.match_id
    from bank_line l join bank_account b on b.id = l.bank_account_id
    where l.id = any(${items.filter(isLine)}::text[]) order by l.id for update of l`,
  );
}

async function lockEntries(tx: Tx, items: readonly string[]): Promise<BookedItem[]> {
  const named = items.filter((it) => !isLine(it)).map(entryOf);
  return tx.many(
    itemRow,
    sql`
    /* many rows: a lookup for each partner and item, because indexes begin with the partner */
    /* all partners: an operator's command names transfers of any */
    select i.transfer_id || '/' || i.ledger_account as item, i.ledger_account,
      i.amount_in_cents, i.day, null::text as bank_account_id,
      i.partner_id, i.match_id
    from book_item i
    where i.partner_id = any(array(select id from partner))
      and (i.transfer_id, i.ledger_account) in (
      select * from unnest(${named.map((it) => it.transferId)}::text[],
        ${named.map((it) => it.ledgerAccount)}::text[]))
    order by i.partner_id, i.transfer_id for update of i`,
  );
}

const matchRow = row('match of an item', { matched_by: text, matched_at: instant });

async function describeMatched(q: Queryable, item: string, matchId: string): Promise<string> {
  const { matched_by, matched_at } = await q.one(
    matchRow,
    sql`select matched_by, matched_at from book_match where id = ${matchId}`,
  );
  const at = matched_at.toISOString().slice(0, 16).replace('T', ' ');
  return `${item} was matched by ${matched_by} at ${at} UTC, as ${matchId}. If that is wrong, undo it with "svc-admin books unmatch ${matchId}".`;
}
