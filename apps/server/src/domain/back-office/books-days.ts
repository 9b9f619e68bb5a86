import type { BooksDayState } from '@svc/contract/operator';
import { bigint, date, instant, integer, nullable, type RowOf, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { OperatorActor } from '../access/actor.ts';
import { type ListedAccount, listBankAccounts } from '../books/bank-accounts.ts';
import { booksDay, booksToday } from '../books/books-day.ts';
import { listDays, missingStatements } from '../books/close-day.ts';
import { listExceptions } from '../books/list-exceptions.ts';
import { closedThrough } from '../books/seal-books.ts';
import { nextBankingDay, previousBankingDay } from '../tenants/banking-days.ts';
import { addDays } from '../tenants/calendar.ts';
import { mostInFile } from './money-reports.ts';
import { requireAllPartners } from './visible-partners.ts';

type OperatorCtx = Pick<Ctx<OperatorActor>, 'tx' | 'now' | 'service' | 'actor'>;

/** The most days that are listed: six weeks of banking days. */
const mostDays = 30;

/** The newest days with the state of each, what was closed or reopened, and the accounts that are compared. */
export async function readBooksDays(ctx: OperatorCtx) {
  const books = await readState(ctx);
  const { today, accounts, closed } = books;
  const seals = await closesOf(ctx);
  const open = await openItemsOf(ctx, closed);
  const days = daysOf(books, [...seals.keys()]).map((day) => {
    const seal = day <= (closed ?? '') ? seals.get(day) : undefined;
    return {
      day,
      state: stateOf(books, day),
      closed_at: seal?.closedAt.toISOString() ?? null,
      unmatched: seal?.unmatched ?? open.get(day) ?? 0,
      missing: missingStatements(accounts, day).map(({ name }) => name),
    };
  });
  return {
    today,
    closed_through: closed,
    days,
    items: await listDays(ctx.tx, 100),
    accounts: accounts.map((it) => ({
      name: it.name,
      account_last4: it.account_last4,
      ledger_account: it.ledger_account,
      starts_on: it.starts_on,
      last_day: it.imported_through,
      closing_in_cents: it.closing_in_cents,
      open_lines: it.open_lines,
    })),
  };
}

/** Reads one day: its state, what keeps it from being closed, and its statements. */
export async function readBooksDay(ctx: OperatorCtx, { day }: { readonly day: string }) {
  const books = await readState(ctx);
  const { accounts, closed } = books;
  const state = stateOf(books, day);
  const seal = (await closesOf(ctx)).get(day);
  return {
    day,
    state,
    closed_at: state === 'closed' ? (seal?.closedAt.toISOString() ?? null) : null,
    can_reopen: day === closed,
    close_first: state === 'later' ? firstOpen(closed) : null,
    missing: missingStatements(accounts, day).map(({ name }) => name),
    statements: await statementsOf(ctx, day),
  };
}

interface Filter {
  readonly bank?: string | undefined;
  readonly until?: string | undefined;
}

/** Lists everything up to a day that is not matched, with its age and the reason. */
export async function readExceptions(ctx: OperatorCtx, filter: Filter, { inFile = false } = {}) {
  requireAllPartners(ctx);
  const { items, ...sums } = await listExceptions(ctx.tx, {
    ...filter,
    today: await todayOf(ctx),
    ...(inFile && { limit: mostInFile }),
  });
  return { ...sums, items: items.map(({ pms, ...item }) => ({ ...item, partner: pms })) };
}

interface BooksState {
  readonly today: string;
  /** The last day that has ended. */
  readonly ended: string;
  readonly accounts: readonly ListedAccount[];
  /** The last closed day. */
  readonly closed: string | null;
}

async function readState(ctx: OperatorCtx): Promise<BooksState> {
  requireAllPartners(ctx);
  const accounts = await listBankAccounts(ctx.tx);
  const closed = (await closedThrough(ctx.tx))?.day ?? null;
  const yesterday = addDays(booksDay(ctx.now), -1);
  // The clocks of simulated tenants may have passed days that are in our future.
  const imported = accounts.map((it) => it.imported_through ?? '').reduce(later, '');
  const ended = ctx.service.simulator === null ? yesterday : later(yesterday, imported);
  return { today: await todayOf(ctx), ended, accounts, closed };
}

function todayOf({ tx, now, service }: OperatorCtx): Promise<string> {
  return booksToday(tx, { today: booksDay(now), isSandbox: service.simulator !== null });
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}

/** Returns a day's state. Days are closed in order, so a day after the first open one is `later`. */
function stateOf({ ended, accounts, closed }: BooksState, day: string): BooksDayState {
  if (closed !== null && day <= closed) return 'closed';
  if (day > ended) return 'not_ended';
  const first = firstOpen(closed);
  if (first !== null && first < day) return 'later';
  return missingStatements(accounts, day).length > 0 ? 'missing' : 'ready';
}

function firstOpen(closed: string | null): string | null {
  return closed === null ? null : nextBankingDay(addDays(closed, 1));
}

/** Returns the banking days back to the first one that is compared and other closed days, newest first. */
function daysOf({ today, accounts }: BooksState, closed: readonly string[]): string[] {
  const first = accounts.map(({ starts_on }) => starts_on).sort()[0];
  if (first === undefined) return [];
  const days = new Set(closed.filter((day) => day >= first));
  let day = previousBankingDay(today);
  for (let count = 0; count < mostDays && day >= first; count += 1) {
    days.add(day);
    day = previousBankingDay(addDays(day, -1));
  }
  return [...days].sort().reverse().slice(0, mostDays);
}

const closeRow = row('close of a day', {
  day: date,
  closedAt: instant,
  unmatched: integer,
});

/** Returns the newest closes by their days. A day that was closed again after it was reopened has its last close. */
async function closesOf({ tx }: OperatorCtx): Promise<Map<string, RowOf<typeof closeRow>>> {
  const rows = await tx.many(
    closeRow,
    sql`
    /* many rows: all closes, in a young database */
    select s.day, s.sealed_at as closed_at,
      jsonb_array_length(s.content::jsonb -> 'unmatched') as unmatched
    from (select * from book_seal where action = 'close' order by number desc
      limit ${2 * mostDays}) s
    -- The content is large, so it is parsed for these rows only.
    order by s.number desc`,
  );
  return new Map(rows.reverse().map((it) => [it.day, it]));
}

const openRow = row('open items of a day', { day: date, items: bigint });

/** Counts the lines and entries of each open day that are not matched. */
async function openItemsOf(
  { tx }: OperatorCtx,
  closed: string | null,
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.many(
    openRow,
    sql`
    /* many rows: what is not matched */
    /* all partners: the books are about all of them */
    select o.day, count(*) as items from (
      select l.booked_on as day from bank_line l where l.match_id is null
      union all
      select i.day from book_item i where i.match_id is null
        and i.day >= (select min(b.starts_on) from bank_account b
          where b.ledger_account = i.ledger_account)) o
    where ${closed}::date is null or o.day > ${closed}::date
    group by o.day`,
  );
  return new Map(rows.map(({ day, items }) => [day, items]));
}

const statementRow = row('statement of a day', {
  bank: text,
  ledger_account: text,
  from: date,
  to: date,
  format: text,
  opening_in_cents: bigint,
  closing_in_cents: bigint,
  lines: nullable(bigint),
  matched: nullable(bigint),
});

async function statementsOf({ tx }: OperatorCtx, day: string) {
  const rows = await tx.many(
    statementRow,
    sql`
    /* many rows: the lines of a day */
    select b.name as bank, b.ledger_account, s.from_day as from, s.to_day as to, s.format,
      s.opening_in_cents, s.closing_in_cents, l.lines, l.matched
    from bank_account b
      join bank_statement s on s.bank_account_id = b.id
        and s.from_day <= ${day}::date and s.to_day >= ${day}::date
      left join lateral (select count(*) as lines, count(k.match_id) as matched
        from bank_line k where k.statement_id = s.id and k.booked_on = ${day}::date) l on true
    order by b.name`,
  );
  return rows.map(({ lines, matched, ...it }) => ({
    ...it,
    lines: lines ?? 0,
    matched: matched ?? 0,
  }));
}
