import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

/**
 * Encrypts secrets at rest with AES-256-GCM. The context of a secret, such as its row's id, is
 * authenticated too, so that a sealed value cannot be moved to another row.
 */
export interface Vault {
  seal(plain: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
  /** HMAC-SHA-256 of a text, to compare it without storing it. Without the key, guesses cannot be tested. */
  digest(plain: string): Buffer;
  /** SHA-256 of the key, to check whether a database belongs to it. */
  fingerprint: Buffer;
}

const version = 1;

export function createVault(key: Buffer): Vault {
  return {
    seal(plain, context) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, context) {
      if (sealed[0] !== version)
        throw new Error('The value was sealed by an unknown version of the vault.');
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 13))
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(13, 29));
      const body = Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()]);
      return body.toString('utf8');
    },
    digest: (plain) => createHmac('sha256', key).update('svc-digest').update(plain).digest(),
    fingerprint: createHash('sha256').update('svc-fingerprint').update(key).digest(),
  };
}
