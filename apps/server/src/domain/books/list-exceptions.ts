import { bigint, boolean, date, nullable, type Queryable, row, type Sql, sql, text } from '@svc/db';
import { type Listed, listNewest, mostListed } from '../listed.ts';
import { findBankAccount } from './bank-accounts.ts';

/** Something that one side has and the other does not confirm. */
export interface BookException {
  /** `bln_…`, or a transfer and the kind of its account: `trf_…/cash`. */
  readonly item: string;
  /** The account whose statement has the line; null for an entry of the ledger. */
  readonly bank: string | null;
  readonly ledger_account: string;
  readonly pms: string | null;
  readonly day: string;
  readonly age_in_days: number;
  readonly amount_in_cents: number;
  readonly kind: string;
  readonly reference: string;
  /** Why no rule matched it. */
  readonly why: string;
  readonly owner: string | null;
  /** The entry came after its day was closed. */
  readonly after_close: boolean;
}

export interface Exceptions extends Listed<BookException> {
  readonly count: number;
  /** The sum of lines minus the sum of entries. */
  readonly total_in_cents: number;
}

interface Filter {
  /** Limits the list to one account's statements and the entries that they are compared with. */
  readonly bank?: string | undefined;
  /** Limits the list to what was booked on or before that day. */
  readonly until?: string | undefined;
  /** The day from which ages are counted. */
  readonly today: string;
  readonly limit?: number | undefined;
}

const exceptionRow = row('exception', {
  item: text,
  bank: nullable(text),
  ledger_account: text,
  pms: nullable(text),
  day: date,
  age_in_days: bigint,
  amount_in_cents: bigint,
  kind: text,
  reference: text,
  why: text,
  owner: nullable(text),
  after_close: boolean,
});
const totalRow = row('sum of exceptions', { count: bigint, total: bigint });

/** Lists everything that is not matched, oldest first. */
export async function listExceptions(
  q: Queryable,
  { bank, until, today, limit = mostListed }: Filter,
): Promise<Exceptions> {
  const account = bank === undefined ? undefined : await findBankAccount(q, bank);
  const filter = {
    bankAccountId: account?.id ?? null,
    ledgerAccount: account?.ledger_account ?? null,
    until: until ?? null,
  };
  const rows = await q.many(
    exceptionRow,
    sql`
    /* many rows: all that is not matched */
    /* all partners */
    select e.item, e.bank, e.ledger_account, e.pms, e.day, (${today}::date - e.day)::int8 as age_in_days,
      e.amount_in_cents, e.kind, e.reference, ${whyOpen} as why, o.owner, e.after_close
    from (select * from (${openLines(filter)} union all ${openEntries(filter)}) u
        order by u.day, u.item limit ${limit + 1}) e
      -- For the listed ones only, because a reference can have many entries.
      left join lateral (${otherAmounts}) x on true
      left join book_owner o on o.item = e.item
    order by e.day, e.item`,
  );
  const { count, total } = await q.one(
    totalRow,
    sql`
    /* many rows: all that is not matched */
    /* all partners */
    select count(*) as count,
      coalesce(sum(case when e.bank is null then -e.amount_in_cents else e.amount_in_cents end), 0)::int8
        as total
    from (${openLines(filter)} union all ${openEntries(filter)}) e`,
  );
  return { ...listNewest(rows, limit), count, total_in_cents: total };
}

interface ItemFilter {
  readonly bankAccountId: string | null;
  readonly ledgerAccount: string | null;
  readonly until: string | null;
}

/** An amount formatted for people: "−$1,234.50". */
const sumInWords = sql`case when k.amount_in_cents < 0 then '−' else '' end || '$'
  || to_char(abs(k.amount_in_cents) / 100.0, 'FM999,999,999,999,990.00')`;

/** The amounts that the other side has for the reference of the item `e`, in words. */
const otherAmounts = sql`
  select case when e.bank is null
    then (select string_agg(${sumInWords}, ', ' order by k.id)
      from bank_line k join bank_account b on b.id = k.bank_account_id
      where k.reference = e.reference and k.reference <> ''
        and b.ledger_account = e.ledger_account)
    else (/* all partners */ select string_agg(${sumInWords}, ', ' order by k.transfer_id)
      from book_item k where k.reference = e.reference and k.ledger_account = e.ledger_account
        and e.reference <> '')
    end as amounts`;

/** The reason why the line or entry `e` is not matched, as a sentence. */
const whyOpen = sql`
  case
    when e.bank is null and x.amounts is not null
      then 'The statements have other amounts for this reference: ' || x.amounts || '.'
    when e.bank is null and e.kind = 'books_adjustment' then 'The adjustment was unmatched.'
    when e.bank is null then 'No statement has this reference.'
    when e.reference = '' then 'The line has no reference, and no single entry has its amount.'
    -- Not "exists", for which PostgreSQL may take the index of all matched lines.
    when (select bool_or(k.match_id is not null) from bank_line k
        where k.reference = e.reference and k.reference <> '' and k.id <> e.item
          and k.amount_in_cents = e.amount_in_cents)
      then 'Another line with this reference and amount is matched: it may be doubled.'
    when x.amounts is not null
      then 'The ledger has other amounts for this reference: ' || x.amounts || '.'
    else 'The ledger has nothing with this reference.'
  end`;

function openLines({ bankAccountId, until }: ItemFilter): Sql {
  return sql`
    select l.id as item, b.name as bank, b.ledger_account, null::text as pms, l.booked_on as day,
      l.amount_in_cents, l.kind, l.reference, false as after_close
    from bank_line l join bank_account b on b.id = l.bank_account_id
    where l.match_id is null
      and (${bankAccountId}::text is null or l.bank_account_id = ${bankAccountId})
      and (${until}::date is null or l.booked_on <= ${until}::date)`;
}

function openEntries({ ledgerAccount, until }: ItemFilter): Sql {
  return sql`
    select i.transfer_id || '/' || i.ledger_account as item, null::text as bank, i.ledger_account,
      p.pms, i.day, i.amount_in_cents, i.kind, i.reference, i.after_close is not null as after_close
    from book_item i join partner p on p.id = i.partner_id
    where i.match_id is null
      and i.day >= (select min(b.starts_on) from bank_account b
        where b.ledger_account = i.ledger_account)
      and (${ledgerAccount}::text is null or i.ledger_account = ${ledgerAccount})
      and (${until}::date is null or i.day <= ${until}::date)`;
}
