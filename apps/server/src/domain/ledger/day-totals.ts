import {
  bigint,
  json,
  listOf,
  nullable,
  type Queryable,
  type Row,
  row,
  type Sql,
  sql,
  type Tx,
  text,
} from '@svc/db';
import { z } from 'zod';
import { byKey } from '../../cluster.ts';
import { bankTimeZone } from '../bank-time-zone.ts';
import { transfersOf } from './transfers-of.ts';

// Each partner's sealed transfers, summed by day of the books and kind of account (`ledger_day_total`). A seal adds
// its transfers in its own transaction, so the totals of a partner reach exactly to the seal in `ledger_counted`.
// Where they do not reach the last seal, they are not used.

/** Cents by kind of account. */
export type KindTotals = ReadonlyMap<string, number>;

/** Called once for a new partner, before its first seal. */
export async function startCounting(tx: Tx, partnerId: string): Promise<void> {
  await tx.run(sql`insert into ledger_counted (partner_id, seal_number) values (${partnerId}, 0)`);
}

interface CountedSeal {
  readonly partnerId: string;
  readonly number: number;
  readonly transferIds: readonly string[];
}

/** Adds a new seal to the totals, if they reach the seal before it. The partner's seals are locked. */
export async function countSeal(tx: Tx, seal: CountedSeal): Promise<void> {
  const { partnerId, number, transferIds } = seal;
  const reached = await tx.run(sql`
    update ledger_counted set seal_number = ${number}
    where partner_id = ${partnerId} and seal_number = ${number - 1}`);
  if (reached === 1) await addTotals(tx, partnerId, transfersOf(partnerId, transferIds));
}

/** Counts all sealed transfers of a partner again, unless its totals reach its last seal. Its seals are locked. */
export async function recountTotals(
  tx: Tx,
  { partnerId, lastSeal }: { readonly partnerId: string; readonly lastSeal: number },
): Promise<void> {
  const behind = await tx.run(sql`
    insert into ledger_counted as c (partner_id, seal_number) values (${partnerId}, ${lastSeal})
    on conflict (partner_id) do update set seal_number = excluded.seal_number
    where c.seal_number <> excluded.seal_number`);
  if (behind === 0) return;
  await tx.run(sql`
    /* many rows: all totals of a partner */
    delete from ledger_day_total where partner_id = ${partnerId}`);
  await addTotals(tx, partnerId, isSealed(partnerId));
}

/** A condition for the sealed transfers `l`, including those of the chain that all partners shared. */
const isSealed = (partnerId: string) => sql`
  l.partner_id = ${partnerId} and not exists (select from ledger_unsealed u
    where u.partner_id = ${partnerId} and u.transfer_id = l.id)`;

/** Selects the entries of the transfers `l` of one partner: day, transfer, account kind and cents. */
const entriesOf = (q: Queryable, partnerId: string, which: Sql) => sql`
  select l.partner_id, l.id, (l.occurred_at at time zone ${bankTimeZone})::date as day,
    e.amount_in_cents, (select a.kind from ledger_account a
      where a.partner_id = ${partnerId} and a.id = e.account_id) as kind
  from ledger_transfer l cross join lateral (
    select * from ledger_entry e
    where e.partner_id = l.partner_id and e.transfer_id = l.id ${byKey(q)}) e
  where ${which}`;

/** Sums the transfers `l` of one partner into rows of `ledger_day_total`. */
const totalsOf = (q: Queryable, partnerId: string, which: Sql) => sql`
  select t.partner_id, t.day, t.kind, sum(t.amount_in_cents)::int8 as total_in_cents,
    coalesce(sum(t.amount_in_cents) filter (where t.amount_in_cents > 0), 0)::int8 as debit_in_cents,
    min(t.id) as first_transfer_id, max(t.id) as last_transfer_id
  from (${entriesOf(q, partnerId, which)}) t group by 1, 2, 3`;

async function addTotals(tx: Tx, partnerId: string, which: Sql): Promise<void> {
  await tx.run(sql`
    /* many rows: those of a seal, or all of a partner that was not counted */
    insert into ledger_day_total as d (partner_id, day, kind, total_in_cents, debit_in_cents,
      first_transfer_id, last_transfer_id)
    ${totalsOf(tx, partnerId, which)}
    on conflict (partner_id, day, kind) do update
      set total_in_cents = d.total_in_cents + excluded.total_in_cents,
        debit_in_cents = d.debit_in_cents + excluded.debit_in_cents,
        first_transfer_id = least(d.first_transfer_id, excluded.first_transfer_id),
        last_transfer_id = greatest(d.last_transfer_id, excluded.last_transfer_id)`);
}

/**
 * Runs a query over the totals `d` of all partners that are counted, and then once for each other partner (among
 * `partnerIds`, if given), which reads that partner's whole ledger. Returns all rows.
 */
async function readTotals<T extends object>(
  tx: Tx,
  shape: Row<T>,
  query: (totals: Sql) => Sql,
  partnerIds?: readonly string[],
): Promise<T[]> {
  const uncounted = await uncountedPartners(tx);
  const rows = await tx.many(
    shape,
    sql`
    /* many rows: the days of all partners */
    /* all partners */
    ${query(sql`(select * from ledger_day_total
      where not partner_id = any(${uncounted}::text[])) d`)}`,
  );
  for (const partnerId of uncounted) {
    if (partnerIds?.includes(partnerId) === false) continue;
    const totals = totalsOf(tx, partnerId, isSealed(partnerId));
    rows.push(
      ...(await tx.many(
        shape,
        sql`
        /* many rows: the ledger of a partner that was not counted */
        ${query(sql`(${totals}) d`)}`,
      )),
    );
  }
  return rows;
}

const totalRow = row('total of a kind of account', { kind: text, total: bigint });

/** Sums each kind of account over all partners at the end of a day. Counts sealed transfers only. */
export async function totalsThrough(tx: Tx, day: string): Promise<KindTotals> {
  const sums = await readTotals(
    tx,
    totalRow,
    (d) => sql`
      select d.kind, sum(d.total_in_cents)::int8 as total from ${d}
      where d.day <= ${day}::date group by d.kind`,
  );
  const totals = new Map<string, number>();
  for (const { kind, total } of sums) totals.set(kind, (totals.get(kind) ?? 0) + total);
  return totals;
}

const feesRow = row('fees of a month', {
  partnerId: text,
  month: text,
  earned_in_cents: bigint,
  given_back_in_cents: bigint,
  cost_in_cents: bigint,
  net_in_cents: bigint,
});

interface FeesOf {
  readonly partnerIds: readonly string[];
  /** The first day. */
  readonly from: string;
  /** The day after the last one, or `infinity`. */
  readonly before: string;
}

/** Sums the fees that tenants paid and got back, and those of processors and banks, by partner and month. */
export function feesByMonth(tx: Tx, { partnerIds, from, before }: FeesOf) {
  const sum = (cents: Sql, kind: string) =>
    sql`coalesce(sum(${cents}) filter (where d.kind = ${kind}), 0)::int8`;
  const credit = sql`d.debit_in_cents - d.total_in_cents`;
  return readTotals(
    tx,
    feesRow,
    (d) => sql`
      select d.partner_id, to_char(d.day, 'YYYY-MM') as month,
        ${sum(credit, 'fee_income')} as earned_in_cents,
        ${sum(sql`d.debit_in_cents`, 'fee_income')} as given_back_in_cents,
        ${sum(sql`d.total_in_cents`, 'processing_cost')} as cost_in_cents,
        -sum(d.total_in_cents)::int8 as net_in_cents
      from ${d}
      where d.partner_id = any(${partnerIds}::text[]) and d.kind in ('fee_income', 'processing_cost')
        and d.day >= ${from}::date and d.day < ${before}::date
      group by 1, 2 order by 1, 2`,
    partnerIds,
  );
}

const countedRow = row('totals of a partner', {
  partnerId: text,
  sealNumber: bigint,
  totals: json(z.record(z.string(), z.int())),
});

interface Verified {
  readonly partnerId: string;
  readonly sealNumber: number;
  /** Cents by kind of account, up to that seal. */
  readonly trialBalance: Readonly<Record<string, number>>;
}

/** Returns the partners whose totals reach the seal that was verified, but differ from the trial balance. */
export async function findWrongTotals(
  q: Queryable,
  verified: readonly Verified[],
): Promise<ReadonlySet<string>> {
  const rows = await q.many(
    countedRow,
    sql`
    /* many rows: a check of all partners */
    /* all partners */
    select c.partner_id, c.seal_number,
      coalesce(jsonb_object_agg(d.kind, d.total) filter (where d.total <> 0), '{}') as totals
    from ledger_counted c left join (
      select partner_id, kind, sum(total_in_cents)::int8 as total
      from ledger_day_total group by 1, 2) d on d.partner_id = c.partner_id
    group by 1, 2`,
  );
  const counted = new Map(rows.map((it) => [it.partnerId, it]));
  const wrong = verified.filter(({ partnerId, sealNumber, trialBalance }) => {
    const { sealNumber: reached, totals = {} } = counted.get(partnerId) ?? {};
    if (reached !== sealNumber) return false;
    const kinds = [...Object.keys(totals), ...Object.keys(trialBalance)];
    return kinds.some((kind) => (totals[kind] ?? 0) !== (trialBalance[kind] ?? 0));
  });
  return new Set(wrong.map((it) => it.partnerId));
}

const partnerRow = row('partner to count', { id: text });

interface Days {
  readonly partnerIds: readonly string[];
  readonly kind: string;
  readonly from: string | null;
  readonly to: string | null;
}

const transfersRow = row('transfers of days', {
  partnerId: text,
  first: nullable(text),
  last: nullable(text),
  unsealed: listOf(text),
});

/**
 * Returns by partner where to look for the transfers of these days that post to accounts of a kind: the least and the
 * greatest id among the sealed ones, and the ids of all that are not sealed. Partners that are not counted are absent.
 */
export async function transfersOfDays(q: Queryable, { partnerIds, kind, from, to }: Days) {
  const rows = await q.many(
    transfersRow,
    sql`
    /* many rows: the days of these partners */
    /* all partners: those that the operator may see */
    select c.partner_id, min(d.first_transfer_id) as first, max(d.last_transfer_id) as last,
      array(select u.transfer_id from ledger_unsealed u
        where u.partner_id = c.partner_id) as unsealed
    from ledger_counted c
      left join ledger_day_total d on d.partner_id = c.partner_id and d.kind = ${kind}
        and (${from}::date is null or d.day >= ${from}::date)
        and (${to}::date is null or d.day <= ${to}::date)
    where c.partner_id = any(${partnerIds}::text[]) and ${reachesLastSeal(q)}
    group by c.partner_id`,
  );
  return new Map(rows.map((it) => [it.partnerId, it]));
}

/** Returns the partners whose totals do not reach their last seal. */
async function uncountedPartners(q: Queryable): Promise<string[]> {
  const counted = await q.many(
    partnerRow,
    sql`
    /* many rows: a check of all partners */
    /* all partners */
    select c.partner_id as id from ledger_counted c
    where ${reachesLastSeal(q)}`,
  );
  const ids = new Set(counted.map(({ id }) => id));
  const all = await q.many(partnerRow, sql`/* many rows: all partners */ select id from partner`);
  return all.map(({ id }) => id).filter((id) => !ids.has(id));
}

/** A SQL condition on `c`, a partner's row in `ledger_counted`: its totals reach the partner's last seal. */
const reachesLastSeal = (q: Queryable) => sql`
  not exists (select from ledger_seal s
    where s.partner_id = c.partner_id and s.number > c.seal_number ${byKey(q)})`;
