import {
  bigint,
  bytes,
  date,
  integer,
  listOf,
  type Queryable,
  type RowOf,
  row,
  sql,
  text,
} from '@svc/db';
import type { Ctx } from '../../context.ts';
import { type BankAccount, findBankAccount } from './bank-accounts.ts';
import {
  hashStatement,
  refuseAtLine,
  requireCurrency,
  requireNext,
  type StatementFile,
  statementsOf,
  storeStatement,
} from './import-statements.ts';
import { lockBooks } from './lock-books.ts';
import type { Attribution } from './match-by-hand.ts';
import { booksRefusal } from './refuse.ts';
import { closedThrough } from './seal-books.ts';
import type { Statement } from './statement.ts';
import { unmatch } from './unmatch.ts';

interface ReplacedStatement {
  readonly from: string;
  readonly to: string;
  readonly lines: number;
  readonly closing_in_cents: number;
  readonly sha256: string;
}

export interface Replaced {
  readonly bank: string;
  readonly removed: readonly ReplacedStatement[];
  readonly added: readonly ReplacedStatement[];
  /** The number of matches that the removed lines had. */
  readonly unmatched: number;
  /** The transfers that reverse what these matches had posted. */
  readonly reversed_by: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Replaces statements of open days by those of a file that has the same days, because the bank or the
 * processor corrected them. Nothing else changes: the balances before and after them must still follow each other.
 */
export async function replaceStatements(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'>,
  { bank, format, statements: all, unusable, user }: StatementFile,
  by: Attribution,
): Promise<Replaced> {
  const { tx } = ctx;
  await lockBooks(tx);
  const account = await findBankAccount(tx, bank);
  const stored = await storedStatements(tx, account);
  const statements = statementsOf(account, all, unusable).map((it) => fromStoredDay(it, stored));
  const [first] = statements;
  const final = statements.at(-1);
  if (!first || !final) throw booksRefusal(`The file has no statement of ${bank}.`);
  for (const statement of statements) requireCurrency(statement, account);
  const old = stored.filter((it) => it.to >= first.from && it.from <= final.to);
  const [oldest] = old;
  const newest = old.at(-1);
  if (!oldest || !newest) {
    throw refuseAtLine(
      first,
      `no statement of its days is stored. Import it: svc-admin statement import.`,
    );
  }
  if (oldest.from !== first.from || newest.to !== final.to) {
    throw refuseAtLine(
      first,
      `the file has ${first.from} to ${final.to}, but the stored statements of these days are of ${oldest.from} to ${newest.to}. Ask the bank for a file of exactly those days.`,
    );
  }
  const closed = await closedThrough(tx);
  if (closed && oldest.from <= closed.day) {
    throw refuseAtLine(first, `the books are closed through ${closed.day}. Reopen that day first.`);
  }
  const hashOf = (it: Statement) => hashStatement(account.id, it);
  if (
    old.length === statements.length &&
    old.every((it, n) => hasContentOf(it, hashOf, statements[n]))
  ) {
    throw refuseAtLine(
      first,
      'the statement is stored with this content already. Nothing was changed.',
    );
  }
  const undone = await removeStatements(ctx, old, by);
  let last = stored.filter((it) => it.to < first.from).at(-1);
  const added = [];
  for (const statement of statements) {
    requireNext(statement, account, last);
    if (last && statement.from <= last.to) {
      throw refuseAtLine(
        statement,
        `it begins on ${statement.from}, but the one before ends on ${last.to}.`,
      );
    }
    const sha256 = hashOf(statement);
    await storeStatement(ctx, { account, statement, sha256, format, user });
    const { from, to, lines, closingInCents } = statement;
    last = { id: '', from, to, lines: lines.length, closingInCents, openingInCents: 0, sha256 };
    added.push(describe(last));
  }
  const next = stored.find((it) => it.from > final.to);
  if (next && next.openingInCents !== final.closingInCents) {
    throw refuseAtLine(
      final,
      `it closes with ${final.closingInCents} cents, but the next one, of ${next.from}, opens with ${next.openingInCents} cents. Replace both with one file.`,
    );
  }
  const notes = statements.flatMap((it) => it.notes ?? []);
  return { bank, removed: old.map(describe), added, ...undone, notes };
}

const storedRow = row('stored statement', {
  id: text,
  from: date,
  to: date,
  lines: integer,
  openingInCents: bigint,
  closingInCents: bigint,
  sha256: bytes,
});
type StoredStatement = RowOf<typeof storedRow>;

function storedStatements(q: Queryable, { id }: BankAccount): Promise<StoredStatement[]> {
  return q.many(
    storedRow,
    sql`
    select id, from_day as from, to_day as to, lines, opening_in_cents,
      closing_in_cents, sha256
    from bank_statement where bank_account_id = ${id} order by to_day`,
  );
}

/**
 * Corrects a statement's first day. Some banks date the opening balance on the day before, so the first day of the
 * stored statement with the same last day decides.
 */
function fromStoredDay(statement: Statement, stored: readonly StoredStatement[]): Statement {
  const from = stored.find((it) => it.to === statement.to)?.from;
  if (from === undefined || from <= statement.from) return statement;
  return statement.lines.every((it) => it.bookedOn >= from) ? { ...statement, from } : statement;
}

function hasContentOf(
  { sha256 }: StoredStatement,
  hashOf: (it: Statement) => Buffer,
  statement: Statement | undefined,
): boolean {
  return statement !== undefined && sha256.equals(hashOf(statement));
}

function describe({ from, to, lines, closingInCents, sha256 }: StoredStatement): ReplacedStatement {
  return { from, to, lines, closing_in_cents: closingInCents, sha256: sha256.toString('hex') };
}

const matchesRow = row('matches of statements', { rules: listOf(text), adjusted: listOf(text) });

async function removeStatements(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'>,
  old: readonly StoredStatement[],
  by: Attribution,
): Promise<Pick<Replaced, 'unmatched' | 'reversed_by'>> {
  const { tx } = ctx;
  const ids = old.map((it) => it.id);
  const { rules, adjusted } = await tx.one(
    matchesRow,
    sql`
    select coalesce(array_agg(m.id) filter (where m.rule <> 'adjustment'), '{}') as rules,
      coalesce(array_agg(m.id order by m.id) filter (where m.rule = 'adjustment'), '{}') as adjusted
    from book_match m
    where m.id in (select match_id from bank_line where statement_id = any(${ids}::text[]))`,
  );
  // Matches without postings go first: an adjustment's other entry may be matched with a line that is removed, too.
  await tx.run(sql`update bank_line set match_id = null where match_id = any(${rules}::text[])`);
  await tx.run(sql`
    /* all partners */
    update book_item set match_id = null where match_id = any(${rules}::text[])`);
  await tx.run(sql`delete from book_match where id = any(${rules}::text[])`);
  const reversed_by: string[] = [];
  for (const id of adjusted) reversed_by.push(...(await unmatch(ctx, id, by)).reversed_by);
  await tx.run(sql`
    delete from book_owner where item in (
      select id from bank_line where statement_id = any(${ids}::text[]))`);
  for (const id of ids) {
    await tx.run(sql`select set_config('svc.replaced_statement', ${id}, true)`);
    await tx.run(sql`delete from bank_line where statement_id = ${id}`);
    await tx.run(sql`delete from bank_statement where id = ${id}`);
  }
  await tx.run(sql`select set_config('svc.replaced_statement', '', true)`);
  return { unmatched: rules.length + adjusted.length, reversed_by };
}
