import { bigint, boolean, type Queryable, row, type Sql, sql, type Tx, text } from '@svc/db';
import type { Vault } from '@svc/runtime';
import { followChain } from '../sealed-chain.ts';
import { type Checkpoint, readCheckpoints } from './checkpoint.ts';
import { compareClearing, type Fault } from './compare-clearing.ts';
import { findWrongTotals } from './day-totals.ts';
import { chainBeforePartners, chainStart, ledgerChain } from './seal.ts';
import { addBalances, verifyNew } from './verify-new.ts';

interface Totals {
  readonly transfers: number;
  /** The transfers that were read; the others are older than the checkpoints. */
  readonly checked_transfers: number;
  readonly seals: number;
  /** Transfers that wait for the next seal. */
  readonly unsealed: number;
  /** Cents by kind of account; they sum to zero. */
  readonly trial_balance: Readonly<Record<string, number>>;
  /** The faults that were found, in sentences. */
  readonly faults: readonly string[];
}

interface PartnerLedger extends Totals {
  readonly pms: string;
}

/** The ledger of all partners: totals, then each partner. */
export interface LedgerReport extends Totals {
  /** Seals of the one chain that all partners shared until each got its own; part of `seals`. */
  readonly seals_before_partners: number;
  readonly partners: readonly PartnerLedger[];
}

/** The progress of a verification, to show in a terminal. */
export interface VerifyProgress {
  /** A name such as "seals of maple". */
  readonly step: string;
  /** Transfers whose seal or rows were checked so far. */
  readonly transfers: number;
}

interface VerifyOptions {
  /** Checks the macs of checkpoints. Without it, checkpoints are not read. */
  readonly vault?: Pick<Vault, 'digests'>;
  /** Check everything, even if the checkpoints are valid. */
  readonly full: boolean;
  /** When the checkpoints of this run count as verified. */
  readonly now: Date;
  readonly progress?: (progress: VerifyProgress) => void;
}

export interface Verification {
  readonly report: LedgerReport;
  /** To be saved for the next run. Empty after a fault. */
  readonly checkpoints: readonly Checkpoint[];
}

/** Checks the whole ledger and ignores checkpoints. */
export async function verifyLedger(q: Tx): Promise<LedgerReport> {
  return (await verifyFromCheckpoints(q, { full: true, now: new Date(0) })).report;
}

/**
 * Verifies the ledger of each partner from its checkpoint on, or all of it: recomputes every balance,
 * follows the chain of seals, and compares the clearing accounts with the processor. A checkpoint that
 * is not valid is a fault, and then everything is checked.
 */
export async function verifyFromCheckpoints(
  q: Tx,
  { vault, full, now, progress = () => {} }: VerifyOptions,
): Promise<Verification> {
  // One snapshot for all statements. The service keeps posting and sealing, and a transfer
  // that is sealed between two statements would look like a fault.
  await q.run(sql`set transaction isolation level repeatable read, read only`);
  const { checkpoints, faults } = vault
    ? await readCheckpoints(q, vault)
    : { checkpoints: new Map<string, Checkpoint>(), faults: [] };
  const partners = await listPartners(q);
  const isFull = full || faults.length > 0 || (await isSharedChainNew(q, partners, checkpoints));
  const start = await chainStart(q);
  let transfers = 0;
  const startStep = (step: string) => (count: number) => {
    transfers += count;
    progress({ step, transfers });
  };
  const found = isFull
    ? await verifyAll(q, { partners, start, startStep, faults })
    : await verifyEachNew(q, { partners, start, startStep, checkpoints });
  const wrong = await findWrongTotals(
    q,
    found.partners.filter(({ report }) => report.faults.length === 0).map((it) => it.reached),
  );
  const reports = found.partners.map(({ report, reached }) => {
    if (!wrong.has(reached.partnerId)) return report;
    const fault = `The totals by day of ${report.pms} differ from its transfers. Delete its row in ledger_counted, and close a day to count again.`;
    return { ...report, faults: [fault] };
  });
  const report = {
    transfers: sumOf(reports, (it) => it.transfers),
    checked_transfers: sumOf(reports, (it) => it.checked_transfers),
    seals: found.sealsBefore + sumOf(reports, (it) => it.seals),
    seals_before_partners: found.sealsBefore,
    unsealed: sumOf(reports, (it) => it.unsealed),
    trial_balance: addBalances(reports.map((it) => it.trial_balance)),
    faults: [...found.others, ...reports.flatMap((it) => it.faults)],
    partners: reports,
  };
  const reached = report.faults.length > 0 ? [] : found.partners.map((it) => it.reached);
  return { report, checkpoints: reached.map((it) => ({ ...it, verifiedAt: now })) };
}

interface Partner {
  readonly id: string;
  readonly pms: string;
}

interface Found {
  readonly partners: readonly {
    readonly report: PartnerLedger;
    readonly reached: Omit<Checkpoint, 'verifiedAt'>;
  }[];
  readonly sealsBefore: number;
  /** Faults that concern no single partner. */
  readonly others: readonly string[];
}

type StartStep = (step: string) => (transfers: number) => void;

const partnerRow = row('partner of the ledger', { id: text, pms: text });

function listPartners(q: Queryable): Promise<Partner[]> {
  return q.many(
    partnerRow,
    sql`/* many rows: a check of the whole ledger */ select id, pms from partner order by pms`,
  );
}

const foundRow = row('found', { found: boolean });

/** Returns whether a partner without a checkpoint has transfers in the chain that all partners shared. */
async function isSharedChainNew(
  q: Queryable,
  partners: readonly Partner[],
  checkpoints: ReadonlyMap<string, Checkpoint>,
): Promise<boolean> {
  const ids = partners.filter((it) => !checkpoints.has(it.id)).map((it) => it.id);
  if (ids.length === 0) return false;
  const { found } = await q.one(
    foundRow,
    sql`
    select exists (select from ledger_seal_before_partners
      where partner_ids && ${ids}::text[]) as found`,
  );
  return found;
}

/** Checks what is newer than the checkpoint of each partner; all of it for a partner without one. */
async function verifyEachNew(
  q: Queryable,
  {
    partners,
    start,
    startStep,
    checkpoints,
  }: {
    readonly partners: readonly Partner[];
    readonly start: Buffer;
    readonly startStep: StartStep;
    readonly checkpoints: ReadonlyMap<string, Checkpoint>;
  },
): Promise<Found> {
  const found = [];
  for (const { id, pms } of partners) {
    const from = checkpoints.get(id) ?? emptyCheckpoint(id, start);
    const checked = startStep(`new transfers of ${pms}`);
    const { reached, faults, ...it } = await verifyNew(q, { pms, from, checked });
    const report = {
      pms,
      transfers: it.transfers,
      checked_transfers: it.checkedTransfers,
      seals: reached.sealNumber,
      unsealed: it.unsealed,
      trial_balance: it.trialBalance,
      faults,
    };
    found.push({ report, reached });
  }
  return { partners: found, sealsBefore: await countSealsBefore(q), others: [] };
}

function emptyCheckpoint(partnerId: string, start: Buffer): Checkpoint {
  return {
    partnerId,
    sealNumber: 0,
    sealSha256: start,
    transfers: 0,
    lastTransferId: '',
    trialBalance: {},
    verifiedAt: new Date(0),
  };
}

const lastRow = row('last seal of the shared chain', { number: bigint });

async function countSealsBefore(q: Queryable): Promise<number> {
  const { number } = await q.one(
    lastRow,
    sql`
    /* all partners */
    select coalesce(max(number), 0) as number from ledger_seal_before_partners`,
  );
  return number;
}

/** Checks every row of the ledger. */
async function verifyAll(
  q: Queryable,
  {
    partners,
    start,
    startStep,
    faults,
  }: {
    readonly partners: readonly Partner[];
    readonly start: Buffer;
    readonly startStep: StartStep;
    /** The faults of the checkpoints. */
    readonly faults: readonly Fault[];
  },
): Promise<Found> {
  const step = (name: string) => startStep(name)(0);
  step('counts');
  const counts = new Map((await countByPartner(q)).map((it) => [it.id, it]));
  step('balances');
  const balances = await balancesByPartner(q, sql`true`);
  const unsealedBalances = await balancesByPartner(
    q,
    sql`exists (select from ledger_unsealed u
      where u.partner_id = e.partner_id and u.transfer_id = e.transfer_id)`,
  );
  step('transfers');
  const found: Fault[] = [...faults, ...(await unbalancedTransfers(q))];
  step('sources');
  found.push(...(await misplacedSources(q)));
  step('clearing accounts');
  found.push(...(await compareClearing(q)));
  step('seals that all partners shared');
  const before = await followChain(q, chainBeforePartners);
  found.push(...before.faults.map((message) => ({ partnerId: null, message })));
  const reports = [];
  for (const { id, pms } of partners) {
    const counted = counts.get(id);
    const sealed = startStep(`seals of ${pms}`);
    let inSeals = 0;
    const chain = await followChain(q, ledgerChain({ partnerId: id, name: pms, start }), {
      async checked({ transferIds }) {
        inSeals += transferIds.length;
        sealed(transferIds.length);
        return [];
      },
    });
    const transfers = counted?.transfers ?? 0;
    const unsealed = counted?.unsealed ?? 0;
    const trial_balance = balances.get(id) ?? {};
    const off = Object.values(trial_balance).reduce((sum, cents) => sum + cents, 0);
    const missing = transfers - unsealed - (counted?.sealedBefore ?? 0) - inSeals;
    const report = {
      pms,
      transfers,
      checked_transfers: transfers,
      seals: chain.seals,
      unsealed,
      trial_balance,
      faults: [
        ...(off === 0 ? [] : [`The accounts of ${pms} are off by ${off} cents.`]),
        ...found.filter((it) => it.partnerId === id).map((it) => it.message),
        ...chain.faults,
        ...(missing === 0 ? [] : [`Of the sealed transfers of ${pms}, ${missing} are in no seal.`]),
      ],
    };
    const reached = {
      partnerId: id,
      sealNumber: chain.seals,
      sealSha256: chain.sha256,
      transfers: transfers - unsealed,
      lastTransferId: counted?.lastTransferId ?? '',
      trialBalance: addBalances([trial_balance, negatedSum(unsealedBalances.get(id) ?? {})]),
    };
    reports.push({ report, reached });
  }
  const known = new Set(partners.map((it) => it.id));
  const others = found.filter((it) => it.partnerId === null || !known.has(it.partnerId));
  return {
    partners: reports,
    sealsBefore: before.seals,
    others: others.map((it) => it.message),
  };
}

function negatedSum(balances: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(balances).map(([kind, cents]) => [kind, -cents]));
}

const countRow = row('ledger counts', {
  id: text,
  transfers: bigint,
  lastTransferId: text,
  unsealed: bigint,
  sealedBefore: bigint,
});

function countByPartner(q: Queryable) {
  return q.many(
    countRow,
    sql`
    /* many rows: a check of the whole ledger */
    /* all partners */
    with transfers as (
      select l.partner_id, count(*) as count, max(l.id) filter (where u.transfer_id is null) as last
      from ledger_transfer l left join ledger_unsealed u
        on u.partner_id = l.partner_id and u.transfer_id = l.id
      group by 1
    ), unsealed as (
      select partner_id, count(*) as count from ledger_unsealed group by 1
    ), before as (
      select p.id as partner_id, count(*) as count
      from ledger_seal_before_partners s, unnest(s.partner_ids) as p(id) group by 1
    )
    select p.id, coalesce(t.count, 0) as transfers, coalesce(t.last, '') as last_transfer_id,
      coalesce(u.count, 0) as unsealed, coalesce(b.count, 0) as sealed_before
    from partner p left join transfers t on t.partner_id = p.id
      left join unsealed u on u.partner_id = p.id left join before b on b.partner_id = p.id
    order by p.pms`,
  );
}

const balanceRow = row('account balance', { partnerId: text, kind: text, total: bigint });

/** @param which a condition on the entries `e` */
async function balancesByPartner(
  q: Queryable,
  which: Sql,
): Promise<Map<string, Record<string, number>>> {
  const rows = await q.many(
    balanceRow,
    sql`
    /* many rows: a check of the whole ledger */
    /* all partners */
    select a.partner_id, a.kind, sum(e.amount_in_cents)::int8 as total
    from ledger_entry e
      join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
    where ${which}
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
    /* many rows: a check of the whole ledger */
    /* all partners */
    select l.partner_id, l.id
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

/** Compares `ledger_transfer_source` with the transfers, because no foreign key ties them together. */
async function misplacedSources(q: Queryable): Promise<Fault[]> {
  const rows = await q.many(
    transferRow,
    sql`
    /* many rows: a check of the whole ledger */
    /* all partners */
    select distinct coalesce(l.partner_id, s.partner_id) as partner_id, coalesce(l.id, s.transfer_id) as id
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

function sumOf<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((sum, it) => sum + count(it), 0);
}
