import { createHash } from 'node:crypto';
import {
  bigint,
  bytes,
  date,
  instant,
  nullable,
  oneOf,
  type Queryable,
  row,
  sql,
  text,
} from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { appendSeal, followChain, isSignedByFirstKey, type SealedChain } from '../sealed-chain.ts';

interface SealedBooks {
  readonly action: 'close' | 'reopen' | 'sign';
  /** Null for a signature by a new key. */
  readonly day: string | null;
  /** JSON: the books of the day. */
  readonly content: string;
}

const sealRow = row('seal of the books', {
  number: bigint,
  action: oneOf('close', 'reopen', 'sign'),
  day: nullable(date),
  content: text,
  previous: bytes,
  sha256: bytes,
  mac: bytes,
  sealedAt: instant,
});

/** The chain of closed and reopened days. */
export const booksChain: SealedChain<SealedBooks> = {
  title: (number) => `Seal ${number} of the books`,
  from: sql`book_seal`,
  start: Buffer.alloc(32),
  signedAs: 'book seal',
  async hash(_q, previous, { number, action, day, content, sealedAt }) {
    const sealed = [number, action, day, sealedAt.getTime(), content];
    return createHash('sha256').update(previous).update(JSON.stringify(sealed)).digest();
  },
  async store(tx, { number, action, day, content, previous, sha256, mac, sealedAt }) {
    await tx.run(sql`
      insert into book_seal (number, action, day, content, previous_sha256, sha256, mac, sealed_at)
      values (${number}, ${action}, ${day}::date, ${content}, ${previous}, ${sha256}, ${mac},
        ${sealedAt})`);
  },
  next: (q, after) =>
    q.maybe(
      sealRow,
      sql`
      select number, action, day, content, previous_sha256 as previous, sha256, mac,
        sealed_at
      from book_seal where number > ${after} order by number limit 1`,
    ),
  changed: () => 'was changed: its content does not match its hash.',
};

type SealCtx = Pick<UnitOfWork, 'tx' | 'now' | 'service'>;

/** Adds a signed seal to the chain of the books, whose lock the caller holds. */
export function appendBookSeal({ tx, now, service: { vault } }: SealCtx, sealed: SealedBooks) {
  return appendSeal(tx, booksChain, sealed, { now, vault });
}

/**
 * Signs the chain with the first secret key, so that the key before it can be removed. A chain that no key
 * of ours has signed, or with another fault, is not signed: the signature would vouch for it. Returns
 * whether a signature was added.
 */
export async function signBooks(ctx: SealCtx): Promise<boolean> {
  const {
    tx,
    service: { vault },
  } = ctx;
  if (await isSignedByFirstKey(tx, booksChain, vault)) return false;
  const { seals, signed, faults } = await followChain(tx, booksChain, { vault });
  if (signed < seals || faults.length > 0) return false;
  await appendBookSeal(ctx, { action: 'sign', day: null, content: '{}' });
  return true;
}

const closedRow = row('last closed day', { number: bigint, day: date });

/** Returns the last day that is closed, and the number of its seal. Every earlier day is closed, too. */
export function closedThrough(
  q: Queryable,
): Promise<{ readonly number: number; readonly day: string } | undefined> {
  return q.maybe(
    closedRow,
    sql`
    /* many rows: a day of the books */
    select c.number, c.day from book_seal c
    where c.action = 'close' and not exists (select from book_seal r
      where r.day = c.day and r.action = 'reopen' and r.number > c.number)
    order by c.day desc limit 1`,
  );
}
