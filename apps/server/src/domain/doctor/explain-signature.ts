import { createHash, createHmac } from 'node:crypto';

export interface SigningKey {
  readonly secret: string;
  /** Such as "the key that ends in ab12". */
  readonly name: string;
  readonly isRevoked: boolean;
  /** Its scopes allow it to sign widgets. */
  readonly signsWidgets: boolean;
}

export interface SignedIdentity {
  readonly pms: string;
  readonly externalId: string;
  /** The lease's id, which is a common mix-up. */
  readonly leaseId?: string | undefined;
}

/** Either the key that made the signature, or the mistake that did, or nothing. */
type SignatureFinding = { readonly key: SigningKey } | { readonly mistake: string } | undefined;

/**
 * Finds out how a signature was made: by a key over the right text, or by one of the usual mistakes.
 * Compares in plain time: the caller has the keys of this partner anyway.
 */
export function explainSignature(
  signature: string,
  keys: readonly SigningKey[],
  identity: SignedIdentity,
): SignatureFinding {
  const right = `${identity.pms}+${identity.externalId}`;
  const given = signature.trim().toLowerCase();
  for (const key of keys) {
    if (hmac(key.secret, right, 'hex') !== given) continue;
    if (key.isRevoked) return { mistake: `it was made with ${key.name}, which is revoked` };
    if (!key.signsWidgets) {
      return { mistake: `it was made with ${key.name}, which lacks the scope widget` };
    }
    if (signature !== given) return { mistake: 'it is not 64 lowercase hexadecimal digits' };
    return { key };
  }
  for (const key of keys) {
    for (const [mistake, made] of mistakesOf(key.secret, identity)) {
      if (made.toLowerCase() === given || made === signature.trim()) return { mistake };
    }
  }
  return undefined;
}

/** The mistakes that we have seen, each with the signature that it makes. */
function mistakesOf(key: string, { pms, externalId, leaseId }: SignedIdentity) {
  const right = `${pms}+${externalId}`;
  const texts: [mistake: string, text: string][] = [
    ['the "+" between pms and external_id is missing', pms + externalId],
    ['external_id comes before pms', `${externalId}+${pms}`],
    ['the "+" was decoded to a space', `${pms} ${externalId}`],
    ['pms and external_id are joined by ":" instead of "+"', `${pms}:${externalId}`],
    ['pms and external_id are joined by "." instead of "+"', `${pms}.${externalId}`],
    ['only external_id was signed', externalId],
    ['external_id was percent-encoded before signing', `${pms}+${encodeURIComponent(externalId)}`],
    ['the text that was signed ends with a line break', `${right}\n`],
    ['external_id was trimmed before signing', `${pms}+${externalId.trim()}`],
    ['external_id was composed (Unicode NFC) before signing', right.normalize('NFC')],
    ['external_id was decomposed (Unicode NFD) before signing', right.normalize('NFD')],
    ['external_id was lowercased before signing', `${pms}+${externalId.toLowerCase()}`],
    ['external_id was uppercased before signing', `${pms}+${externalId.toUpperCase()}`],
  ];
  if (leaseId !== undefined) {
    texts.push(['the id of the lease was signed instead of external_id', `${pms}+${leaseId}`]);
  }
  return [
    ...texts
      .filter(([, text]) => text !== right)
      .map(([mistake, text]) => [mistake, hmac(key, text, 'hex')] as const),
    ['the digest is base64 instead of hexadecimal', hmac(key, right, 'base64')] as const,
    ['the key ends with a line break', hmac(`${key}\n`, right, 'hex')] as const,
    ['the key stands in quotation marks', hmac(`"${key}"`, right, 'hex')] as const,
    ['it is an HMAC with SHA-1', hmac(key, right, 'hex', 'sha1')] as const,
    ['it is a plain SHA-256 instead of an HMAC', sha256(right)] as const,
    ['it is a SHA-256 of key and text instead of an HMAC', sha256(key + right)] as const,
  ];
}

function hmac(key: string, text: string, encoding: 'hex' | 'base64', hash = 'sha256'): string {
  return createHmac(hash, key).update(text).digest(encoding);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
