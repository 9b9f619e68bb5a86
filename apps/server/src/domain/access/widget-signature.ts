import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Returns whether the signature is the hex HMAC-SHA256 of `pms+externalId` under one of the keys. Every key is
 * tried, so that the time taken does not reveal which one matched.
 */
export function signatureMatches(
  keys: readonly string[],
  { pms, externalId, signature }: { pms: string; externalId: string; signature: string },
): boolean {
  // Buffer.from(…, 'hex') stops at the first bad digit and so would accept trailing characters.
  if (!/^[0-9a-f]{64}$/.test(signature)) return false;
  const received = Buffer.from(signature, 'hex');
  let matches = false;
  for (const key of keys.length > 0 ? keys : ['no key']) {
    const expected = createHmac('sha256', key).update(`${pms}+${externalId}`).digest();
    if (timingSafeEqual(expected, received) && keys.length > 0) matches = true;
  }
  return matches;
}
