import { bigint, listOf, nullable, type Queryable, row, sql, text } from '@svc/db';
import { byKey } from '../../cluster.ts';
import { firstIdAt } from '../../ids.ts';
import { followChain } from '../sealed-chain.ts';
import type { Checkpoint } from './checkpoint.ts';
import { compareProcessor, compareTransfers } from './compare-clearing.ts';
import { ledgerChain } from './seal.ts';

type Balances = Readonly<Record<string, number>>;

/** One partner's ledger, after everything newer than its checkpoint was checked. */
interface NewFindings {
  readonly transfers: number;
  readonly checkedTransfers: number;
  readonly unsealed: number;
  readonly trialBalance: Balances;
  readonly faults: readonly string[];
  /** Where the next verification can start, if there is no fault. */
  readonly reached: Omit<Checkpoint, 'verifiedAt'>;
}

// The number of transfers in one statement, which is also the most that a seal has.
const batchSize = 1_000;

// Deposits are compared from this many milliseconds before the checkpoint, because an id holds the time at which
// its transaction began, on the clock of its process. A transaction lasts seconds.
const overlapMs = 3_600_000;

/**
 * Checks what is newer than a partner's checkpoint: the seals behind it and their transfers, the
 * transfers that wait for a seal, and the processor's side of them. Reads no older transfer.
 */
export async function verifyNew(
  q: Queryable,
  { pms, from, checked }: { pms: string; from: Checkpoint; checked: (transfers: number) => void },
): Promise<NewFindings> {
  const { partnerId } = from;
  const found = new Set<string>();
  const check = async (ids: readonly string[]) => {
    for (const fault of await checkTransfers(q, { partnerId, ids })) found.add(fault);
    checked(ids.length);
    return balancesOf(q, { partnerId, ids });
  };

  let sealedBalance = from.trialBalance;
  // The seals' transfers that sort behind the checkpoint's last one. Others were posted before that
  // one, by a transaction that committed later.
  let sealedBehind = 0;
  let lastTransferId = from.lastTransferId;
  let sealed = 0;
  const after = { number: from.sealNumber, sha256: from.sealSha256 };
  const chain = await followChain(
    q,
    ledgerChain({ partnerId, name: pms, start: from.sealSha256 }),
    {
      after,
      async checked({ transferIds }) {
        sealed += transferIds.length;
        sealedBalance = addBalances([sealedBalance, await check(transferIds)]);
        const place = await placeOf(q, transferIds, [from.lastTransferId, lastTransferId]);
        sealedBehind += place.behind;
        lastTransferId = place.last;
        return [];
      },
    },
  );

  let balance = sealedBalance;
  let unsealed = 0;
  let unsealedBehind = 0;
  for (let after = ''; ; ) {
    const { ids } = await unsealedAfter(q, partnerId, after);
    const last = ids.at(-1);
    if (last === undefined) break;
    after = last;
    balance = addBalances([balance, await check(ids)]);
    unsealedBehind += (await placeOf(q, ids, [from.lastTransferId, ''])).behind;
    unsealed += ids.length;
  }

  const missing = (await countBehind(q, from)) - sealedBehind - unsealedBehind;
  const since = firstIdAt('dep', new Date(from.verifiedAt.getTime() - overlapMs));
  for (const it of await compareProcessor(q, { partnerId, since })) found.add(it.message);
  const off = Object.values(balance).reduce((sum, cents) => sum + cents, 0);
  return {
    transfers: from.transfers + sealed + unsealed,
    checkedTransfers: sealed + unsealed,
    unsealed,
    trialBalance: balance,
    faults: [
      ...(off === 0 ? [] : [`The accounts of ${pms} are off by ${off} cents.`]),
      ...found,
      ...chain.faults,
      ...(missing === 0 ? [] : [`Of the new transfers of ${pms}, ${missing} are in no seal.`]),
    ],
    reached: {
      partnerId,
      sealNumber: chain.seals,
      sealSha256: chain.sha256,
      transfers: from.transfers + sealed,
      lastTransferId,
      trialBalance: sealedBalance,
    },
  };
}

interface Transfers {
  readonly partnerId: string;
  readonly ids: readonly string[];
}

const transferRow = row('faulty transfer', { id: text, unbalanced: bigint });

/** Returns the faults of these transfers, except for those that their seal shows. */
async function checkTransfers(q: Queryable, { partnerId, ids }: Transfers): Promise<string[]> {
  // Scalar subqueries, because each reads the few rows of one transfer by its key. For a join the
  // planner may scan the tables.
  const rows = await q.many(
    transferRow,
    sql`
    select id, (case when balanced then 0 else 1 end)::int8 as unbalanced from (
      select l.id,
        (select count(*) >= 2 and sum(e.amount_in_cents) = 0 from ledger_entry e
          where e.partner_id = ${partnerId} and e.transfer_id = l.id) as balanced,
        (select s.transfer_id from ledger_transfer_source s
          where s.partner_id = ${partnerId} and s.source_id = l.source_id and s.kind = l.kind)
          as listed
      from ledger_transfer l where l.partner_id = ${partnerId} and l.id = any(${ids}::text[])) t
    where not balanced or listed is distinct from id order by id limit 20`,
  );
  const clearing = await compareTransfers(q, { partnerId, ids });
  return [
    ...rows.map(({ id, unbalanced }) =>
      unbalanced > 0
        ? `Transfer ${id} does not balance.`
        : `Transfer ${id} differs from its row in ledger_transfer_source.`,
    ),
    ...clearing.map((it) => it.message),
  ];
}

const balanceRow = row('balance of new entries', { kind: text, total: bigint });

async function balancesOf(q: Queryable, { partnerId, ids }: Transfers): Promise<Balances> {
  const rows = await q.many(
    balanceRow,
    sql`
    select kind, sum(amount_in_cents)::int8 as total from (
      select e.amount_in_cents, (select a.kind from ledger_account a
          where a.partner_id = ${partnerId} and a.id = e.account_id) as kind
      from ledger_transfer l cross join lateral (
        select * from ledger_entry e
        where e.partner_id = ${partnerId} and e.transfer_id = l.id ${byKey(q)}) e
      where l.partner_id = ${partnerId} and l.id = any(${ids}::text[])) as t
    group by kind`,
  );
  return Object.fromEntries(rows.map(({ kind, total }) => [kind, total]));
}

const placeRow = row('place of ids', { behind: bigint, last: text });

/** Compares ids in the database, whose order of text depends on its locale. */
function placeOf(
  q: Queryable,
  ids: readonly string[],
  [border, last]: readonly [string, string],
): Promise<{ behind: number; last: string }> {
  return q.one(
    placeRow,
    sql`
    select count(*) filter (where id > ${border}::text) as behind,
      greatest(max(id), ${last}::text) as last
    from unnest(${ids}::text[]) as t(id)`,
  );
}

const unsealedRow = row('unsealed transfers', { ids: listOf(text) });

function unsealedAfter(
  q: Queryable,
  partnerId: string,
  after: string,
): Promise<{ ids: readonly string[] }> {
  return q.one(
    unsealedRow,
    sql`
    /* many rows: a check of all new transfers */
    select coalesce(array_agg(transfer_id order by transfer_id), '{}') as ids from (
      select transfer_id from ledger_unsealed
      where partner_id = ${partnerId} and transfer_id > ${after}
      order by transfer_id limit ${batchSize}) as t`,
  );
}

const pageRow = row('page of new transfers', { count: bigint, last: nullable(text) });

/** Counts the transfers whose ids sort behind the checkpoint's last one. */
async function countBehind(
  q: Queryable,
  { partnerId, lastTransferId }: Checkpoint,
): Promise<number> {
  let total = 0;
  let after = lastTransferId;
  for (;;) {
    // Counts in pages, because for a count without a limit the planner scans the table.
    const { count, last } = await q.one(
      pageRow,
      sql`
      /* many rows: a check of all new transfers */
      select count(*), max(id) as last from (
        select id from ledger_transfer where partner_id = ${partnerId} and id > ${after}
        order by id limit ${batchSize}) as t`,
    );
    total += count;
    if (last === null) return total;
    after = last;
  }
}

/** Adds up cents by kind of account. */
export function addBalances(balances: readonly Balances[]): Record<string, number> {
  const total: Record<string, number> = {};
  const lines = balances.flatMap((it) => Object.entries(it));
  for (const [kind, cents] of lines.sort(([a], [b]) => (a < b ? -1 : 1))) {
    total[kind] = (total[kind] ?? 0) + cents;
  }
  return total;
}
