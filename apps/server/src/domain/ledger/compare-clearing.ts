import { bigint, date, nullable, type Queryable, type RowOf, row, sql, text } from '@svc/db';

const differenceRow = row('clearing difference', {
  day: date,
  ref: text,
  /** Cents; null where there is nothing. */
  ledger: nullable(bigint),
  processor: nullable(bigint),
});
type Difference = RowOf<typeof differenceRow>;

const most = 20;

/**
 * The clearing account beside what the processor says, movement by movement and deposit by deposit:
 * each line of the account has its entry over the same cents, and each entry its line.
 */
export async function compareClearing(q: Queryable): Promise<string[]> {
  const movements = await q.many(
    differenceRow,
    sql`
    with ledger as (
      select case when l.kind = 'reversal' then l.id else l.source_id end as ref,
        e.amount_in_cents, l.occurred_at
      from ledger_entry e join ledger_account a on a.id = e.account_id
        join ledger_transfer l on l.id = e.transfer_id
        -- Taken back before movements were noted, and so nowhere at the processor.
        left join ledger_transfer other on other.reverses_id = l.id or other.id = l.reverses_id
      where a.kind = 'processor_clearing' and l.kind <> 'deposit'
        and (other.id is null or exists (select from processor_entry p where p.source_id in
          (l.id, l.source_id, other.id, other.source_id)))
    )
    select coalesce(p.deposit_at, l.occurred_at)::date as day, coalesce(p.source_id, l.ref) as ref,
      l.amount_in_cents as ledger, p.amount_in_cents as processor
    from ledger l full join processor_entry p on p.source_id = l.ref
    where l.amount_in_cents is distinct from p.amount_in_cents
    order by 1, 2 limit ${most}`,
  );
  const deposits = await q.many(
    differenceRow,
    sql`
    with ledger as (
      select l.source_id as ref, -e.amount_in_cents as amount, l.occurred_at
      from ledger_entry e join ledger_account a on a.id = e.account_id
        join ledger_transfer l on l.id = e.transfer_id
      where a.kind = 'processor_clearing' and l.kind = 'deposit'
    ), processor as (
      select d.id as ref, d.deposited_on, sum(p.deposited_in_cents)::int8 as amount
      from deposit d join processor_entry p on p.deposit_id = d.id group by d.id
    )
    select coalesce(p.deposited_on, l.occurred_at::date) as day, coalesce(p.ref, l.ref) as ref,
      l.amount as ledger, p.amount as processor
    from ledger l full join processor p on p.ref = l.ref
    where coalesce(l.amount, 0) <> coalesce(p.amount, 0)
    order by 1, 2 limit ${most}`,
  );
  return [...movements, ...deposits].map(describe);
}

function describe({ day, ref, ledger, processor }: Difference): string {
  const theirs = processor === null ? 'knows nothing of it' : `says ${processor} cents`;
  const ours = ledger === null ? 'nothing' : `${ledger} cents`;
  return `On ${day} clearing holds ${ours} for ${ref}, and the processor ${theirs}.`;
}
