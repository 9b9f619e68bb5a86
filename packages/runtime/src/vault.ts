import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

/**
 * Encrypts secrets at rest with AES-256-GCM. The context of a secret, such as its row's id, is
 * authenticated too, so that a sealed value cannot be moved to another row.
 *
 * A vault has one or more keys: the first one seals, all of them open. A sealed value begins with a
 * prefix that names its key, so a key can be replaced while values of the old one are still stored.
 */
export interface Vault {
  seal(plain: string, context: string): Buffer;
  /** @throws Error when none of the keys sealed the value, or the context is another one */
  open(sealed: Buffer, context: string): string;
  /**
   * Returns the HMAC-SHA-256 of a text with each key, to compare the text without storing it. Without the key,
   * guesses cannot be tested. Store the first one; a stored one may equal any of them.
   */
  digests(plain: string): readonly [Buffer, ...Buffer[]];
  /** SHA-256 of each key, to check whether a database belongs to one of them. */
  fingerprints: readonly [Buffer, ...Buffer[]];
  /** The first bytes of every value that the first key sealed. */
  prefix: Buffer;
}

/**
 * The version of sealed values with these parts: prefix (version and key id), nonce, authentication tag, ciphertext.
 */
const version = 2;
const keyIdBytes = 4;
const nonceBytes = 12;
const tagBytes = 16;
/** Values of version 1 lack the key id: version, nonce, authentication tag, ciphertext. */
const versionWithoutKeyId = 1;

interface VaultKey {
  readonly key: Buffer;
  readonly fingerprint: Buffer;
  readonly prefix: Buffer;
}

/** One or more keys of 32 bytes. The first one seals, all of them open. */
export type SecretKeys = readonly [Buffer, ...Buffer[]];

/** Reads keys of 32 bytes as base64, separated by commas or white space. Undefined if one of them is not such a key. */
export function parseSecretKeys(text: string): SecretKeys | undefined {
  const keys = text
    .trim()
    .split(/[\s,]+/)
    .map(parseKey);
  const [first, ...others] = keys.filter((key) => key !== undefined);
  return first && keys.length === 1 + others.length ? [first, ...others] : undefined;
}

function parseKey(text: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  const key = Buffer.from(text, 'base64');
  return key.length === 32 ? key : undefined;
}

/**
 * Returns what makes a key guessable, as the end of a sentence; undefined for one that may be random. A random key
 * is refused less than once in 10^12 tries.
 */
export function weaknessOf(key: Buffer): string | undefined {
  if (key.every((byte) => byte >= 0x20 && byte < 0x7f)) return 'is text and not random bytes';
  const isPeriodic = [1, 2, 3, 4, 5, 6, 7, 8, 12, 16].some((period) =>
    key.every((byte, index) => byte === key[index % period]),
  );
  if (isPeriodic) return 'repeats itself';
  const step = (Number(key[1]) - Number(key[0])) & 0xff;
  const isCounting = key.every(
    (byte, i) => i === 0 || ((byte - Number(key[i - 1])) & 0xff) === step,
  );
  if (isCounting) return 'counts up or down';
  // 32 random bytes have 30 different values on average.
  return new Set(key).size < key.length / 2 ? 'has few different bytes' : undefined;
}

export function createVault(...[first, ...others]: SecretKeys): Vault {
  const current = describeKey(first);
  const older = others.map(describeKey);
  const keys = [current, ...older];
  return {
    seal: (plain, context) => Buffer.concat([current.prefix, encrypt(first, plain, context)]),
    open(sealed, context) {
      if (sealed[0] === versionWithoutKeyId) return openWithAny(keys, sealed.subarray(1), context);
      if (sealed[0] !== version) {
        throw new Error('The value was sealed by an unknown version of the vault.');
      }
      const prefixBytes = 1 + keyIdBytes;
      const prefix = sealed.subarray(0, prefixBytes);
      const found = keys.find((each) => each.prefix.equals(prefix));
      if (!found) {
        throw new Error('The value was sealed with a key that is not in SVC_SECRET_KEY.');
      }
      return decrypt(found.key, sealed.subarray(prefixBytes), context);
    },
    digests: (plain) => [digest(first, plain), ...others.map((key) => digest(key, plain))],
    fingerprints: [current.fingerprint, ...older.map(({ fingerprint }) => fingerprint)],
    prefix: current.prefix,
  };
}

function refuseWithoutKey(): never {
  throw new Error('This command runs without the secret key.');
}

/** A vault without keys, for commands that neither seal nor open anything. Using it throws. */
export const lockedVault: Vault = {
  seal: refuseWithoutKey,
  open: refuseWithoutKey,
  digests: refuseWithoutKey,
  get fingerprints() {
    return refuseWithoutKey();
  },
  get prefix() {
    return refuseWithoutKey();
  },
};

function describeKey(key: Buffer): VaultKey {
  const fingerprint = createHash('sha256').update('svc-fingerprint').update(key).digest();
  const prefix = Buffer.concat([Buffer.of(version), fingerprint.subarray(0, keyIdBytes)]);
  return { key, fingerprint, prefix };
}

function digest(key: Buffer, plain: string): Buffer {
  return createHmac('sha256', key).update('svc-digest').update(plain).digest();
}

function openWithAny(keys: readonly VaultKey[], encrypted: Buffer, context: string): string {
  let failure: unknown;
  for (const { key } of keys) {
    try {
      return decrypt(key, encrypted, context);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** Encrypts with AES-256-GCM and a random nonce. Returns nonce, authentication tag and ciphertext. */
export function encrypt(key: Buffer, plain: string, context: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const body = cipher.update(plain, 'utf8');
  const rest = cipher.final();
  return Buffer.concat([nonce, cipher.getAuthTag(), body, rest]);
}

/**
 * Opens what `encrypt` returned.
 * @throws Error when the value belongs to another key or context
 */
export function decrypt(key: Buffer, encrypted: Buffer, context: string): string {
  const tag = encrypted.subarray(nonceBytes, nonceBytes + tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, nonceBytes))
    .setAAD(Buffer.from(context))
    .setAuthTag(tag);
  const plain = decipher.update(encrypted.subarray(nonceBytes + tagBytes));
  return Buffer.concat([plain, decipher.final()]).toString('utf8');
}
