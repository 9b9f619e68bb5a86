import { bigint, bytes, date, type Queryable, row, sql, type Tx, text } from '@svc/db';
import type { Vault } from '@svc/runtime';
import { followChain } from '../sealed-chain.ts';
import { type ComparedAccount, comparedAccounts } from './bank-accounts.ts';
import { booksToday } from './books-day.ts';
import { type ClosedBooks, hashMatches } from './close-day.ts';
import { hashStatement } from './import-statements.ts';
import { type Exceptions, listExceptions } from './list-exceptions.ts';
import { booksChain, closedThrough } from './seal-books.ts';
import { type LineKind, lineKinds } from './statement.ts';

/** One kind of ledger accounts, and the statements that it is compared with. In cents. */
interface Side {
  readonly ledger_account: ComparedAccount;
  /** The movement since the accounts began, by the ledger. */
  readonly ledger_in_cents: number;
  /** The movement by the statements. */
  readonly statements_in_cents: number;
  /** The lines and entries that nothing confirms. They explain the whole difference. */
  readonly open_lines: number;
  readonly open_lines_in_cents: number;
  readonly open_entries: number;
  readonly open_entries_in_cents: number;
}

/** The processor's deposits on their way to the bank, by what confirms them. In cents. */
export interface Deposits {
  readonly ledger_in_cents: number;
  readonly processor_in_cents: number;
  readonly bank_in_cents: number;
}

export interface BooksReport {
  readonly closed_through: string | null;
  readonly seals: number;
  /** Number and hash of the last seal. Noted elsewhere, they show later that none was cut off. */
  readonly last_seal: string | null;
  readonly statements: number;
  readonly sides: readonly Side[];
  readonly deposits: Deposits;
  readonly exceptions: Exceptions;
  /** Something was changed past the service, in sentences. Exceptions are no faults. */
  readonly faults: readonly string[];
}

interface Deps {
  readonly vault: Pick<Vault, 'digests'>;
  readonly today: string;
  readonly isSandbox?: boolean;
}

/**
 * Compares three sides: our ledger, the processor and the bank. Also checks that nothing was changed
 * past the service: the chain of closed days, every statement, every match and every copied entry.
 */
export async function verifyBooks(
  q: Tx,
  { vault, today, isSandbox = false }: Deps,
): Promise<BooksReport> {
  // One snapshot for all statements: the service keeps posting and matching.
  await q.run(sql`set transaction isolation level repeatable read, read only`);
  const chain = await verifySeals(q, vault);
  const statements = await verifyStatements(q);
  const faults = [
    ...chain.faults,
    ...statements.faults,
    ...(await changedItems(q)),
    ...(await unbalancedMatches(q)),
  ];
  const sides = [];
  for (const account of comparedAccounts) {
    const side = await compareSide(q, account);
    const explained =
      side.statements_in_cents - side.open_lines_in_cents ===
      side.ledger_in_cents - side.open_entries_in_cents;
    if (!explained) faults.push(`The matches of ${account} do not explain its difference.`);
    sides.push(side);
  }
  return {
    closed_through: (await closedThrough(q))?.day ?? null,
    seals: chain.seals,
    last_seal: chain.last,
    statements: statements.count,
    sides,
    deposits: await compareDeposits(q),
    faults,
    exceptions: await listExceptions(q, { today: await booksToday(q, { today, isSandbox }) }),
  };
}

async function verifySeals(q: Queryable, vault: Pick<Vault, 'digests'>) {
  const reopened = new Set<number>();
  const closes: { number: number; day: string; content: string }[] = [];
  const chain = await followChain(q, booksChain, {
    vault,
    async checked({ number, action, day, content }) {
      if (action === 'close') closes.push({ number, day: day ?? '', content });
      if (action === 'reopen') reopened.add(closes.findLast((it) => it.day === day)?.number ?? 0);
      return [];
    },
  });
  const { seals, sha256, signed } = chain;
  const faults = [...chain.faults];
  if (signed < seals) {
    faults.push(
      `No key in SVC_SECRET_KEY has signed the last seal of the books, ${seals}. Add the key that was the first one then; if there is none, the seals were forged.`,
    );
  }
  for (const { number, day, content } of closes) {
    if (reopened.has(number)) continue;
    faults.push(
      ...(await compareClose(q, { number, day, books: JSON.parse(content) as ClosedBooks })),
    );
  }
  return { faults, seals, last: seals === 0 ? null : `${seals} ${sha256.toString('hex')}` };
}

const hashRow = row('sealed hash', { id: text, sha256: text });

/** Compares a closed day with what is stored now. */
async function compareClose(
  q: Queryable,
  { number, day, books }: { number: number; day: string; books: ClosedBooks },
): Promise<string[]> {
  const faults: string[] = [];
  if ((await hashMatches(q, number)) !== books.matches_sha256) {
    faults.push(`The matches of ${day} are not those that were closed.`);
  }
  const stored = await q.many(
    hashRow,
    sql`
    select id, encode(sha256, 'hex') as sha256 from bank_statement
    where id = any(${books.statements.map(([id]) => id)}::text[])`,
  );
  const hashes = new Map(stored.map((it) => [it.id, it.sha256]));
  if (books.statements.some(([id, sha256]) => hashes.get(id) !== sha256)) {
    faults.push(`A statement of ${day} is not the one that was closed.`);
  }
  const seals = await q.many(
    hashRow,
    sql`
    /* all partners */
    select s.partner_id as id, encode(s.sha256, 'hex') as sha256
    from unnest(${books.cuts.map(([id]) => id)}::text[],
        ${books.cuts.map(([, seal]) => seal)}::bigint[]) as c(partner_id, number)
      join ledger_seal s on s.partner_id = c.partner_id and s.number = c.number`,
  );
  const ledgers = new Map(seals.map((it) => [it.id, it.sha256]));
  if (books.cuts.some(([id, , sha256]) => (ledgers.get(id) ?? '') !== sha256)) {
    faults.push(`The ledger at the close of ${day} is not the one that was closed.`);
  }
  return faults;
}

const statementRow = row('statement to verify', {
  id: text,
  bankAccountId: text,
  name: text,
  currency: text,
  from: date,
  to: date,
  openingInCents: bigint,
  closingInCents: bigint,
  sha256: bytes,
});
const lineRow = row('line to verify', {
  kind: text,
  bookedOn: date,
  amountInCents: bigint,
  reference: text,
  description: text,
});

async function verifyStatements(q: Queryable): Promise<{ faults: string[]; count: number }> {
  const statements = await q.many(
    statementRow,
    sql`
    /* many rows: a check of all closed days */
    select s.id, s.bank_account_id, b.name, b.currency, s.from_day as from,
      s.to_day as to, s.opening_in_cents, s.closing_in_cents,
      s.sha256
    from bank_statement s join bank_account b on b.id = s.bank_account_id
    order by b.name, s.from_day`,
  );
  const faults: string[] = [];
  let before: (typeof statements)[number] | undefined;
  for (const it of statements) {
    const rows = await q.many(
      lineRow,
      sql`
      select kind, booked_on, amount_in_cents, reference,
        description
      from bank_line where statement_id = ${it.id} order by number`,
    );
    const lines = rows.map((line) => ({ ...line, kind: kindOf(line.kind), fileLine: 0 }));
    if (!hashStatement(it.bankAccountId, { ...it, lines }).equals(it.sha256)) {
      faults.push(`The statement of ${it.name} from ${it.from} to ${it.to} was changed.`);
    }
    if (before?.bankAccountId === it.bankAccountId && before.closingInCents !== it.openingInCents) {
      faults.push(`The statement of ${it.name} from ${it.from} does not follow the one before it.`);
    }
    before = it;
  }
  return { faults, count: statements.length };
}

function kindOf(kind: string): LineKind {
  return lineKinds.find((it) => it === kind) ?? 'entry';
}

const changedRow = row('changed item', { item: text });

/** Finds copied entries that differ from the ledger, and entries of sealed transfers that were not copied. */
async function changedItems(q: Queryable): Promise<string[]> {
  const rows = await q.many(
    changedRow,
    sql`
    /* many rows: a check of all closed days */
    /* all partners */
    -- A cluster cannot join the tables of the ledger with those of the books, which are on the coordinator.
    with cut as materialized (
      select partner_id, seal_number from book_cut
    ), ledger as materialized (
      select e.partner_id, e.transfer_id, e.account_id, a.kind, e.amount_in_cents
      from ledger_entry e
        join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
          and a.kind in ('cash', 'processor_clearing')
        join cut c on c.partner_id = e.partner_id
      where not exists (select from ledger_unsealed u
          where u.partner_id = e.partner_id and u.transfer_id = e.transfer_id)
        and not exists (select from ledger_seal s where s.partner_id = e.partner_id
          and s.number > c.seal_number and e.transfer_id = any(s.transfer_ids))
    ), more as materialized (
      select i.partner_id, i.transfer_id, i.account_id, i.ledger_account, i.amount_in_cents
      from book_item i left join ledger l on l.partner_id = i.partner_id
        and l.transfer_id = i.transfer_id and l.account_id = i.account_id
      where l.transfer_id is null
    ), adjustment as materialized (
      -- An adjustment is copied at once, before its seal.
      select e.partner_id, e.transfer_id, e.account_id, e.amount_in_cents
      from ledger_entry e join more m on m.partner_id = e.partner_id
        and m.transfer_id = e.transfer_id and m.account_id = e.account_id
    )
    select l.transfer_id || '/' || l.kind as item
    from ledger l left join book_item i on i.partner_id = l.partner_id
      and i.transfer_id = l.transfer_id and i.account_id = l.account_id
    where i.transfer_id is null or i.amount_in_cents <> l.amount_in_cents
    union all
    select m.transfer_id || '/' || m.ledger_account
    from more m left join adjustment a on a.partner_id = m.partner_id
      and a.transfer_id = m.transfer_id and a.account_id = m.account_id
    where a.transfer_id is null or a.amount_in_cents <> m.amount_in_cents
    order by 1 limit 20`,
  );
  return rows.map((it) => `The copied entry ${it.item} differs from the ledger.`);
}

const matchRow = row('match that is off', { id: text, lines: bigint, items: bigint });

async function unbalancedMatches(q: Queryable): Promise<string[]> {
  const rows = await q.many(
    matchRow,
    sql`
    /* many rows: a check of all closed days */
    /* all partners */
    select id, lines, items from (
      select m.id,
        coalesce((select sum(l.amount_in_cents) from bank_line l where l.match_id = m.id), 0)::int8
          as lines,
        coalesce((select sum(i.amount_in_cents) from book_item i where i.match_id = m.id), 0)::int8
          as items,
        (select count(*) from bank_line l where l.match_id = m.id)
          + (select count(*) from book_item i where i.match_id = m.id) as count
      from book_match m) t
    where lines <> items or count < 2 order by id limit 20`,
  );
  return rows.map(
    (it) => `The match ${it.id} has lines of ${it.lines} cents and entries of ${it.items} cents.`,
  );
}

const sideRow = row('side', {
  ledger_in_cents: bigint,
  statements_in_cents: bigint,
  open_lines: bigint,
  open_lines_in_cents: bigint,
  open_entries: bigint,
  open_entries_in_cents: bigint,
});

async function compareSide(q: Queryable, account: ComparedAccount): Promise<Side> {
  const found = await q.one(
    sideRow,
    sql`
    /* many rows: a check of all closed days */
    /* all partners */
    with item as (
      select i.amount_in_cents, i.match_id from book_item i
      where i.ledger_account = ${account} and i.day >= (
        select min(b.starts_on) from bank_account b where b.ledger_account = ${account})
    ), line as (
      select l.amount_in_cents, l.match_id
      from bank_line l join bank_account b on b.id = l.bank_account_id
      where b.ledger_account = ${account}
    )
    select i.total as ledger_in_cents, l.total as statements_in_cents, l.open as open_lines,
      l.open_total as open_lines_in_cents, i.open as open_entries,
      i.open_total as open_entries_in_cents
    from (select coalesce(sum(amount_in_cents), 0)::int8 as total,
        count(*) filter (where match_id is null) as open,
        coalesce(sum(amount_in_cents) filter (where match_id is null), 0)::int8 as open_total
      from item) i,
      (select coalesce(sum(amount_in_cents), 0)::int8 as total,
        count(*) filter (where match_id is null) as open,
        coalesce(sum(amount_in_cents) filter (where match_id is null), 0)::int8 as open_total
      from line) l`,
  );
  return { ledger_account: account, ...found };
}

const depositsRow = row('deposits', {
  ledger_in_cents: bigint,
  processor_in_cents: bigint,
  bank_in_cents: bigint,
});

function compareDeposits(q: Queryable): Promise<Deposits> {
  return q.one(
    depositsRow,
    sql`
    /* many rows: a check of all closed days */
    /* all partners */
    select coalesce(sum(i.amount_in_cents) filter (where i.ledger_account = 'cash'), 0)::int8
        as ledger_in_cents,
      coalesce(-sum(i.amount_in_cents) filter (
        where i.ledger_account = 'processor_clearing' and i.match_id is not null), 0)::int8
        as processor_in_cents,
      coalesce(sum(i.amount_in_cents) filter (
        where i.ledger_account = 'cash' and i.match_id is not null), 0)::int8 as bank_in_cents
    from book_item i
    where i.kind = 'deposit' and i.day >= (select min(starts_on) from bank_account)`,
  );
}
