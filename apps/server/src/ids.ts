import { createHash, randomBytes } from 'node:crypto';
import type { ProcessorKind } from './processor-kinds.ts';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

type Prefix =
  | 'acc'
  | 'adj'
  | 'app'
  | 'amt'
  | 'apr'
  | 'aud'
  | 'bac'
  | 'bln'
  | 'bst'
  | 'crt'
  | 'dec'
  | 'dep'
  | 'elr'
  | 'evt'
  | 'ins'
  | 'hst'
  | 'hlk'
  | 'key'
  | 'lnr'
  | 'mal'
  | 'mat'
  | 'opr'
  | 'ops'
  | 'opv'
  | 'pad'
  | 'pay'
  | 'pev'
  | 'pln'
  | 'pmt'
  | 'prf'
  | 'pse'
  | 'pss'
  | 'ptn'
  | 'pyt'
  | 'rec'
  | 'req'
  | 'res'
  | 'rfd'
  | 'stl'
  | 'ten'
  | 'tpr'
  | 'trf'
  | 'trm'
  | 'txc'
  | 'txt'
  | 'xps'
  | ProcessorKind<'id'>;

/**
 * The random part of the last id, by the time of that id in milliseconds. A request uses one time for all of its
 * ids, including those that it creates while other requests create theirs.
 */
const lastTails = new Map<number, bigint>();
const mostTails = 1_000;

/**
 * Creates an id: a prefix and 26 characters of 48 bits of wall time and 80 random bits. Within one
 * millisecond the random part counts up, so the ids of one process sort in the order of creation.
 */
export function newId(prefix: Prefix, now: Date): string {
  const time = now.getTime();
  const last = lastTails.get(time);
  const tail =
    last === undefined ? BigInt(`0x${randomBytes(10).toString('hex')}`) >> 1n : last + 1n;
  lastTails.set(time, tail);
  const [oldest] = lastTails.keys();
  if (lastTails.size > mostTails && oldest !== undefined) lastTails.delete(oldest);
  return `${prefix}_${base32((BigInt(time) << 80n) | tail)}`;
}

/**
 * Creates an id from a name instead of at random: the same name gives the same id. Its time is that of another id,
 * so that it sorts near that id.
 */
export function derivedId(prefix: Prefix, timeOf: string, name: string): string {
  const hash = createHash('sha256').update(`${prefix} ${name}`).digest('hex').slice(0, 20);
  return `${prefix}_${base32((BigInt(timeOfId(timeOf).getTime()) << 80n) | BigInt(`0x${hash}`))}`;
}

/**
 * Returns the start of an id. It sorts before every id that is created at or after `at`, and after every earlier
 * one.
 */
export function firstIdAt(prefix: Prefix, at: Date): string {
  // 10 characters hold the 48 bits of time; the random part follows.
  return `${prefix}_${base32(BigInt(at.getTime()) << 80n).slice(0, 10)}`;
}

/**
 * Returns the time in an id, or in the start of an id that `firstIdAt` has returned.
 * @throws Error when the text is not an id of this service
 */
export function timeOfId(id: string): Date {
  const digits = /^[a-z]{3}_([0-9a-hjkmnp-tv-z]{10})/.exec(id)?.[1];
  if (digits === undefined) throw new Error(`${id} is not an id.`);
  return new Date(digits.split('').reduce((ms, digit) => ms * 32 + alphabet.indexOf(digit), 0));
}

function base32(value: bigint): string {
  let rest = value;
  let digits = '';
  for (let index = 0; index < 26; index += 1) {
    digits = alphabet.charAt(Number(rest & 31n)) + digits;
    rest >>= 5n;
  }
  return digits;
}
