import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

type Prefix =
  | 'acc'
  | 'app'
  | 'dec'
  | 'evt'
  | 'ins'
  | 'key'
  | 'pay'
  | 'pln'
  | 'pmt'
  | 'pss'
  | 'ptn'
  | 'req'
  | 'stl'
  | 'ten'
  | 'trf'
  | 'xps';

/** Prefix and 26 characters that sort by time: 48 bits of wall time, 80 random bits. */
export function newId(prefix: Prefix, now: Date): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  randomBytes(10).copy(bytes, 6);
  return `${prefix}_${base32(bytes)}`;
}

function base32(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let digits = '';
  for (let index = 0; index < 26; index += 1) {
    digits = alphabet.charAt(Number(rest & 31n)) + digits;
    rest >>= 5n;
  }
  return digits;
}
