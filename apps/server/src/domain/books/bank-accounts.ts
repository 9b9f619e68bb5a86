import { bigint, date, nullable, oneOf, type Queryable, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import { Refusal } from '../refusal.ts';
import { lockBooks } from './lock-books.ts';
import { booksRefusal } from './refuse.ts';
import { closedThrough } from './seal-books.ts';

/** The kinds of ledger accounts that somebody else keeps a statement of. */
export const comparedAccounts = ['cash', 'processor_clearing'] as const;
export type ComparedAccount = (typeof comparedAccounts)[number];

export interface NewBankAccount {
  readonly name: string;
  readonly currency: string;
  readonly account_last4: string;
  readonly ledger_account: ComparedAccount;
  /** The first day that is compared. */
  readonly starts_on: string;
}

export interface BankAccount extends NewBankAccount {
  readonly id: string;
}

const columns = {
  id: text,
  name: text,
  currency: text,
  account_last4: text,
  ledger_account: oneOf(...comparedAccounts),
  starts_on: date,
};
const accountRow = row('bank account', columns);

/** Registers an account at a bank, or our balance at a processor. */
export async function addBankAccount(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  input: NewBankAccount,
): Promise<BankAccount> {
  if (input.currency !== 'USD') {
    throw booksRefusal(`The ledger is in USD, so it cannot be compared with ${input.currency}.`);
  }
  await lockBooks(ctx.tx);
  const closed = await closedThrough(ctx.tx);
  if (closed && input.starts_on <= closed.day) {
    throw booksRefusal(
      `The books are closed through ${closed.day}. Begin on a later day, or reopen that day first.`,
    );
  }
  const id = newId('bac', ctx.now);
  const added = await ctx.tx.run(sql`
    insert into bank_account (id, name, currency, account_last4, ledger_account, starts_on,
      created_at)
    values (${id}, ${input.name}, ${input.currency}, ${input.account_last4},
      ${input.ledger_account}, ${input.starts_on}, ${ctx.now})
    on conflict (name) do nothing`);
  if (added === 0) throw booksRefusal(`There is an account ${input.name} already.`);
  return { id, ...input };
}

/** Finds an account by its name. @throws Refusal that names the existing accounts */
export async function findBankAccount(q: Queryable, name: string): Promise<BankAccount> {
  const found = await q.maybe(
    accountRow,
    sql`
    select id, name, currency, account_last4, ledger_account, starts_on from bank_account
    where name = ${name}`,
  );
  if (found) return found;
  const known = (await listBankAccounts(q)).map((it) => it.name).join(', ');
  const message = `There is no account ${name}. ${known === '' ? 'Add it with "svc-admin bank add".' : `There are: ${known}.`}`;
  throw new Refusal('not_found', { message });
}

export interface ListedAccount extends BankAccount {
  /** The last day of its statements; null before the first one. */
  readonly imported_through: string | null;
  readonly closing_in_cents: number | null;
  readonly open_lines: number;
}

const listedRow = row('listed bank account', {
  ...columns,
  imported_through: nullable(date),
  closing_in_cents: nullable(bigint),
  open_lines: bigint,
});

export function listBankAccounts(q: Queryable): Promise<ListedAccount[]> {
  return q.many(
    listedRow,
    sql`
    /* many rows: counts the open lines */
    select b.id, b.name, b.currency, b.account_last4, b.ledger_account, b.starts_on,
      s.to_day as imported_through, s.closing_in_cents,
      (select count(*) from bank_line l where l.bank_account_id = b.id and l.match_id is null)
        as open_lines
    from bank_account b left join lateral (
      select to_day, closing_in_cents from bank_statement
      where bank_account_id = b.id order by to_day desc limit 1) s on true
    order by b.name`,
  );
}
