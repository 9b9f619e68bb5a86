import { bigint, bytes, listOf, type Queryable, row, type Sql, sql, text } from '@svc/db';
import { hashOf, transfersOf, zeroHash } from './seal.ts';

export interface Seal {
  readonly number: number;
  readonly transferIds: readonly string[];
  /** The greatest id of the transfers. */
  readonly lastTransferId: string;
  /** A condition on the seal's transfers. */
  readonly isSealed: Sql;
  readonly previous: Buffer;
  readonly sha256: Buffer;
}

/** A chain of seals, after it was followed to its end. */
export interface Chain {
  /** The number and hash of the last seal. */
  readonly seals: number;
  readonly sha256: Buffer;
  /** Transfers in the seals that were checked. */
  readonly sealed: number;
  readonly faults: readonly string[];
}

export interface Seals {
  /** The seal before the first one to check. */
  readonly after: { readonly number: number; readonly sha256: Buffer };
  /** The name of a seal in a fault. */
  readonly title: (number: number) => string;
  readonly next: (after: number) => Promise<Seal | undefined>;
  /** Called with each seal after its hash was checked. */
  readonly checked?: (seal: Seal) => void | Promise<void>;
}

/** Recomputes the hash of each seal of one chain, one seal at a time because there may be many. */
export async function checkChain(
  q: Queryable,
  { after, title, next, checked }: Seals,
): Promise<Chain> {
  const faults: string[] = [];
  let { number: seals, sha256 } = after;
  let sealed = 0;
  for (;;) {
    const seal = await next(seals);
    if (!seal) return { seals, sha256, sealed, faults };
    const count = seal.transferIds.length;
    if (seal.number !== seals + 1 || !seal.previous.equals(sha256)) {
      faults.push(`${title(seal.number)} does not follow the one before it.`);
    } else if (!(await hashOf(q, sha256, seal.isSealed)).equals(seal.sha256)) {
      faults.push(`${title(seal.number)} no longer matches its ${count} transfers.`);
    }
    await checked?.(seal);
    ({ number: seals, sha256 } = seal);
    sealed += count;
  }
}

const sealRow = row('ledger seal', {
  number: bigint,
  transfer_ids: listOf(text),
  last_id: text,
  previous_sha256: bytes,
  sha256: bytes,
});

/** The partner's first seal after the given number. */
export async function nextSeal(
  q: Queryable,
  partnerId: string,
  after: number,
): Promise<Seal | undefined> {
  const seal = await q.maybe(
    sealRow,
    sql`
    select number, transfer_ids, (select max(id) from unnest(transfer_ids) as t(id)) as last_id,
      previous_sha256, sha256
    from ledger_seal
    where partner_id = ${partnerId} and number > ${after} order by number limit 1`,
  );
  return (
    seal && {
      number: seal.number,
      transferIds: seal.transfer_ids,
      lastTransferId: seal.last_id,
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

/** Checks the one chain that ran through the transfers of all partners until each got its own. */
export function checkSealsBeforePartners(q: Queryable): Promise<Chain> {
  return checkChain(q, {
    after: { number: 0, sha256: zeroHash },
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
      transferIds: seal.transfer_ids,
      lastTransferId: '',
      isSealed: sql`(l.partner_id, l.id) in (
        select * from unnest(${seal.partner_ids}::text[], ${seal.transfer_ids}::text[]))`,
      previous: seal.previous_sha256,
      sha256: seal.sha256,
    }
  );
}
