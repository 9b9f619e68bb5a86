import { bigint, row, type Sql, sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { kindsWith } from '../payments/processor-records.ts';
import { type ComparedAccount, comparedAccounts } from './bank-accounts.ts';

type BooksCtx = Pick<Ctx, 'tx' | 'now' | 'service'>;

/** The number of matches that each rule made. */
export interface Matched {
  readonly reference: number;
  readonly same_reference: number;
  readonly amount: number;
  readonly batch: number;
}

/** How far apart a line and its entry may be: a bank may book some days after us, or before the portal reports it. */
const windowDays = 5;

/** An amount that more lines or entries than these share is no evidence, and comparing all pairs takes long. */
const mostOfAmount = 50;

/**
 * Matches what can be matched without doubt, and stores the reason with each match. First by reference,
 * amount and sign; then all of a reference whose sums agree; then a line that is the sum of a day's
 * deposits or debits; then by an amount that nothing else has in these days. The last two leave out what the
 * other side names by reference with another amount: that is an error, not a coincidence. The caller has
 * locked the books and collected the items.
 */
export async function runMatchRules(ctx: BooksCtx): Promise<Matched> {
  const { processorRecords } = ctx.service;
  const refusals = ['refund_refused', ...kindsWith(processorRecords, 'takesBack')];
  const batches = [
    'deposit',
    'settlement_arrived',
    'books_adjustment',
    ...kindsWith(processorRecords, 'isBookedByDay'),
  ];
  const total = { reference: 0, same_reference: 0, amount: 0, batch: 0 };
  for (const account of comparedAccounts) {
    total.reference += await writeMatches(ctx, byReference(account));
    total.same_reference += await writeMatches(ctx, bySameReference(account, refusals));
    // The same day goes first: with the same rent every day, yesterday's deposit has the same amount.
    for (const days of [0, windowDays]) {
      total.batch += await writeMatches(ctx, byBatch(account, days, batches));
      total.amount += await writeMatches(ctx, byAmount(account, days));
    }
  }
  return total;
}

const countRow = row('matches made', { count: bigint });

/**
 * Writes the matches that a rule found, in one statement.
 * @param found rows with a match's id, bank account, rule, reason, and its lines and items as arrays
 */
async function writeMatches({ tx, now }: Pick<Ctx, 'tx' | 'now'>, found: Sql): Promise<number> {
  const { count } = await tx.one(
    countRow,
    sql`
    /* many rows: all open items */
    /* all partners */
    with found as materialized (${found}),
    made as (
      insert into book_match (id, bank_account_id, rule, reason, matched_at, matched_by)
      select id, bank_account_id, rule, reason, ${now}, 'rules' from found
      returning 1
    ), lines as (
      update bank_line l set match_id = f.id
      from (select id, unnest(line_ids) as line_id from found) f where l.id = f.line_id
    ), items as (
      update book_item i set match_id = f.id
      from (select id, account, unnest(partner_ids) as partner_id,
          unnest(transfer_ids) as transfer_id from found) f
      where i.partner_id = f.partner_id and i.transfer_id = f.transfer_id
        and i.ledger_account = f.account
    )
    select count(*) from made`,
  );
  return count;
}

const openLines = (account: ComparedAccount) => sql`
  select l.id, l.bank_account_id, l.reference, l.amount_in_cents, l.booked_on
  from bank_line l join bank_account b on b.id = l.bank_account_id
  where l.match_id is null and b.ledger_account = ${account}`;

const openItems = (account: ComparedAccount) => sql`
  /* all partners */
  select i.partner_id, i.transfer_id, i.kind, i.reference, i.amount_in_cents, i.day
  from book_item i
  where i.match_id is null and i.ledger_account = ${account} and i.day >= (
    select min(b.starts_on) from bank_account b where b.ledger_account = ${account})`;

function byReference(account: ComparedAccount): Sql {
  // Of several equal lines, each takes one entry, so a line that is doubled stays open.
  return sql`
    select 'mat_' || substr(l.id, 5) as id, l.bank_account_id, 'reference' as rule,
      'Reference, amount and sign agree.' as reason, ${account} as account,
      array[l.id] as line_ids, array[i.partner_id] as partner_ids,
      array[i.transfer_id] as transfer_ids
    from (select *, row_number() over (partition by reference, amount_in_cents
            order by booked_on, id) as place
          from (${openLines(account)}) l where reference <> '') l
      join (select *, row_number() over (partition by reference, amount_in_cents
              order by day, transfer_id) as place
            from (${openItems(account)}) i) i
        on i.reference = l.reference and i.amount_in_cents = l.amount_in_cents
          and i.place = l.place`;
}

/**
 * Matches several lines of one refund, or several entries of one debit. Without a line, only a refund and its
 * refusal match, because the processor reports neither.
 */
function bySameReference(account: ComparedAccount, refusals: readonly string[]): Sql {
  return sql`
    select 'mat_' || substr(coalesce(l.id, i.id), 5) as id,
      coalesce(l.bank_account_id,
        (select min(b.id) from bank_account b where b.ledger_account = ${account}))
        as bank_account_id,
      'same_reference' as rule,
      case when l.id is null then 'The refund and its refusal cancel out.'
        else coalesce(cardinality(l.ids), 0) || ' lines and ' || cardinality(i.transfer_ids)
          || ' entries of one reference have the same sum.' end as reason,
      ${account} as account,
      coalesce(l.ids, '{}') as line_ids, i.partner_ids, i.transfer_ids
    from (select reference, sum(amount_in_cents) as total, array_agg(transfer_id) as transfer_ids,
            array_agg(partner_id) as partner_ids, min(transfer_id) as id,
            bool_or(kind = any(${refusals}::text[])) as is_refused
          from (${openItems(account)}) i group by reference) i
      left join (select reference, sum(amount_in_cents) as total, array_agg(id) as ids,
            min(id) as id, min(bank_account_id) as bank_account_id
          from (${openLines(account)}) l where reference <> '' group by reference) l
        on l.reference = i.reference
    where (l.id is not null and l.total = i.total) or (l.id is null and i.is_refused and i.total = 0)`;
}

/** Lines and items that the other side does not name with another amount. */
const unnamedLines = (account: ComparedAccount) => sql`
  /* all partners */
  select l.* from (${openLines(account)}) l
  where not exists (select from book_item k
    where l.reference <> '' and k.reference = l.reference and k.ledger_account = ${account})`;
const unnamedItems = (account: ComparedAccount) => sql`
  select i.* from (${openItems(account)}) i
  where not exists (select from bank_line k join bank_account b on b.id = k.bank_account_id
    where k.reference = i.reference and k.reference <> '' and b.ledger_account = ${account})`;

function byAmount(account: ComparedAccount, days: number): Sql {
  return sql`
    with line as materialized (
      select * from (select *, count(*) over (partition by amount_in_cents) as equal
        from (${unnamedLines(account)}) l) l where equal <= ${mostOfAmount}
    ), item as materialized (
      select * from (select *, count(*) over (partition by amount_in_cents) as equal
        from (${unnamedItems(account)}) i where kind <> 'deposit') i where equal <= ${mostOfAmount}
    ), pair as (
      select l.id, l.bank_account_id, i.partner_id, i.transfer_id,
        abs(l.booked_on - i.day) as apart,
        count(*) over (partition by l.id) as of_line,
        count(*) over (partition by i.partner_id, i.transfer_id) as of_item
      from line l join item i on i.amount_in_cents = l.amount_in_cents
        and abs(l.booked_on - i.day) <= ${days}
    )
    select 'mat_' || substr(id, 5) as id, bank_account_id, 'amount' as rule,
      'The amount agrees, the days are ' || apart
        || ' apart, and nothing else has this amount within ' || ${days}::integer || ' days.' as reason,
      ${account} as account, array[id] as line_ids, array[partner_id] as partner_ids,
      array[transfer_id] as transfer_ids
    from pair where of_line = 1 and of_item = 1`;
}

/**
 * Matches a line with the sum of a day. A processor pays all that is due on a day at once, so its deposits match as a
 * whole day, even if there is only one. An adjustment that several portals share matches as a whole.
 */
function byBatch(account: ComparedAccount, days: number, kinds: readonly string[]): Sql {
  return sql`
    with batch as materialized (
      select kind, day, case when kind = 'books_adjustment' then reference end as adjustment,
        sum(amount_in_cents) as total, array_agg(partner_id) as partner_ids,
        array_agg(transfer_id) as transfer_ids
      from (${unnamedItems(account)}) i
      where kind = any(${kinds}::text[])
      group by 1, 2, 3 having count(*) > 1 or kind = 'deposit'
    ), pair as (
      select l.id, l.bank_account_id, t.kind, t.day, t.partner_ids, t.transfer_ids,
        count(*) over (partition by l.id) as of_line,
        count(*) over (partition by t.kind, t.day, t.adjustment) as of_batch
      from (${unnamedLines(account)}) l join batch t on t.total = l.amount_in_cents
        and abs(l.booked_on - t.day) <= ${days}
    )
    select 'mat_' || substr(id, 5) as id, bank_account_id, 'batch' as rule,
      'The line is the sum of ' || cardinality(transfer_ids) || ' entries (' || kind || ') of '
        || day || '.' as reason,
      ${account} as account, array[id] as line_ids, partner_ids, transfer_ids
    from pair where of_line = 1 and of_batch = 1`;
}
