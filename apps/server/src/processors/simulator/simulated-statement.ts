import { bigint, date, oneOf, type Queryable, row, sql, text } from '@svc/db';
import type { BankAccount } from '../../domain/books/bank-accounts.ts';
import { booksTimeZone } from '../../domain/books/books-day.ts';
import { lineKinds, type Statement, type StatementLine } from '../../domain/books/statement.ts';

interface Days {
  readonly account: BankAccount;
  readonly from: string;
  readonly to: string;
  readonly openingInCents: number;
}

const lineRow = row('simulated line', {
  kind: oneOf(...lineKinds),
  booked_on: date,
  amount_in_cents: bigint,
  reference: text,
  description: text,
});

/** Returns a statement of an account's movements between two days, by the sandbox's bank or processor. */
export async function simulatedStatement(
  q: Queryable,
  { account, from, to, openingInCents }: Days,
): Promise<Statement> {
  const source = account.ledger_account === 'cash' ? bankLines : processorLines;
  const rows = await q.many(
    lineRow,
    sql`
    /* many rows: a day of the simulated bank */
    /* all partners */
    select kind, booked_on, amount_in_cents, reference, description from (${source}) l
    where booked_on between ${from}::date and ${to}::date and amount_in_cents <> 0
    order by booked_on, reference, amount_in_cents desc`,
  );
  const lines = rows.map(
    (it): StatementLine => ({
      fileLine: 0,
      kind: it.kind,
      bookedOn: it.booked_on,
      reference: it.reference,
      amountInCents: it.amount_in_cents,
      description: it.description,
    }),
  );
  return {
    fileLine: 0,
    account: `00${account.account_last4}`,
    currency: account.currency,
    from,
    to,
    openingInCents,
    lines,
    closingInCents: lines.reduce((sum, it) => sum + it.amountInCents, openingInCents),
  };
}

const zone = sql`${booksTimeZone}`;

/**
 * A processor pays what is due to all partners in one credit, under its own reference. Debits and
 * refunds of the portals come one by one, and each payout is one line. Only the portals' reports say that they
 * exist, so this bank books what they reported.
 */
const bankLines = sql`
  /* all partners */
  select 'entry' as kind, deposited_on as booked_on, sum(amount_in_cents)::int8 as amount_in_cents,
    'PROCESSOR-' || to_char(deposited_on, 'YYYYMMDD') as reference,
    'Deposit of the processor' as description
  from deposit group by deposited_on
  union all
  select 'entry', (l.occurred_at at time zone ${zone})::date, e.amount_in_cents,
    coalesce(s.processor_transaction_id, f.processor_transaction_id, y.reference, s.id, f.id, y.id),
    case when y.id is not null then 'Payout to a portal'
      when f.id is not null then 'Refund of a portal'
      when r.id is not null then 'Return of a debit' else 'Debit of a portal' end
  from ledger_transfer l
    left join ledger_transfer r on r.partner_id = l.partner_id and r.id = l.reverses_id
    left join settlement s on s.partner_id = l.partner_id
      and s.id = split_part(coalesce(r.source_id, l.source_id), '#', 1)
    left join payout y on y.partner_id = l.partner_id and y.id = l.source_id
    left join refund f on f.partner_id = l.partner_id and f.id = l.source_id
    join ledger_entry e on e.partner_id = l.partner_id and e.transfer_id = l.id
    join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id and a.kind = 'cash'
  where coalesce(s.id, f.id, y.id) is not null`;

/** The lines of the simulator's own books of calls, and its deposits. What it keeps of a deposit is its fee. */
const processorLines = sql`
  /* all partners */
  select c.kind,
    (coalesce(o.occurs_at, c.created_at) at time zone ${zone})::date as booked_on,
    case c.kind when 'charge' then c.amount_in_cents else -c.amount_in_cents end as amount_in_cents,
    -- One refund of ours may be several, whose keys begin with its id.
    split_part(c.key, '.', 1) as reference, '' as description
  from simulator_call c left join simulator_event o
    on o.partner_id = c.partner_id and o.key = c.key and o.kind = 'outcome' and o.sent_at is not null
  where c.state = 'succeeded'
  union all
  select 'return', (v.occurs_at at time zone ${zone})::date,
    case v.kind when 'returned' then -1 else 1 end
      * coalesce(v.amount_in_cents, c.amount_in_cents), c.key,
    coalesce(v.return_code, 'dispute won')
  from simulator_event v
    join simulator_call c on c.partner_id = v.partner_id and c.key = v.key
  where v.kind in ('returned', 'dispute_won') and v.sent_at is not null and c.state = 'succeeded'
  union all
  select 'deposit', d.deposited_on, -d.amount_in_cents, d.processor_deposit_id, ''
  from deposit d
  union all
  select 'fee', d.deposited_on, e.deposited_in_cents - e.amount_in_cents, 'fee-' || e.source_id, ''
  from processor_entry e
    join deposit d on d.partner_id = e.partner_id and d.id = e.deposit_id`;
