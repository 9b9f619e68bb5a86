import { bigint, bytes, listOf, type Queryable, row, sql, text } from '@svc/db';
import { compareClearing } from './compare-clearing.ts';
import { firstLink, linkOf } from './seal.ts';

export interface LedgerReport {
  readonly transfers: number;
  readonly seals: number;
  /** Waiting for the next seal. */
  readonly unsealed: number;
  /** Cents by kind of account; they sum to zero. */
  readonly trial_balance: Readonly<Record<string, number>>;
  /** What is wrong, in sentences; empty when nothing is. */
  readonly faults: readonly string[];
}

const unbalancedRow = row('unbalanced transfer', { id: text });

const countRow = row('ledger counts', { transfers: bigint, unsealed: bigint });

const balanceRow = row('account balance', { kind: text, total: bigint });

/**
 * Adds the whole ledger up again, follows its chain of seals and holds the clearing account beside
 * what the processor says.
 */
export async function verifyLedger(q: Queryable): Promise<LedgerReport> {
  const balances = await q.many(
    balanceRow,
    sql`
    select a.kind, sum(e.amount_in_cents)::int8 as total
    from ledger_entry e join ledger_account a on a.id = e.account_id
    group by a.kind order by a.kind`,
  );
  const counted = await q.one(
    countRow,
    sql`
    select (select count(*) from ledger_transfer) as transfers,
      (select count(*) from ledger_unsealed) as unsealed`,
  );
  const lopsided = await q.many(
    unbalancedRow,
    sql`
    select l.id from ledger_transfer l left join ledger_entry e on e.transfer_id = l.id
    group by l.id having coalesce(sum(e.amount_in_cents), 0) <> 0 or count(e.*) < 2 limit 20`,
  );
  const chain = await followChain(q);
  const clearing = await compareClearing(q);
  const sum = balances.reduce((total, it) => total + it.total, 0);
  const missing = counted.transfers - counted.unsealed - chain.sealed;
  return {
    ...counted,
    seals: chain.seals,
    trial_balance: Object.fromEntries(balances.map((it) => [it.kind, it.total])),
    faults: [
      ...(sum === 0 ? [] : [`The accounts are off by ${sum} cents.`]),
      ...lopsided.map(({ id }) => `Transfer ${id} does not balance.`),
      ...clearing,
      ...chain.faults,
      ...(missing === 0 ? [] : [`${missing} transfers stand in no seal.`]),
    ],
  };
}

const sealRow = row('ledger seal', {
  number: bigint,
  transfer_ids: listOf(text),
  previous_sha256: bytes,
  sha256: bytes,
});

async function followChain(q: Queryable) {
  const faults: string[] = [];
  let previous: Buffer = firstLink;
  let sealed = 0;
  let seals = 0;
  for (;;) {
    const seal = await q.maybe(
      sealRow,
      sql`
      select number, transfer_ids, previous_sha256, sha256 from ledger_seal
      where number > ${seals} order by number limit 1`,
    );
    if (!seal) return { faults, sealed, seals };
    const hash = await linkOf(q, previous, seal.transfer_ids);
    const follows = seal.number === seals + 1 && seal.previous_sha256.equals(previous);
    if (!follows) faults.push(`Seal ${seal.number} does not follow the one before it.`);
    else if (!hash.equals(seal.sha256)) {
      faults.push(
        `Seal ${seal.number} no longer matches its ${seal.transfer_ids.length} transfers.`,
      );
    }
    previous = seal.sha256;
    sealed += seal.transfer_ids.length;
    seals = seal.number;
  }
}
