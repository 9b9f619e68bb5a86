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
import type { Vault } from '@svc/runtime';
import type { UnitOfWork } from '../../context.ts';

interface BookSeal {
  readonly number: number;
  readonly action: 'close' | 'reopen' | 'sign';
  /** Null for a signature by a new key. */
  readonly day: string | null;
  /** JSON: the books of the day. */
  readonly content: string;
  readonly sealedAt: Date;
}

interface StoredSeal extends BookSeal {
  readonly previous: Buffer;
  readonly sha256: Buffer;
  readonly mac: Buffer;
}

type SealCtx = Pick<UnitOfWork, 'tx' | 'now' | 'service'>;

/**
 * Adds a seal to the chain of the books. Each hashes its content and the seal before it, and signs the
 * hash with the secret key, like the seals of the audit log. The books are locked.
 */
export async function appendBookSeal(
  { tx, now, service: { vault } }: SealCtx,
  { action, day, content }: Pick<BookSeal, 'action' | 'day' | 'content'>,
): Promise<BookSeal & { readonly sha256: Buffer }> {
  const last = await tx.maybe(
    lastRow,
    sql`select number, sha256, mac from book_seal order by number desc limit 1`,
  );
  const previous = last?.sha256 ?? startOfBooks;
  const seal = { number: (last?.number ?? 0) + 1, action, day, content, sealedAt: now };
  const sha256 = hashBookSeal(previous, seal);
  await tx.run(sql`
    insert into book_seal (number, action, day, content, previous_sha256, sha256, mac, sealed_at)
    values (${seal.number}, ${action}, ${day}::date, ${content}, ${previous}, ${sha256},
      ${bookMacs(vault, sha256)[0]}, ${now})`);
  return { ...seal, sha256 };
}

const lastRow = row('last seal of the books', { number: bigint, sha256: bytes, mac: bytes });

/** The hash before the first seal. */
export const startOfBooks = Buffer.alloc(32);

export function hashBookSeal(
  previous: Buffer,
  { number, action, day, content, sealedAt }: BookSeal,
): Buffer {
  const sealed = [number, action, day, sealedAt.getTime(), content];
  return createHash('sha256').update(previous).update(JSON.stringify(sealed)).digest();
}

/** The signature of a seal by each secret key; the first is stored. */
export function bookMacs(
  vault: Pick<Vault, 'digests'>,
  sha256: Buffer,
): readonly [Buffer, ...Buffer[]] {
  return vault.digests(`book seal ${sha256.toString('hex')}`);
}

/**
 * Signs the chain with the first secret key, so that the key before it can be removed. Returns whether
 * a signature was added.
 */
export async function signBooks(ctx: SealCtx): Promise<boolean> {
  const { tx, service } = ctx;
  const last = await tx.maybe(
    lastRow,
    sql`select number, sha256, mac from book_seal order by number desc limit 1`,
  );
  if (!last) return false;
  const macs = bookMacs(service.vault, last.sha256);
  // Of a key that is not known any more: the signature would vouch for a chain that may be forged.
  if (macs[0].equals(last.mac) || !macs.some((it) => it.equals(last.mac))) return false;
  await appendBookSeal(ctx, { action: 'sign', day: null, content: '{}' });
  return true;
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

/** The seal after the given number. */
export function nextBookSeal(q: Queryable, after: number): Promise<StoredSeal | undefined> {
  return q.maybe(
    sealRow,
    sql`
    select number, action, day, content, previous_sha256 as previous, sha256, mac,
      sealed_at as "sealedAt"
    from book_seal where number > ${after} order by number limit 1`,
  );
}

const closedRow = row('last closed day', { number: bigint, day: date });

/** The last day that is closed, and the number of its seal. Every earlier day is closed too. */
export function closedThrough(
  q: Queryable,
): Promise<{ readonly number: number; readonly day: string } | undefined> {
  return q.maybe(
    closedRow,
    sql`
    select c.number, c.day from book_seal c
    where c.action = 'close' and not exists (select from book_seal r
      where r.day = c.day and r.action = 'reopen' and r.number > c.number)
    order by c.day desc limit 1`,
  );
}
