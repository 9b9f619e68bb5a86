import {
  createHmac,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign as signWithKey,
} from 'node:crypto';
import { EngineRefusal } from './refusal.ts';

const prefix = 'whsec_';
// Standard Webhooks requires 24 to 64 bytes. Secrets imported from elsewhere may be shorter.
const minKeyBytes = 16;
const maxKeyBytes = 64;

export interface Signed {
  readonly messageId: string;
  /** Whole seconds of the attempt's wall time. */
  readonly timestamp: number;
  /** The raw body, as sent. */
  readonly body: string | Buffer;
}

/**
 * The three Standard Webhooks headers as a list of name, value, name, value … With `svix`, the values
 * are also listed under their `svix-` names.
 */
export function signatureHeaders(signed: Signed, signature: string, svix: boolean): string[] {
  const { messageId } = signed;
  const timestamp = String(signed.timestamp);
  const headers = ['webhook-id', messageId, 'webhook-timestamp', timestamp];
  headers.push('webhook-signature', signature);
  if (!svix) return headers;
  headers.push('svix-id', messageId, 'svix-timestamp', timestamp, 'svix-signature', signature);
  return headers;
}

export interface SigningKey {
  /** The bytes of a secret, for `v1`, or an ed25519 private key, for `v1a`. */
  readonly key: Buffer | KeyObject;
  /** Null for the current secret. */
  readonly expiresAt: Date | null;
}

/** Signs with every secret that has not expired at the time of the attempt. */
export function signAttempt(signed: Signed, keys: readonly SigningKey[], at: Date): string {
  const live = keys.filter(({ expiresAt }) => expiresAt === null || expiresAt > at);
  return signatureOf(
    signed,
    live.map(({ key }) => key),
  );
}

/** One signature for each key, separated by spaces: a receiver needs to know only one of the keys. */
export function signatureOf(signed: Signed, keys: readonly (Buffer | KeyObject)[]): string {
  return keys.map((key) => sign(key, signed)).join(' ');
}

export function newSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** Decodes the key bytes of `whsec_<base64>`. @throws EngineRefusal `invalid_secret` */
export function parseSecret(secret: string): Buffer {
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : '';
  const key = Buffer.from(encoded, 'base64');
  const exact = unpadded(encoded) === unpadded(key.toString('base64'));
  if (exact && key.length >= minKeyBytes && key.length <= maxKeyBytes) return key;
  throw new EngineRefusal(
    'invalid_secret',
    `A signing secret is "whsec_" and the base64 of ${minKeyBytes} to ${maxKeyBytes} random bytes; leave it out and one is made.`,
    'secret',
  );
}

function unpadded(base64: string): string {
  return base64.replace(/={1,2}$/, '');
}

/** Creates an ed25519 key pair: the public key as `whpk_…`, and the private key as base64 of PKCS #8. */
export function newKeyPair(): { readonly publicKey: string; readonly privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const bytes = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  return {
    publicKey: `whpk_${bytes.toString('base64')}`,
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  };
}

function sign(key: Buffer | KeyObject, { messageId, timestamp, body }: Signed): string {
  const head = `${messageId}.${timestamp}.`;
  if (Buffer.isBuffer(key)) {
    return `v1,${createHmac('sha256', key).update(head).update(body).digest('base64')}`;
  }
  const bytes = Buffer.concat([Buffer.from(head), Buffer.from(body)]);
  return `v1a,${signWithKey(null, bytes, key).toString('base64')}`;
}
