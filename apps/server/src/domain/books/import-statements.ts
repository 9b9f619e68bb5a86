import { createHash } from 'node:crypto';
import { bigint, bytes, date, integer, type Queryable, recordset, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import { nextBankingDay } from '../tenants/banking-days.ts';
import { addDays } from '../tenants/calendar.ts';
import { type BankAccount, findBankAccount } from './bank-accounts.ts';
import { lockBooks } from './lock-books.ts';
import { booksRefusal } from './refuse.ts';
import { closedThrough } from './seal-books.ts';
import type { Statement, UnusableStatement } from './statement.ts';

export interface StatementFile {
  readonly bank: string;
  readonly format: string;
  readonly statements: readonly Statement[];
  readonly unusable: readonly UnusableStatement[];
  readonly user: string;
}

export interface Imported {
  readonly bank: string;
  /** Statements that are new. */
  readonly imported: number;
  readonly lines: number;
  /** Statements that were imported before, with the same content. */
  readonly known: number;
  /** Statements of other accounts, which were ignored. */
  readonly other_accounts: number;
  /** What was left out or shortened. */
  readonly notes: readonly string[];
  readonly imported_through: string;
  readonly closing_in_cents: number;
}

export interface Stored {
  readonly from: string;
  readonly to: string;
  readonly closingInCents: number;
}

/**
 * Stores the account's statements of a file, all or none of them. A statement that is stored already changes nothing.
 * Any other must follow the last one: it begins by the next banking day, and opens with the last closing balance.
 * So a line cannot be stored twice, and two equal lines of one statement are two movements.
 */
export async function importStatements(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  { bank, format, statements: all, unusable, user }: StatementFile,
): Promise<Imported> {
  await lockBooks(ctx.tx);
  const account = await findBankAccount(ctx.tx, bank);
  let last = await lastStatement(ctx.tx, account.id);
  const closed = await closedThrough(ctx.tx);
  const statements = statementsOf(account, all, unusable);
  const notes: string[] = [];
  let lines = 0;
  let known = 0;
  for (const parsed of statements) {
    requireCurrency(parsed, account);
    const statement = fromNextDay(parsed, account, last);
    if (last && statement.from <= last.to) {
      await requireKnown(ctx.tx, account, statement);
      known += 1;
      continue;
    }
    const sha256 = hashStatement(account.id, statement);
    notes.push(...(statement.notes ?? []));
    requireNext(statement, account, last);
    if (closed && statement.from <= closed.day) {
      throw refuseAtLine(
        statement,
        `the books are closed through ${closed.day}. Reopen that day first.`,
      );
    }
    await storeStatement(ctx, { account, statement, sha256, format, user });
    last = { from: statement.from, to: statement.to, closingInCents: statement.closingInCents };
    lines += statement.lines.length;
  }
  return {
    bank,
    imported: statements.length - known,
    lines,
    known,
    other_accounts: all.length + unusable.length - statements.length,
    notes,
    imported_through: last?.to ?? '',
    closing_in_cents: last?.closingInCents ?? 0,
  };
}

export function refuseAtLine({ fileLine }: { readonly fileLine: number }, reason: string) {
  return booksRefusal(`Line ${fileLine}: ${reason}`);
}

/** Selects an account's statements, because banks send the statements of all of a company's accounts in one file. */
export function statementsOf(
  { name, account_last4: last4 }: BankAccount,
  statements: readonly Statement[],
  unusable: readonly UnusableStatement[],
): readonly Statement[] {
  const isOurs = (it: { readonly account: string }) => charactersOf(it.account).endsWith(last4);
  const [bad] = unusable.filter((it) => it.account === '' || isOurs(it));
  if (bad) throw refuseAtLine(bad, bad.reason);
  const ours = statements.filter(isOurs);
  const accounts = new Set(ours.map((it) => charactersOf(it.account).replace(/^0{1,34}/, '')));
  const [first] = statements.length > 0 ? statements : unusable;
  if (accounts.size === 1 || !first) return ours;
  if (accounts.size > 1) {
    throw refuseAtLine(
      first,
      `the file has ${accounts.size} accounts that end with ${last4}. Ask the bank for a file of ${name} alone.`,
    );
  }
  const found = new Set(
    [...statements, ...unusable].map((it) => charactersOf(it.account).slice(-4)),
  );
  throw refuseAtLine(
    first,
    `the statement is of an account that ends with ${[...found].slice(0, 10).join(', ')}, but ${name} ends with ${last4}.`,
  );
}

function charactersOf(account: string): string {
  return account.replace(/[^A-Za-z0-9]/g, '');
}

export function requireCurrency(statement: Statement, { name, currency }: BankAccount): void {
  if (statement.currency === currency) return;
  throw refuseAtLine(
    statement,
    `the statement is in ${statement.currency}, but ${name} is in ${currency}.`,
  );
}

/**
 * Corrects a statement's first day. Some banks date the opening balance on the day before, so that the statement seems
 * to begin on a day that is stored. If it has no line of such a day and opens with the stored balance, it begins on
 * the day after.
 */
function fromNextDay(
  statement: Statement,
  { starts_on: startsOn }: BankAccount,
  last: Stored | undefined,
): Statement {
  const first = last ? addDays(last.to, 1) : startsOn;
  const { from, to, openingInCents, lines } = statement;
  const isLater = from < first && first <= to && lines.every(({ bookedOn }) => bookedOn >= first);
  if (!isLater || (last && last.closingInCents !== openingInCents)) return statement;
  return { ...statement, from: first };
}

const lastRow = row('last statement', { from: date, to: date, closingInCents: bigint });

function lastStatement(q: Queryable, accountId: string): Promise<Stored | undefined> {
  return q.maybe(
    lastRow,
    sql`
    select from_day as from, to_day as to, closing_in_cents
    from bank_statement where bank_account_id = ${accountId} order by to_day desc limit 1`,
  );
}

const hashRow = row('statement of the same days', { from: date, to: date, sha256: bytes });

/** Requires that a statement is stored with the same last day and content. Its first day may be stated differently. */
async function requireKnown(
  q: Queryable,
  { id, name }: BankAccount,
  statement: Statement,
): Promise<void> {
  const stored = await q.maybe(
    hashRow,
    sql`
    select from_day as from, to_day as to, sha256 from bank_statement
    where bank_account_id = ${id} and to_day >= ${statement.from}
    order by to_day = ${statement.to} desc, to_day limit 1`,
  );
  if (stored?.sha256.equals(hashStatement(id, { ...statement, from: stored.from }))) return;
  const days =
    stored && stored.from <= statement.to
      ? `the statement from ${stored.from} to ${stored.to} was imported before with another content`
      : `there are later statements, and none of ${statement.from} was imported with them`;
  throw refuseAtLine(
    statement,
    `${days}, so nothing of ${name} was changed. Ask the bank for a file of the days after that. If the bank corrected the statement, replace it: svc-admin statement replace <file> --bank ${name}.`,
  );
}

export function requireNext(
  statement: Statement,
  { name, starts_on: startsOn }: BankAccount,
  last: Stored | undefined,
): void {
  if (!last) {
    if (statement.to < startsOn) {
      throw refuseAtLine(
        statement,
        `it ends on ${statement.to}, but ${name} begins on ${startsOn}.`,
      );
    }
    if (statement.from < startsOn) {
      throw refuseAtLine(
        statement,
        `it begins on ${statement.from}, before ${name}, on ${startsOn}.`,
      );
    }
  }
  const next = nextBankingDay(last ? addDays(last.to, 1) : startsOn);
  if (statement.from > next) {
    throw refuseAtLine(
      statement,
      `it begins on ${statement.from}, but the statement of ${next} is missing. Import that one first.`,
    );
  }
  if (last && statement.openingInCents !== last.closingInCents) {
    throw refuseAtLine(
      statement,
      `it opens with ${statement.openingInCents} cents, but the one before, of ${last.to}, closed with ${last.closingInCents} cents. A statement between them is missing or wrong.`,
    );
  }
}

/** Hashes a statement's content. Line numbers of the file are left out, so that formats can differ. */
export function hashStatement(
  accountId: string,
  {
    currency,
    from,
    to,
    openingInCents,
    closingInCents,
    lines,
  }: Omit<Statement, 'account' | 'fileLine'>,
): Buffer {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([accountId, currency, from, to, openingInCents, closingInCents]));
  for (const { kind, bookedOn, amountInCents, reference, description } of lines) {
    hash.update(`\n${JSON.stringify([kind, bookedOn, amountInCents, reference, description])}`);
  }
  return hash.digest();
}

const lineRow = row('line to store', {
  id: text,
  number: integer,
  kind: text,
  booked_on: date,
  amount_in_cents: bigint,
  reference: text,
  description: text,
});

interface NewStatement {
  readonly account: BankAccount;
  readonly statement: Statement;
  readonly sha256: Buffer;
  readonly format: string;
  readonly user: string;
}

export async function storeStatement(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { account, statement, sha256, format, user }: NewStatement,
): Promise<void> {
  const id = newId('bst', now);
  const { from, to, openingInCents, closingInCents, lines } = statement;
  await tx.run(sql`
    insert into bank_statement (id, bank_account_id, from_day, to_day, opening_in_cents,
      closing_in_cents, lines, format, sha256, imported_at, imported_by)
    values (${id}, ${account.id}, ${from}, ${to}, ${openingInCents}, ${closingInCents},
      ${lines.length}, ${format}, ${sha256}, ${now}, ${user})`);
  const rows = lines.map((it, index) => ({
    id: newId('bln', now),
    number: index + 1,
    kind: it.kind,
    booked_on: it.bookedOn,
    amount_in_cents: it.amountInCents,
    reference: it.reference,
    description: it.description,
  }));
  if (rows.length === 0) return;
  await tx.run(sql`
    insert into bank_line (id, bank_account_id, statement_id, number, kind, booked_on,
      amount_in_cents, reference, description)
    select l.id, ${account.id}, ${id}, l.number, l.kind, l.booked_on, l.amount_in_cents,
      l.reference, l.description
    from ${recordset(lineRow, rows, 'l')}`);
}
