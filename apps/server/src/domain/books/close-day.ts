import { createHash } from 'node:crypto';
import { bigint, bytes, date, listOf, nullable, type Queryable, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { nextBankingDay, previousBankingDay } from '../tenants/banking-days.ts';
import { addDays } from '../tenants/calendar.ts';
import { type ListedAccount, listBankAccounts } from './bank-accounts.ts';
import { booksDay, booksToday } from './books-day.ts';
import { collectItems } from './collect-items.ts';
import { type BookException, listExceptions } from './list-exceptions.ts';
import { lockBooks } from './lock-books.ts';
import { type Matched, runMatchRules } from './match-rules.ts';
import { booksRefusal } from './refuse.ts';
import { appendBookSeal, closedThrough } from './seal-books.ts';
import { trialBalance } from './trial-balance.ts';

type BooksCtx = Pick<Ctx, 'tx' | 'now' | 'service'>;

/** The part of a seal that describes a closed day. */
export interface ClosedBooks {
  /** The last seal of each partner's ledger: transfers in later seals are not in these books. */
  readonly cuts: readonly (readonly [partnerId: string, seal: number, sha256: string])[];
  readonly statements: readonly (readonly [id: string, sha256: string])[];
  /** Cents by kind of account, of transfers of the day and before. */
  readonly trial_balance: Readonly<Record<string, number>>;
  /** The number of matches that this close made final, and their hash. */
  readonly matches: number;
  readonly matches_sha256: string;
  readonly unmatched: readonly Pick<BookException, 'item' | 'day' | 'amount_in_cents' | 'why'>[];
  /** Entries that were posted after their day was closed. */
  readonly after_close: readonly string[];
}

export interface ClosedDay {
  readonly day: string;
  readonly seal: number;
  readonly sha256: string;
  readonly matched: Matched;
  readonly unmatched: readonly BookException[];
  readonly after_close: readonly string[];
}

/** The most items that a day may leave open. More would mean a wrong file or account, not a list to work through. */
const mostUnmatched = 10_000;

/** Collects what was posted and runs the match rules. */
export async function reconcile(ctx: BooksCtx): Promise<Matched & { readonly collected: number }> {
  await lockBooks(ctx.tx);
  const collected = await collectItems(ctx);
  return { ...(await runMatchRules(ctx)), collected };
}

/**
 * Freezes a day and all before it: the matches, the statements, the ledger up to a seal of each partner
 * and the list of what is unmatched, in a chain of seals. A payment that commits during the close is in a later
 * seal of its partner's ledger, so it belongs to the next close, which lists it if it is of this day.
 */
export async function closeDay(ctx: BooksCtx, day: string): Promise<ClosedDay> {
  const { tx, now } = ctx;
  await lockBooks(tx);
  await requireClosable(ctx, day);
  await collectItems(ctx);
  const matched = await runMatchRules(ctx);
  const { items: unmatched, count } = await listExceptions(tx, {
    until: day,
    today: await booksToday(tx, {
      today: booksDay(now),
      isSandbox: ctx.service.simulator !== null,
    }),
    limit: mostUnmatched,
  });
  if (count > mostUnmatched) {
    throw booksRefusal(
      `${count} items are not matched, more than the ${mostUnmatched} that a day may leave open. Check that the right files were imported.`,
    );
  }
  const last = await closedThrough(tx);
  const number = await nextNumber(tx);
  const matches = await tx.run(sql`
    /* all partners */
    update book_match m set closed_by = ${number} where m.closed_by is null
      and not exists (select from bank_line l where l.match_id = m.id and l.booked_on > ${day}::date)
      and not exists (select from book_item i where i.match_id = m.id and i.day > ${day}::date)`);
  const late = await tx.many(
    itemRow,
    sql`
    /* all partners */
    select i.transfer_id || '/' || i.ledger_account as item from book_item i
    where i.after_close = ${last?.day ?? null}::date order by i.transfer_id, i.ledger_account`,
  );
  const after_close = late.map((it) => it.item);
  const { lines } = await trialBalance(ctx, day);
  const books: ClosedBooks = {
    cuts: (await tx.many(cutRow, cutsOfLedgers)).map((it) => [it.id, it.number, it.sha256]),
    statements: (await tx.many(statementRow, statementsSince(last?.day ?? null, day))).map((it) => [
      it.id,
      it.sha256.toString('hex'),
    ]),
    trial_balance: Object.fromEntries(
      lines.map((it) => [it.kind, it.debit_in_cents - it.credit_in_cents]),
    ),
    matches,
    matches_sha256: await hashMatches(tx, number),
    after_close,
    unmatched: unmatched.map((it) => ({
      item: it.item,
      day: it.day,
      amount_in_cents: it.amount_in_cents,
      why: it.why,
    })),
  };
  const content = JSON.stringify(books);
  const seal = await appendBookSeal(ctx, { action: 'close', day, content });
  return {
    day,
    seal: seal.number,
    sha256: seal.sha256.toString('hex'),
    matched,
    unmatched,
    after_close,
  };
}

const itemRow = row('late item', { item: text });
const numberRow = row('next seal of the books', { number: bigint });

async function nextNumber(q: Queryable): Promise<number> {
  const { number } = await q.one(
    numberRow,
    sql`select coalesce(max(number), 0) + 1 as number from book_seal`,
  );
  return number;
}

const cutRow = row('cut of a ledger', { id: text, number: bigint, sha256: text });
const cutsOfLedgers = sql`
  /* many rows: a day of the books */
  /* all partners */
  -- A cluster cannot join the seals with the cuts, which are on the coordinator.
  with seal as materialized (
    select partner_id, number, sha256 from ledger_seal
    where (partner_id, number) in (select partner_id, seal_number from book_cut)
  )
  select c.partner_id as id, c.seal_number as number,
    coalesce(encode(s.sha256, 'hex'), '') as sha256
  from book_cut c left join seal s on s.partner_id = c.partner_id and s.number = c.seal_number
  order by c.partner_id collate "C"`;

const statementRow = row('statement of a closed day', { id: text, sha256: bytes });
const statementsSince = (after: string | null, day: string) => sql`
  /* many rows: a day of the books */
  select id, sha256 from bank_statement
  where (${after}::date is null or to_day > ${after}::date) and from_day <= ${day}::date
  order by id collate "C"`;

async function requireClosable({ tx, now, service }: BooksCtx, day: string): Promise<void> {
  const accounts = await listBankAccounts(tx);
  if (day >= booksDay(now)) {
    const notEnded = `${day} has not ended in New York. Close it on the next day`;
    if (!service.simulator) throw booksRefusal(`${notEnded}.`);
    // The clocks of simulated tenants may have passed days that are in our future.
    const isSimulated = accounts.some((it) => (it.imported_through ?? '') >= day);
    if (!isSimulated) {
      throw booksRefusal(
        `${notEnded}, or simulate it: import a statement that "svc-admin statement simulate" writes for it.`,
      );
    }
  }
  if (accounts.length === 0) {
    throw booksRefusal('There is no account to compare with. Add one with "svc-admin bank add".');
  }
  const last = await closedThrough(tx);
  if (last && day <= last.day) {
    throw booksRefusal(
      `The books are closed through ${last.day}. Reopen that day to close it again.`,
    );
  }
  const skipped = last && nextBankingDay(addDays(last.day, 1));
  if (skipped && skipped < day)
    throw booksRefusal(`Close ${skipped} first: days are closed in order.`);
  const [account] = missingStatements(accounts, day);
  if (!account) return;
  const { name, imported_through } = account;
  const through =
    imported_through === null ? 'none is imported' : `the last one ends on ${imported_through}`;
  throw booksRefusal(
    `The statement of ${name} for ${previousBankingDay(day)} is missing (${through}). Import it first: svc-admin statement import <file> --bank ${name}.`,
  );
}

/** The accounts that need a statement before the day can be closed. */
export function missingStatements(
  accounts: readonly ListedAccount[],
  day: string,
): readonly ListedAccount[] {
  const needed = previousBankingDay(day);
  return accounts.filter(
    ({ starts_on, imported_through }) => starts_on <= needed && (imported_through ?? '') < needed,
  );
}

const matchRow = row('closed match', {
  id: text,
  rule: text,
  reason: text,
  matched_by: text,
  lines: listOf(text),
  items: listOf(text),
});

/** Hashes the matches that a close made final, with their items. */
export async function hashMatches(q: Queryable, number: number): Promise<string> {
  const matches = await q.many(
    matchRow,
    sql`
    /* many rows: a day of the books */
    /* all partners */
    select m.id, m.rule, m.reason, m.matched_by, coalesce(l.lines, '{}') as lines,
      coalesce(i.items, '{}') as items
    from book_match m
      left join lateral (select array_agg(k.id order by k.id collate "C") as lines
        from bank_line k where k.match_id = m.id) l on true
      left join lateral (select array_agg(k.transfer_id || '/' || k.ledger_account
          order by k.transfer_id collate "C", k.ledger_account) as items
        from book_item k where k.match_id = m.id) i on true
    where m.closed_by = ${number} order by m.id collate "C"`,
  );
  const hash = createHash('sha256');
  for (const it of matches) {
    hash.update(
      `${JSON.stringify([it.id, it.rule, it.reason, it.matched_by, it.lines, it.items])}\n`,
    );
  }
  return hash.digest('hex');
}

/** Opens the last closed day, so that its matches can be undone and its files imported. */
export async function reopenDay(
  ctx: BooksCtx,
  { day, reason, user }: { readonly day: string; readonly reason: string; readonly user: string },
): Promise<{ day: string; seal: number; closed_through: string | null }> {
  const { tx } = ctx;
  await lockBooks(tx);
  const last = await closedThrough(tx);
  if (!last) throw booksRefusal('No day is closed.');
  if (last.day !== day) {
    throw booksRefusal(`The last closed day is ${last.day}. Only that one can be reopened.`);
  }
  const seal = await appendBookSeal(ctx, {
    action: 'reopen',
    day,
    content: JSON.stringify({ reason, user, closed_by: last.number }),
  });
  await tx.run(sql`update book_match set closed_by = null where closed_by = ${last.number}`);
  const before = await closedThrough(tx);
  return { day, seal: seal.number, closed_through: before?.day ?? null };
}

export interface DayLine {
  readonly number: number;
  readonly action: string;
  readonly day: string | null;
  readonly sealed_at: string;
}

const dayRow = row('closed or reopened day', {
  number: bigint,
  action: text,
  day: nullable(date),
  at: text,
});

/** Lists the newest closes and reopenings. */
export async function listDays(q: Queryable, limit: number): Promise<DayLine[]> {
  const rows = await q.many(
    dayRow,
    sql`
    select number, action, day,
      to_char(sealed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at
    from book_seal order by number desc limit ${limit}`,
  );
  return rows.map(({ at, ...it }) => ({ ...it, sealed_at: at }));
}
