import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { CertificationKeysOutput } from '@svc/contract';
import type { Vault } from '@svc/runtime';

export interface SignedReport {
  readonly payload: string;
  readonly signature: string;
  readonly keyId: string;
}

/** Signs a report with ed25519. The payload is shown and stored byte for byte. */
export function signReport(vault: Vault, report: object): SignedReport {
  const [key] = signingKeys(vault);
  const payload = JSON.stringify(report);
  return {
    payload,
    signature: sign(null, Buffer.from(payload), key.privateKey).toString('base64'),
    keyId: key.keyId,
  };
}

/** Returns the keys that verify reports: one for each secret key of the service, newest first. */
export function readReportKeys(vault: Vault): CertificationKeysOutput {
  return {
    keys: signingKeys(vault).map(({ keyId, publicKey }) => ({
      key_id: keyId,
      algorithm: 'ed25519' as const,
      public_key: publicKey.toString('base64'),
    })),
  };
}

interface ReportKey {
  readonly privateKey: KeyObject;
  readonly publicKey: Buffer;
  readonly keyId: string;
}

// HKDF-Expand (RFC 5869, section 2.3) of one block: the secret key is random, so it needs no extraction.
const purpose = 'svc certification report, ed25519\x01';

/** The part of an ed25519 private key in PKCS #8 before its 32 bytes (RFC 8410). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

function signingKeys(vault: Vault): readonly [ReportKey, ...ReportKey[]] {
  const [first, ...others] = vault.digests(purpose);
  return [keyFrom(first), ...others.map(keyFrom)];
}

function keyFrom(seed: Buffer): ReportKey {
  const der = Buffer.concat([pkcs8Head, seed]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const publicKey = Buffer.from(x, 'base64url');
  return { privateKey, publicKey, keyId: publicKey.subarray(0, 8).toString('hex') };
}
