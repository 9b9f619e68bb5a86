import { bigint, bytes, type Queryable, row, type Sql, sql, type Tx } from '@svc/db';
import type { Vault } from '@svc/runtime';

// The ledger, the audit log and the books are each sealed by chains: a seal hashes its content and the seal
// before it. To change something that is sealed, one has to compute every later seal again. If seals are
// signed, that takes a secret key, which is not in the database.

/** A stored seal. */
export interface Seal {
  /** 1 for the first seal of a chain. */
  readonly number: number;
  /** The hash of the seal before it. */
  readonly previous: Buffer;
  readonly sha256: Buffer;
  /** The hash's signature by the key that was the vault's first at the time. Null in a chain without signatures. */
  readonly mac: Buffer | null;
}

/** A new seal's content, before its hash is computed. */
export type NewSeal<Content> = Content & { readonly number: number; readonly sealedAt: Date };

export interface SealedChain<Content> {
  /** The name of one of its seals in faults, such as `Seal 2 of maple`. */
  title(number: number): string;
  /** The part of a query after `from` that selects the chain's seals: `table where …`. */
  readonly from: Sql;
  /** The hash before the first seal. */
  readonly start: Buffer;
  /** The purpose that is signed with each hash, such as `audit seal`. The ledger has signed checkpoints instead. */
  readonly signedAs?: string;
  /** Hashes a seal with the hash before it. */
  hash(q: Queryable, previous: Buffer, seal: NewSeal<Content>): Promise<Buffer>;
  /** Inserts a seal. */
  store(tx: Tx, seal: NewSeal<Content> & Seal): Promise<void>;
  /** The first stored seal after this number. */
  next(q: Queryable, after: number): Promise<(NewSeal<Content> & Seal) | undefined>;
  /** The end of a sentence about a seal whose hash is wrong: `was changed: …`. */
  changed(seal: NewSeal<Content>): string;
}

type Macs = Pick<Vault, 'digests'>;

interface SealOptions {
  readonly now: Date;
  /** Signs the seal, in a chain with signatures. */
  readonly vault?: Macs;
}

const lastRow = row('last seal', { number: bigint, sha256: bytes });

/** Adds a seal to a chain. The caller holds a lock, so that no other process adds one at the same time. */
export async function appendSeal<Content>(
  tx: Tx,
  chain: SealedChain<Content>,
  content: Content,
  { now, vault }: SealOptions,
): Promise<NewSeal<Content> & Seal> {
  const last = await tx.maybe(
    lastRow,
    sql`select number, sha256 from ${chain.from} order by number desc limit 1`,
  );
  const previous = last?.sha256 ?? chain.start;
  const unsealed = { ...content, number: (last?.number ?? 0) + 1, sealedAt: now };
  const sha256 = await chain.hash(tx, previous, unsealed);
  const mac = (vault && macsOf(chain, vault, sha256)?.[0]) ?? null;
  const seal = { ...unsealed, previous, sha256, mac };
  await chain.store(tx, seal);
  return seal;
}

/** The signature of a hash by each secret key. The first one is stored; a stored one may be any of them. */
function macsOf<Content>({ signedAs }: SealedChain<Content>, vault: Macs, sha256: Buffer) {
  if (signedAs === undefined) return undefined;
  return vault.digests(`${signedAs} ${sha256.toString('hex')}`);
}

/** A chain that was followed to its end. */
export interface FollowedChain {
  /** The number and hash of the last seal. */
  readonly seals: number;
  readonly sha256: Buffer;
  /** The number of the last seal that one of our keys signed. Its hash covers all seals before it. */
  readonly signed: number;
  /** One sentence for each fault, in the order of the seals. */
  readonly faults: readonly string[];
}

interface FollowOptions<Content> {
  /** The seal before the first one to check; the start of the chain when left out. */
  readonly after?: { readonly number: number; readonly sha256: Buffer };
  /** Without it signatures are not checked. */
  readonly vault?: Macs;
  /** Called with each seal after its hash was checked. Returns the faults in the sealed content. */
  checked?(seal: NewSeal<Content> & Seal): Promise<readonly string[]>;
}

/** Checks every seal of a chain, one at a time because there may be many. */
export async function followChain<Content>(
  q: Queryable,
  chain: SealedChain<Content>,
  { after = { number: 0, sha256: chain.start }, vault, checked }: FollowOptions<Content> = {},
): Promise<FollowedChain> {
  const faults: string[] = [];
  let { number: seals, sha256 } = after;
  let signed = seals;
  for (;;) {
    const seal = await chain.next(q, seals);
    if (!seal) return { seals, sha256, signed, faults };
    const title = chain.title(seal.number);
    if (seals === 0 && seal.number > 1) {
      faults.push(`${title} is not the first of its chain: seals before it are missing.`);
    } else if (seal.number !== seals + 1 || !seal.previous.equals(sha256)) {
      const before = seals === 0 ? 'the start of its chain' : `seal ${seals}`;
      faults.push(`${title} does not follow ${before}: seals are missing, inserted or reordered.`);
    }
    if (!(await chain.hash(q, seal.previous, seal)).equals(seal.sha256)) {
      faults.push(`${title} ${chain.changed(seal)}`);
    }
    faults.push(...((await checked?.(seal)) ?? []));
    if (vault && isSigned(chain, vault, seal)) signed = seal.number;
    ({ number: seals, sha256 } = seal);
  }
}

function isSigned<Content>(chain: SealedChain<Content>, vault: Macs, { sha256, mac }: Seal) {
  return macsOf(chain, vault, sha256)?.some((it) => mac !== null && it.equals(mac)) ?? false;
}

const signatureRow = row('last signature', { sha256: bytes, mac: bytes });

/** Returns whether the first secret key signed the last seal. Also true for an empty chain. */
export async function isSignedByFirstKey<Content>(
  q: Queryable,
  chain: SealedChain<Content>,
  vault: Macs,
): Promise<boolean> {
  const last = await q.maybe(
    signatureRow,
    sql`select sha256, mac from ${chain.from} order by number desc limit 1`,
  );
  return !last || (macsOf(chain, vault, last.sha256)?.[0].equals(last.mac) ?? true);
}
