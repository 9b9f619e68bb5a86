import {
  bigint,
  bytes,
  instant,
  json,
  nullable,
  type Queryable,
  recordset,
  row,
  sql,
  text,
} from '@svc/db';
import type { Vault } from '@svc/runtime';
import type { Fault } from './compare-clearing.ts';
import { chainStart } from './seal.ts';

/** One partner's verified ledger, up to and including a seal. */
export interface Checkpoint {
  readonly partnerId: string;
  /** 0 before the partner's first seal. */
  readonly sealNumber: number;
  readonly sealSha256: Buffer;
  /** Transfers in seals up to this one, including those of the chain that all partners shared. */
  readonly transfers: number;
  /** The greatest id of these transfers; empty without any. */
  readonly lastTransferId: string;
  /** Cents by kind of account, over these transfers. */
  readonly trialBalance: Readonly<Record<string, number>>;
  readonly verifiedAt: Date;
}

type Macs = Pick<Vault, 'digests'>;

/**
 * Returns a checkpoint's HMACs, one for each secret key; the first is stored. Stored responses to idempotent
 * requests use the same HMAC over JSON, which never begins like this text.
 */
function macsOf(vault: Macs, it: Checkpoint): readonly [Buffer, ...Buffer[]] {
  const balances = Object.entries(it.trialBalance).sort(([a], [b]) => (a < b ? -1 : 1));
  const covered = [
    it.partnerId,
    it.sealNumber,
    it.sealSha256.toString('hex'),
    it.transfers,
    it.lastTransferId,
    balances,
    it.verifiedAt.toISOString(),
  ];
  return vault.digests(`ledger checkpoint ${JSON.stringify(covered)}`);
}

const columns = {
  partnerId: text,
  sealNumber: bigint,
  sealSha256: bytes,
  transfers: bigint,
  lastTransferId: text,
  trialBalance: json(),
  verifiedAt: instant,
  mac: bytes,
};
const selected = sql`
  c.partner_id as partner_id, c.seal_number, c.seal_sha256,
  c.transfers, c.last_transfer_id, c.trial_balance,
  c.verified_at, c.mac`;

const storedRow = row('ledger checkpoint', columns);
const comparedRow = row('ledger checkpoint and its seal', {
  ...columns,
  pms: text,
  storedSha256: nullable(bytes),
});

/**
 * Reads the checkpoints by partner, and returns a fault for each one that this service did not write or that
 * the chain of seals contradicts. Compares one seal for each partner.
 */
export async function readCheckpoints(
  q: Queryable,
  vault: Macs,
): Promise<{ checkpoints: Map<string, Checkpoint>; faults: Fault[] }> {
  const rows = await q.many(
    comparedRow,
    sql`
    /* many rows: a check of all partners */
    /* all partners */
    select ${selected}, p.pms, s.sha256 as stored_sha256
    from ledger_checkpoint c join partner p on p.id = c.partner_id
      left join ledger_seal s on s.partner_id = c.partner_id and s.number = c.seal_number
    order by p.pms`,
  );
  const start = await chainStart(q);
  const checkpoints = new Map<string, Checkpoint>();
  const faults: Fault[] = [];
  for (const { pms, storedSha256, mac, ...it } of rows) {
    const checkpoint = it as Checkpoint;
    const { partnerId, sealNumber, sealSha256 } = checkpoint;
    const stored = sealNumber === 0 ? start : storedSha256;
    const problem = !macsOf(vault, checkpoint).some((each) => each.equals(mac))
      ? 'was changed, or its key was removed from SVC_SECRET_KEY before "svc-admin secret rotate"'
      : stored?.equals(sealSha256)
        ? undefined
        : `does not match seal ${sealNumber}, so the chain was changed`;
    if (problem === undefined) checkpoints.set(partnerId, checkpoint);
    else faults.push({ partnerId, message: `The checkpoint of ${pms} ${problem}.` });
  }
  return { checkpoints, faults };
}

const savedRow = row('checkpoint to save', {
  partner_id: text,
  seal_number: bigint,
  // Hexadecimal, because a recordset is JSON.
  seal_sha256: text,
  transfers: bigint,
  last_transfer_id: text,
  trial_balance: json(),
  verified_at: instant,
  mac: text,
});

/** Stores the checkpoints. A stored one with more seals, from another run that ended first, is kept. */
export async function saveCheckpoints(
  q: Queryable,
  vault: Macs,
  checkpoints: readonly Checkpoint[],
): Promise<void> {
  const rows = checkpoints.map((it) => ({
    partner_id: it.partnerId,
    seal_number: it.sealNumber,
    seal_sha256: it.sealSha256.toString('hex'),
    transfers: it.transfers,
    last_transfer_id: it.lastTransferId,
    trial_balance: it.trialBalance,
    verified_at: it.verifiedAt,
    mac: macsOf(vault, it)[0].toString('hex'),
  }));
  await q.run(sql`
    insert into ledger_checkpoint (partner_id, seal_number, seal_sha256, transfers,
      last_transfer_id, trial_balance, verified_at, mac)
    select c.partner_id, c.seal_number, decode(c.seal_sha256, 'hex'), c.transfers,
      c.last_transfer_id, c.trial_balance::jsonb, c.verified_at, decode(c.mac, 'hex')
    from ${recordset(savedRow, rows, 'c')}
    on conflict (partner_id) do update set seal_number = excluded.seal_number,
      seal_sha256 = excluded.seal_sha256, transfers = excluded.transfers,
      last_transfer_id = excluded.last_transfer_id, trial_balance = excluded.trial_balance,
      verified_at = excluded.verified_at, mac = excluded.mac
    where ledger_checkpoint.seal_number <= excluded.seal_number`);
}

/**
 * Replaces the MACs that were made with another key of the vault by those of its first key. A MAC that none of
 * the keys made stays, for the next verification to report. Returns how many were replaced.
 */
export async function renewCheckpoints(q: Queryable, vault: Macs): Promise<number> {
  let renewed = 0;
  for (const { mac, ...it } of await checkpointsOfOtherKeys(q, vault)) {
    renewed += await q.run(sql`
      update ledger_checkpoint set mac = ${macsOf(vault, it)[0]}
      where partner_id = ${it.partnerId} and mac = ${mac}`);
  }
  return renewed;
}

/** Returns the checkpoints whose MAC was made with a key of the vault other than the first. */
export async function checkpointsOfOtherKeys(
  q: Queryable,
  vault: Macs,
): Promise<(Checkpoint & { readonly mac: Buffer })[]> {
  const rows = await q.many(
    storedRow,
    sql`select ${selected} from ledger_checkpoint c /* all partners */`,
  );
  return (rows as (Checkpoint & { mac: Buffer })[]).filter(({ mac, ...it }) =>
    macsOf(vault, it)
      .slice(1)
      .some((each) => each.equals(mac)),
  );
}
