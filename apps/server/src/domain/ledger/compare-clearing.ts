import { bigint, date, nullable, type Queryable, type RowOf, row, sql, text } from '@svc/db';

/** Something wrong with the books. */
export interface Fault {
  /** Null if it concerns no single partner. */
  readonly partnerId: string | null;
  readonly message: string;
}

const differenceRow = row('clearing difference', {
  partnerId: text,
  day: date,
  ref: text,
  /** Cents; null if the ledger has no such line. */
  ledger: nullable(bigint),
  /** Cents; null if the processor has no such entry. */
  processor: nullable(bigint),
});
type Difference = RowOf<typeof differenceRow>;

const most = 20;

/**
 * Compares the clearing accounts with the processor, movement by movement and deposit by deposit: each
 * line of an account needs a processor entry of the same amount, and each processor entry a line.
 */
export async function compareClearing(q: Queryable): Promise<Fault[]> {
  const movements = await q.many(
    differenceRow,
    sql`
    /* all partners */
    with ledger as (
      select l.partner_id, case when l.kind = 'reversal' then l.id else l.source_id end as ref,
        e.amount_in_cents, l.occurred_at
      from ledger_entry e
        join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
        join ledger_transfer l on l.partner_id = e.partner_id and l.id = e.transfer_id
        -- A transfer and its reversal. If the payment was reversed before processor entries existed,
        -- neither has one.
        left join ledger_transfer reversed
          on reversed.partner_id = l.partner_id and reversed.id = l.reverses_id
        left join ledger_transfer_source reversal
          on reversal.partner_id = l.partner_id and reversal.source_id = l.id
            and reversal.kind = 'reversal'
      where a.kind = 'processor_clearing' and l.kind <> 'deposit'
        and ((reversed.id is null and reversal.transfer_id is null)
          or exists (select from processor_entry p where p.partner_id = l.partner_id
            and p.source_id in (l.id, l.source_id, reversed.source_id, reversal.transfer_id)))
    )
    select coalesce(p.partner_id, l.partner_id) as "partnerId",
      coalesce(p.deposit_at, l.occurred_at)::date as day, coalesce(p.source_id, l.ref) as ref,
      l.amount_in_cents as ledger, p.amount_in_cents as processor
    from ledger l
      full join processor_entry p on p.partner_id = l.partner_id and p.source_id = l.ref
    where l.amount_in_cents is distinct from p.amount_in_cents
    order by 2, 3 limit ${most}`,
  );
  const deposits = await q.many(
    differenceRow,
    sql`
    /* all partners */
    with ledger as (
      select l.partner_id, l.source_id as ref, -e.amount_in_cents as amount, l.occurred_at
      from ledger_entry e
        join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
        join ledger_transfer l on l.partner_id = e.partner_id and l.id = e.transfer_id
      where a.kind = 'processor_clearing' and l.kind = 'deposit'
    ), processor as (
      select d.partner_id, d.id as ref, d.deposited_on, sum(p.deposited_in_cents)::int8 as amount
      from deposit d join processor_entry p on p.partner_id = d.partner_id and p.deposit_id = d.id
      group by d.partner_id, d.id
    )
    select coalesce(p.partner_id, l.partner_id) as "partnerId",
      coalesce(p.deposited_on, l.occurred_at::date) as day, coalesce(p.ref, l.ref) as ref,
      l.amount as ledger, p.amount as processor
    from ledger l full join processor p on p.partner_id = l.partner_id and p.ref = l.ref
    where coalesce(l.amount, 0) <> coalesce(p.amount, 0)
    order by 2, 3 limit ${most}`,
  );
  return [...movements, ...deposits].map((it) => ({
    partnerId: it.partnerId,
    message: describe(it),
  }));
}

function describe({ day, ref, ledger, processor }: Difference): string {
  const theirs = processor === null ? 'knows nothing of it' : `says ${processor} cents`;
  const ours = ledger === null ? 'nothing' : `${ledger} cents`;
  return `On ${day} clearing holds ${ours} for ${ref}, and the processor ${theirs}.`;
}
