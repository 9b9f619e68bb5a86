import { WebhookVerificationError } from './webhook-verification-error.ts';

/** Verifies the signatures of one kind with one secret or key. */
export interface Verifier {
  /** The prefix of the signatures that it verifies. */
  readonly version: 'v1,' | 'v1a,';
  verifies(signature: string, id: string, sentAt: Date, body: string): boolean;
}

const keyBytes = 32;
const signatureBytes = 64;

/**
 * Reads a `whpk_…` key. The Web Crypto API verifies ed25519 only asynchronously, so this uses
 * `node:crypto`, which Node.js, Deno, Bun and other servers have.
 */
export function importPublicKey(text: string): Verifier {
  const bytes = decode(text.slice('whpk_'.length));
  if (bytes?.length !== keyBytes) {
    throw invalid('The public key is not whpk_ followed by the base64 of 32 bytes.');
  }
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  if (!crypto) {
    throw invalid('This runtime has no node:crypto, which verifies public keys. Use the secret.');
  }
  const x = text.slice('whpk_'.length).replaceAll('+', '-').replaceAll('/', '_').replace(/=$/, '');
  const key = crypto.createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return {
    version: 'v1a,',
    verifies(signature, id, sentAt, body) {
      const received = decode(signature.slice('v1a,'.length));
      if (received?.length !== signatureBytes) return false;
      const signed = `${id}.${Math.floor(sentAt.getTime() / 1000)}.${body}`;
      return crypto.verify(null, new TextEncoder().encode(signed), key, received);
    },
  };
}

function decode(base64: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function invalid(message: string): WebhookVerificationError {
  return new WebhookVerificationError('invalid_secret', message);
}
