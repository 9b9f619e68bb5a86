import { bigint, bytes, listOf, type Queryable, row, type Sql, sql, type Tx, text } from '@svc/db';
import { compareClearing, type Fault } from './compare-clearing.ts';
import { chainStart, hashOf, transfersOf, zeroHash } from './seal.ts';

interface Totals {
  readonly transfers: number;
  readonly seals: number;
  /** Transfers that wait for the next seal. */
  readonly unsealed: number;
  /** Cents by kind of account; they sum to zero. */
  readonly trial_balance: Readonly<Record<string, number>>;
  /** The faults that were found, in sentences. */
  readonly faults: readonly string[];
}

export interface PartnerLedger extends Totals {
  readonly pms: string;
}

/** The ledger of all partners: totals, then each partner. */
export interface LedgerReport extends Totals {
  /** Seals of the one chain that all partners shared until each got its own; part of `seals`. */
  readonly seals_before_partners: number;
  readonly partners: readonly PartnerLedger[];
}

/**
 * Recomputes every balance, follows the chain of seals of each partner, and compares the clearing
 * accounts with the processor.
 */
export async function verifyLedger(q: Tx): Promise<LedgerReport> {
  // One snapshot for all statements. The service keeps posting and sealing meanwhile, and a transfer
  // that is sealed between two statements would look like a fault.
  await q.run(sql`set transaction isolation level repeatable read, read only`);
  const [partners, balances] = [await countByPartner(q), await balancesByPartner(q)];
  const found: Fault[] = [
    ...(await unbalancedTransfers(q)),
    ...(await misplacedSources(q)),
    ...(await compareClearing(q)),
  ];
  const before = await checkSealsBeforePartners(q);
  found.push(...before.faults.map((message) => ({ partnerId: null, message })));
  const start = await chainStart(q);
  const reports: PartnerLedger[] = [];
  for (const { id, pms, transfers, unsealed, sealedBefore } of partners) {
    const chain = await checkChain(q, {
      start,
      title: (number) => `Seal ${number} of ${pms}`,
      next: (after) => nextSeal(q, id, after),
    });
    const trial_balance = balances.get(id) ?? {};
    const off = Object.values(trial_balance).reduce((sum, cents) => sum + cents, 0);
    const missing = transfers - unsealed - sealedBefore - chain.sealed;
    const faults = [
      ...(off === 0 ? [] : [`The accounts of ${pms} are off by ${off} cents.`]),
      ...found.filter((it) => it.partnerId === id).map((it) => it.message),
      ...chain.faults,
      ...(missing === 0 ? [] : [`Of the sealed transfers of ${pms}, ${missing} are in no seal.`]),
    ];
    reports.push({ pms, transfers, seals: chain.seals, unsealed, trial_balance, faults });
  }
  const known = new Set(partners.map((it) => it.id));
  const others = found.filter((it) => it.partnerId === null || !known.has(it.partnerId));
  return {
    transfers: sumOf(reports, (it) => it.transfers),
    seals: before.seals + sumOf(reports, (it) => it.seals),
    seals_before_partners: before.seals,
    unsealed: sumOf(reports, (it) => it.unsealed),
    trial_balance: addBalances(reports.map((it) => it.trial_balance)),
    faults: [...others.map((it) => it.message), ...reports.flatMap((it) => it.faults)],
    partners: reports,
  };
}

const countRow = row('ledger counts', {
  id: text,
  pms: text,
  transfers: bigint,
  unsealed: bigint,
  sealedBefore: bigint,
});

function countByPartner(q: Queryable) {
  return q.many(
    countRow,
    sql`
    /* all partners */
    with transfers as (
      select partner_id, count(*) as count from ledger_transfer group by 1
    ), unsealed as (
      select partner_id, count(*) as count from ledger_unsealed group by 1
    ), before as (
      select p.id as partner_id, count(*) as count
      from ledger_seal_before_partners s, unnest(s.partner_ids) as p(id) group by 1
    )
    select p.id, p.pms, coalesce(t.count, 0) as transfers, coalesce(u.count, 0) as unsealed,
      coalesce(b.count, 0) as "sealedBefore"
    from partner p left join transfers t on t.partner_id = p.id
      left join unsealed u on u.partner_id = p.id left join before b on b.partner_id = p.id
    order by p.pms`,
  );
}

const balanceRow = row('account balance', { partnerId: text, kind: text, total: bigint });

async function balancesByPartner(q: Queryable): Promise<Map<string, Record<string, number>>> {
  const rows = await q.many(
    balanceRow,
    sql`
    /* all partners */
    select a.partner_id as "partnerId", a.kind, sum(e.amount_in_cents)::int8 as total
    from ledger_entry e
      join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
    group by a.partner_id, a.kind order by a.kind`,
  );
  const balances = new Map<string, Record<string, number>>();
  for (const { partnerId, kind, total } of rows) {
    balances.set(partnerId, { ...balances.get(partnerId), [kind]: total });
  }
  return balances;
}

const transferRow = row('faulty transfer', { partnerId: text, id: text });

async function unbalancedTransfers(q: Queryable): Promise<Fault[]> {
  const rows = await q.many(
    transferRow,
    sql`
    /* all partners */
    select l.partner_id as "partnerId", l.id
    from ledger_transfer l
      left join ledger_entry e on e.partner_id = l.partner_id and e.transfer_id = l.id
    group by l.partner_id, l.id
    having coalesce(sum(e.amount_in_cents), 0) <> 0 or count(e.*) < 2
    limit 20`,
  );
  return rows.map(({ partnerId, id }) => ({
    partnerId,
    message: `Transfer ${id} does not balance.`,
  }));
}

/** No foreign key ties `ledger_transfer_source` to the transfers, so compare them. */
async function misplacedSources(q: Queryable): Promise<Fault[]> {
  const rows = await q.many(
    transferRow,
    sql`
    /* all partners */
    select distinct coalesce(l.partner_id, s.partner_id) as "partnerId", coalesce(l.id, s.transfer_id) as id
    from ledger_transfer l
      full join ledger_transfer_source s on s.partner_id = l.partner_id
        and s.source_id = l.source_id and s.kind = l.kind
    where l.id is distinct from s.transfer_id limit 20`,
  );
  return rows.map(({ partnerId, id }) => ({
    partnerId,
    message: `Transfer ${id} differs from its row in ledger_transfer_source.`,
  }));
}

interface Seal {
  readonly number: number;
  readonly transfers: number;
  /** A condition on the seal's transfers. */
  readonly isSealed: Sql;
  readonly previous: Buffer;
  readonly sha256: Buffer;
}

interface Chain {
  readonly seals: number;
  readonly sealed: number;
  readonly faults: readonly string[];
}

interface Seals {
  /** The hash before the first seal. */
  readonly start: Buffer;
  /** The name of a seal in a fault. */
  readonly title: (number: number) => string;
  readonly next: (after: number) => Promise<Seal | undefined>;
}

/** Recomputes the hash of each seal of one chain, one seal at a time because there may be many. */
async function checkChain(q: Queryable, { start, title, next }: Seals): Promise<Chain> {
  const faults: string[] = [];
  let previous = start;
  let sealed = 0;
  let seals = 0;
  for (;;) {
    const seal = await next(seals);
    if (!seal) return { seals, sealed, faults };
    if (seal.number !== seals + 1 || !seal.previous.equals(previous)) {
      faults.push(`${title(seal.number)} does not follow the one before it.`);
    } else if (!(await hashOf(q, previous, seal.isSealed)).equals(seal.sha256)) {
      faults.push(`${title(seal.number)} no longer matches its ${seal.transfers} transfers.`);
    }
    previous = seal.sha256;
    sealed += seal.transfers;
    seals = seal.number;
  }
}

const sealRow = row('ledger seal', {
  number: bigint,
  transfer_ids: listOf(text),
  previous_sha256: bytes,
  sha256: bytes,
});

async function nextSeal(q: Queryable, partnerId: string, after: number): Promise<Seal | undefined> {
  const seal = await q.maybe(
    sealRow,
    sql`
    select number, transfer_ids, previous_sha256, sha256 from ledger_seal
    where partner_id = ${partnerId} and number > ${after} order by number limit 1`,
  );
  return (
    seal && {
      number: seal.number,
      transfers: seal.transfer_ids.length,
      isSealed: transfersOf(partnerId, seal.transfer_ids),
      previous: seal.previous_sha256,
      sha256: seal.sha256,
    }
  );
}

const oldSealRow = row('ledger seal before partners', {
  number: bigint,
  partner_ids: listOf(text),
  transfer_ids: listOf(text),
  previous_sha256: bytes,
  sha256: bytes,
});

/** Until migration 0023, one chain of seals ran through the transfers of all partners. */
function checkSealsBeforePartners(q: Queryable): Promise<Chain> {
  return checkChain(q, {
    start: zeroHash,
    title: (number) => `Seal ${number} of the chain that all partners shared`,
    next: (after) => nextSealBeforePartners(q, after),
  });
}

async function nextSealBeforePartners(q: Queryable, after: number): Promise<Seal | undefined> {
  const seal = await q.maybe(
    oldSealRow,
    sql`
    /* all partners */
    select number, partner_ids, transfer_ids, previous_sha256, sha256
    from ledger_seal_before_partners where number > ${after} order by number limit 1`,
  );
  return (
    seal && {
      number: seal.number,
      transfers: seal.transfer_ids.length,
      isSealed: sql`(l.partner_id, l.id) in (
        select * from unnest(${seal.partner_ids}::text[], ${seal.transfer_ids}::text[]))`,
      previous: seal.previous_sha256,
      sha256: seal.sha256,
    }
  );
}

function addBalances(balances: readonly Readonly<Record<string, number>>[]) {
  const total: Record<string, number> = {};
  const lines = balances.flatMap((it) => Object.entries(it));
  for (const [kind, cents] of lines.sort(([a], [b]) => (a < b ? -1 : 1))) {
    total[kind] = (total[kind] ?? 0) + cents;
  }
  return total;
}

function sumOf<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((sum, it) => sum + count(it), 0);
}
