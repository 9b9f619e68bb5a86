import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

type Prefix =
  | 'acc'
  | 'app'
  | 'aud'
  | 'dec'
  | 'dep'
  | 'evt'
  | 'ins'
  | 'hst'
  | 'key'
  | 'mal'
  | 'pay'
  | 'pev'
  | 'pln'
  | 'pmt'
  | 'pse'
  | 'pss'
  | 'ptn'
  | 'req'
  | 'rfd'
  | 'stl'
  | 'ten'
  | 'tpr'
  | 'trf'
  | 'xps';

let last = { time: -1, tail: 0n };

/**
 * Creates an id: a prefix and 26 characters of 48 bits of wall time and 80 random bits. Within one
 * millisecond the random part counts up, so the ids of one process sort in the order of creation.
 */
export function newId(prefix: Prefix, now: Date): string {
  const time = now.getTime();
  const tail =
    time === last.time ? last.tail + 1n : BigInt(`0x${randomBytes(10).toString('hex')}`) >> 1n;
  last = { time, tail };
  return `${prefix}_${base32((BigInt(time) << 80n) | tail)}`;
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
