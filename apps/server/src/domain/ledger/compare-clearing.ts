import {
  bigint,
  date,
  nullable,
  type Queryable,
  type RowOf,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import { byKey } from '../../cluster.ts';
import { isOfAccount } from './is-of-account.ts';
import { transfersOf } from './transfers-of.ts';

/** An error in the books. */
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

const maxListed = 20;

/**
 * The lines of clearing accounts that need a processor entry each.
 * @param which a condition on the transfers `l`
 * @param partner the partner, if it is known: a cluster then asks only one server
 */
const movementsOf = (which: Sql, partner = sql`l.partner_id`) => sql`
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
  -- An adjustment of the books is about an entry that has none.
  where a.kind = 'processor_clearing' and l.kind not in ('deposit', 'books_adjustment') and ${which}
    and ((reversed.id is null and reversal.transfer_id is null)
      or exists (select from processor_entry p where p.partner_id = ${partner}
        and p.source_id in (l.id, l.source_id, reversed.source_id, reversal.transfer_id)))`;

/** The lines of clearing accounts that need a deposit each. */
const depositsOf = (which: Sql) => sql`
  select l.partner_id, l.source_id as ref, -e.amount_in_cents as amount, l.occurred_at
  from ledger_entry e
    join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
    join ledger_transfer l on l.partner_id = e.partner_id and l.id = e.transfer_id
  where a.kind = 'processor_clearing' and l.kind = 'deposit' and ${which}`;

/**
 * Compares the clearing accounts with the processor, movement by movement and deposit by deposit: each
 * line of an account needs a processor entry of the same amount, and each processor entry a line.
 */
export async function compareClearing(q: Queryable): Promise<Fault[]> {
  const movements = await q.many(
    differenceRow,
    sql`
    /* many rows: a comparison of the books */
    /* all partners */
    with ledger as (${movementsOf(sql`true`)})
    select coalesce(p.partner_id, l.partner_id) as partner_id,
      coalesce(p.deposit_at, l.occurred_at)::date as day, coalesce(p.source_id, l.ref) as ref,
      l.amount_in_cents as ledger, p.amount_in_cents as processor
    from ledger l
      full join processor_entry p on p.partner_id = l.partner_id and p.source_id = l.ref
    where l.amount_in_cents is distinct from p.amount_in_cents
    order by 2, 3 limit ${maxListed}`,
  );
  const deposits = await q.many(
    differenceRow,
    sql`
    /* many rows: a comparison of the books */
    /* all partners */
    with ledger as (${depositsOf(sql`true`)}), processor as (
      select d.partner_id, d.id as ref, d.deposited_on, sum(p.deposited_in_cents)::int8 as amount
      from deposit d join processor_entry p on p.partner_id = d.partner_id and p.deposit_id = d.id
      group by d.partner_id, d.id
    )
    select coalesce(p.partner_id, l.partner_id) as partner_id,
      coalesce(p.deposited_on, l.occurred_at::date) as day, coalesce(p.ref, l.ref) as ref,
      l.amount as ledger, p.amount as processor
    from ledger l full join processor p on p.partner_id = l.partner_id and p.ref = l.ref
    where coalesce(l.amount, 0) <> coalesce(p.amount, 0)
    order by 2, 3 limit ${maxListed}`,
  );
  return faultsOf([...movements, ...deposits]);
}

/** Compares the clearing lines of some transfers of a partner with the processor. */
export async function compareTransfers(
  q: Queryable,
  { partnerId, ids }: { readonly partnerId: string; readonly ids: readonly string[] },
): Promise<Fault[]> {
  const which = transfersOf(partnerId, ids);
  const movements = await q.many(
    differenceRow,
    sql`
    /* many rows: a comparison of the books */
    with ledger as (${movementsOf(which, sql`${partnerId}`)})
    select l.partner_id, coalesce(p.deposit_at, l.occurred_at)::date as day, l.ref,
      l.amount_in_cents as ledger, p.amount_in_cents as processor
    from ledger l left join processor_entry p on p.partner_id = ${partnerId} and p.source_id = l.ref
    where l.amount_in_cents is distinct from p.amount_in_cents
    order by 2, 3 limit ${maxListed}`,
  );
  const deposits = await q.many(
    differenceRow,
    sql`
    with ledger as (${depositsOf(which)})
    select l.partner_id, coalesce(p.day, l.occurred_at::date) as day, l.ref,
      l.amount as ledger, p.amount as processor
    from ledger l left join lateral (
      select d.deposited_on as day, sum(p.deposited_in_cents)::int8 as amount
      from deposit d join processor_entry p on p.partner_id = d.partner_id and p.deposit_id = d.id
      where d.partner_id = ${partnerId} and d.id = l.ref
      group by d.partner_id, d.id) p on true
    where l.amount <> coalesce(p.amount, 0)
    order by 2, 3 limit ${maxListed}`,
  );
  return faultsOf([...movements, ...deposits]);
}

/**
 * Compares the processor's side of a partner with the ledger: entries that wait for their deposit or
 * were deposited since then, and the deposits since then.
 * @param since sorts before the ids of the deposits to compare (`firstIdAt`)
 */
export async function compareProcessor(
  q: Queryable,
  { partnerId, since }: { readonly partnerId: string; readonly since: string },
): Promise<Fault[]> {
  const movements = await q.many(
    differenceRow,
    sql`
    /* many rows: a comparison of the books */
    with processor as (
      select * from processor_entry where partner_id = ${partnerId} and deposit_id is null
      union all
      select * from processor_entry
      where partner_id = ${partnerId} and deposit_id is not null and deposit_id >= ${since}
    )
    select p.partner_id, p.deposit_at::date as day, p.source_id as ref,
      l.amount as ledger, p.amount_in_cents as processor
    from processor p left join lateral (
      select e.amount_in_cents as amount
      -- The transfer that the source caused, or the reversal that is the source.
      from (select s.transfer_id from ledger_transfer_source s
            where s.partner_id = ${partnerId} and s.source_id = p.source_id
              and s.kind not in ('deposit', 'reversal')
            union all select p.source_id) as t(id)
        join ledger_entry e on e.partner_id = ${partnerId} and e.transfer_id = t.id
      where ${isOfAccount('processor_clearing', { partnerId: sql`${partnerId}` })} ${byKey(q)}) l on true
    where l.amount is distinct from p.amount_in_cents
    order by 2, 3 limit ${maxListed}`,
  );
  const deposits = await q.many(
    differenceRow,
    sql`
    /* many rows: a comparison of the books */
    with processor as (
      select d.partner_id, d.id, d.deposited_on, sum(p.deposited_in_cents)::int8 as amount
      from deposit d join processor_entry p on p.partner_id = d.partner_id and p.deposit_id = d.id
      where d.partner_id = ${partnerId} and d.id >= ${since}
        and p.deposit_id is not null and p.deposit_id >= ${since}
      group by d.partner_id, d.id
    )
    select p.partner_id, p.deposited_on as day, p.id as ref, l.amount as ledger,
      p.amount as processor
    from processor p left join lateral (
      select -e.amount_in_cents as amount
      from ledger_transfer_source s
        join ledger_entry e on e.partner_id = s.partner_id and e.transfer_id = s.transfer_id
        join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
      where s.partner_id = p.partner_id and s.source_id = p.id and s.kind = 'deposit'
        and a.kind = 'processor_clearing') l on true
    where coalesce(l.amount, 0) <> p.amount
    order by 2, 3 limit ${maxListed}`,
  );
  return faultsOf([...movements, ...deposits]);
}

function faultsOf(differences: readonly Difference[]): Fault[] {
  return differences.map((it) => ({ partnerId: it.partnerId, message: describe(it) }));
}

function describe({ day, ref, ledger, processor }: Difference): string {
  const theirs = processor === null ? 'knows nothing of it' : `says ${processor} cents`;
  const ours = ledger === null ? 'nothing' : `${ledger} cents`;
  return `On ${day} clearing holds ${ours} for ${ref}, and the processor ${theirs}.`;
}
