import { createHash, createHmac } from 'node:crypto';

export interface SigningKey {
  readonly secret: string;
  /** How messages name the key, such as "the key that ends in ab12". */
  readonly name: string;
  readonly isRevoked: boolean;
  /** True if its scopes allow it to sign widgets. */
  readonly signsWidgets: boolean;
}

export interface SignedIdentity {
  readonly pms: string;
  readonly externalId: string;
  /** The lease's id, which is a common mix-up. */
  readonly leaseId?: string | undefined;
}

/** The key that produced the signature, the known mistake that explains it, or undefined. */
type SignatureFinding = { readonly key: SigningKey } | { readonly mistake: string } | undefined;

/**
 * Finds out how a signature was made: by a key over the right text, or by one of the usual mistakes.
 * Comparisons need not take constant time: the caller has this partner's keys anyway.
 */
export function explainSignature(
  signature: string,
  keys: readonly SigningKey[],
  identity: SignedIdentity,
): SignatureFinding {
  const expectedText = `${identity.pms}+${identity.externalId}`;
  const received = signature.trim().toLowerCase();
  for (const key of keys) {
    if (hmac(key.secret, expectedText, 'hex') !== received) continue;
    if (key.isRevoked) return { mistake: `it was made with ${key.name}, which is revoked` };
    if (!key.signsWidgets) {
      return { mistake: `it was made with ${key.name}, which lacks the scope widget` };
    }
    if (signature !== received) return { mistake: 'it is not 64 lowercase hexadecimal digits' };
    return { key };
  }
  for (const key of keys) {
    for (const [mistake, wrongSignature] of mistakesOf(key.secret, identity)) {
      if (wrongSignature.toLowerCase() === received || wrongSignature === signature.trim()) {
        return { mistake };
      }
    }
  }
  return undefined;
}

/** Lists the mistakes that we have seen, each with the signature that it produces. */
function mistakesOf(key: string, { pms, externalId, leaseId }: SignedIdentity) {
  const expectedText = `${pms}+${externalId}`;
  const texts: [mistake: string, text: string][] = [
    ['the "+" between pms and external_id is missing', pms + externalId],
    ['external_id comes before pms', `${externalId}+${pms}`],
    ['the "+" was decoded to a space', `${pms} ${externalId}`],
    ['pms and external_id are joined by ":" instead of "+"', `${pms}:${externalId}`],
    ['pms and external_id are joined by "." instead of "+"', `${pms}.${externalId}`],
    ['only external_id was signed', externalId],
    ['external_id was percent-encoded before signing', `${pms}+${encodeURIComponent(externalId)}`],
    ['the text that was signed ends with a line break', `${expectedText}\n`],
    ['external_id was trimmed before signing', `${pms}+${externalId.trim()}`],
    ['external_id was composed (Unicode NFC) before signing', expectedText.normalize('NFC')],
    ['external_id was decomposed (Unicode NFD) before signing', expectedText.normalize('NFD')],
    ['external_id was lowercased before signing', `${pms}+${externalId.toLowerCase()}`],
    ['external_id was uppercased before signing', `${pms}+${externalId.toUpperCase()}`],
  ];
  if (leaseId !== undefined) {
    texts.push(['the id of the lease was signed instead of external_id', `${pms}+${leaseId}`]);
  }
  return [
    ...texts
      .filter(([, text]) => text !== expectedText)
      .map(([mistake, text]) => [mistake, hmac(key, text, 'hex')] as const),
    ['the digest is base64 instead of hexadecimal', hmac(key, expectedText, 'base64')] as const,
    ['the key ends with a line break', hmac(`${key}\n`, expectedText, 'hex')] as const,
    ['the key stands in quotation marks', hmac(`"${key}"`, expectedText, 'hex')] as const,
    ['it is an HMAC with SHA-1', hmac(key, expectedText, 'hex', 'sha1')] as const,
    ['it is a plain SHA-256 instead of an HMAC', sha256(expectedText)] as const,
    ['it is a SHA-256 of key and text instead of an HMAC', sha256(key + expectedText)] as const,
  ];
}

function hmac(key: string, text: string, encoding: 'hex' | 'base64', hash = 'sha256'): string {
  return createHmac(hash, key).update(text).digest(encoding);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
