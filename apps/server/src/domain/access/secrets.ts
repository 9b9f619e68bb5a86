import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { environments, type SvcEnvironment } from '@svc/contract';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const keyPattern = new RegExp(`^svc_(${environments.join('|')})_[0-9A-Za-z]{49}$`);

/** Returns a key: `svc_<environment>_`, 43 base62 digits (32 random bytes), 6 digits of the CRC-32 of the rest. */
export function newApiKey(environment: SvcEnvironment): string {
  const body = `svc_${environment}_${base62(randomBytes(32), 43)}`;
  return body + checksum(body);
}

/** Returns the environment that the key names. Undefined for a malformed key, so that a typo costs no lookup. */
export function keyEnvironment(key: string): SvcEnvironment | undefined {
  const environment = keyPattern.exec(key)?.[1];
  if (key.slice(-6) !== checksum(key.slice(0, -6))) return undefined;
  return environment as SvcEnvironment | undefined;
}

/** Returns 256 random bits in base62, after a prefix that says what kind of secret it is. */
export function newSecret(
  prefix:
    | 'svc_dl_'
    | 'svc_tt_'
    | 'svc_es_'
    | 'svc_pl_'
    | 'svc_ps_'
    | 'svc_pt_'
    | 'svc_ml_'
    | 'svc_hl_'
    | 'svc_hm_'
    | 'svc_kl_'
    | 'svc_oi_'
    | 'svc_os_'
    | 'svc_ov_',
): string {
  return prefix + base62(randomBytes(32), 43);
}

export function sha256(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}

function checksum(body: string): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return base62(sum, 6);
}

function base62(bytes: Buffer, width: number): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let digits = '';
  while (rest > 0n) {
    digits = alphabet.charAt(Number(rest % 62n)) + digits;
    rest /= 62n;
  }
  return digits.padStart(width, '0');
}
