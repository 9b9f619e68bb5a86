import { bigint, json, type Queryable, row, type Sql, sql, type Tx, text } from '@svc/db';
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
export async function countAgain(
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

/** A condition on the transfers `l`: also those of the chain that all partners shared. */
const isSealed = (partnerId: string) => sql`
  l.partner_id = ${partnerId} and not exists (select from ledger_unsealed u
    where u.partner_id = ${partnerId} and u.transfer_id = l.id)`;

/** The day and cents of each entry of these transfers `l` of one partner, with the kind of its account. */
const entriesOf = (q: Queryable, partnerId: string, which: Sql) => sql`
  select l.partner_id, (l.occurred_at at time zone ${bankTimeZone})::date as day,
    e.amount_in_cents, (select a.kind from ledger_account a
      where a.partner_id = ${partnerId} and a.id = e.account_id) as kind
  from ledger_transfer l cross join lateral (
    select * from ledger_entry e
    where e.partner_id = l.partner_id and e.transfer_id = l.id ${byKey(q)}) e
  where ${which}`;

async function addTotals(tx: Tx, partnerId: string, which: Sql): Promise<void> {
  await tx.run(sql`
    /* many rows: those of a seal, or all of a partner that was not counted */
    insert into ledger_day_total as d (partner_id, day, kind, total_in_cents)
    select t.partner_id, t.day, t.kind, sum(t.amount_in_cents)::int8
    from (${entriesOf(tx, partnerId, which)}) t group by 1, 2, 3
    on conflict (partner_id, day, kind) do update
      set total_in_cents = d.total_in_cents + excluded.total_in_cents`);
}

const totalRow = row('total of a kind of account', { kind: text, total: bigint });

/** The balance of each kind of account at the end of a day, of all partners together, over sealed transfers. */
export async function totalsThrough(tx: Tx, day: string): Promise<KindTotals> {
  const uncounted = await uncountedPartners(tx);
  const sums = await tx.many(
    totalRow,
    sql`
    /* many rows: the days of all partners */
    /* all partners */
    select d.kind, sum(d.total_in_cents)::int8 as total from ledger_day_total d
    where d.day <= ${day}::date and not d.partner_id = any(${uncounted}::text[])
    group by d.kind`,
  );
  for (const partnerId of uncounted) {
    const entries = entriesOf(tx, partnerId, isSealed(partnerId));
    sums.push(
      ...(await tx.many(
        totalRow,
        sql`
        /* many rows: the ledger of a partner that was not counted */
        select t.kind, sum(t.amount_in_cents)::int8 as total from (${entries}) t
        where t.day <= ${day}::date group by t.kind`,
      )),
    );
  }
  const totals = new Map<string, number>();
  for (const { kind, total } of sums) totals.set(kind, (totals.get(kind) ?? 0) + total);
  return totals;
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

/** Those of these partners whose totals reach the same seal, and differ. */
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

/** The partners whose totals do not reach their last seal. */
async function uncountedPartners(q: Queryable): Promise<string[]> {
  const counted = await q.many(
    partnerRow,
    sql`
    /* many rows: a check of all partners */
    /* all partners */
    select c.partner_id as id from ledger_counted c
    where not exists (select from ledger_seal s
      where s.partner_id = c.partner_id and s.number > c.seal_number ${byKey(q)})`,
  );
  const ids = new Set(counted.map(({ id }) => id));
  const all = await q.many(partnerRow, sql`/* many rows: all partners */ select id from partner`);
  return all.map(({ id }) => id).filter((id) => !ids.has(id));
}
