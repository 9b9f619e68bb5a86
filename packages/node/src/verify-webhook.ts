import type { WebhookEvent } from '@svc/contract';
import { Webhook } from 'standardwebhooks';
import { importPublicKey, type Verifier } from './public-key.ts';
import { type HeadersLike, readWebhookHeaders, type WebhookHeaders } from './webhook-headers.ts';
import { WebhookVerificationError } from './webhook-verification-error.ts';

export interface VerifyWebhookOptions {
  /** Maximum difference of `webhook-timestamp` from now, in seconds. Default: 300. */
  toleranceSeconds?: number;
  /** Default: the system clock. */
  now?: () => Date;
}

/**
 * Verifies that Svc sent a webhook recently, and returns the event. Synchronous, without network.
 *
 * @param rawBody the body as received, before any JSON parser: text or bytes.
 * @param secret the endpoint's `whsec_…` secret or `whpk_…` public key, or several during a rotation.
 * A public key verifies `v1a` signatures, and needs a runtime with `node:crypto`.
 * @throws WebhookVerificationError with a `reason`. Its message says what to do.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: HeadersLike,
  secret: string | readonly string[],
  options: VerifyWebhookOptions = {},
): WebhookEvent {
  const body = readBody(rawBody);
  const matches = signatureChecker(headers, secret, options);
  if (!matches(body)) throw explainMismatch(body, matches);
  return parseEvent(body);
}

/**
 * Reads the signatures of a request that Svc sent recently. Returns a function that checks whether one of them
 * signs a text.
 * @throws WebhookVerificationError for headers or a secret that cannot be used, and an old timestamp
 */
export function signatureChecker(
  headers: HeadersLike,
  secret: string | readonly string[],
  options: VerifyWebhookOptions,
): (text: string) => boolean {
  const signers = readSecrets(secret);
  const signed = readWebhookHeaders(headers);
  const sentAt = readTimestamp(signed.timestamp, options);
  const received = readSignatures(signed.signature, signers);
  return (text) => anyMatch(signers, received, signed, sentAt, text);
}

function readBody(rawBody: unknown): string {
  if (typeof rawBody === 'string') return rawBody;
  if (!(rawBody instanceof Uint8Array)) {
    throw new WebhookVerificationError(
      'body_not_raw',
      'The body was already parsed. Pass the text or bytes as received: read the raw body ' +
        'before any JSON middleware on this route.',
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(rawBody);
  } catch {
    throw new WebhookVerificationError(
      'mismatch',
      'The body is not UTF-8, so it was changed on the way or did not come from Svc.',
    );
  }
}

function readSecrets(secret: string | readonly string[]): Verifier[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!Array.isArray(secrets) || secrets.length === 0) {
    throw invalidSecret('There is no signing secret.');
  }
  return secrets.map((one: unknown) => {
    if (typeof one !== 'string') throw invalidSecret(`A signing secret is ${typeof one}.`);
    if (/^svc_(sandbox|production)_/.test(one)) {
      throw new WebhookVerificationError(
        'secret_is_api_key',
        'This is your API key. Webhooks are signed with the endpoint’s own whsec_ secret; ' +
          'find it on the endpoint’s page in the console.',
      );
    }
    if (one.startsWith('whpk_')) return importPublicKey(one);
    try {
      return verifierOf(new Webhook(one));
    } catch {
      throw invalidSecret('The signing secret is not whsec_ followed by base64.');
    }
  });
}

function verifierOf(signer: Webhook): Verifier {
  return {
    version: 'v1,',
    verifies: (signature, id, sentAt, body) =>
      equalInConstantTime(signer.sign(id, sentAt, body), signature),
  };
}

function invalidSecret(what: string): WebhookVerificationError {
  return new WebhookVerificationError(
    'invalid_secret',
    `${what} Copy it from the endpoint’s page in the console, without line breaks.`,
  );
}

function readTimestamp(text: string, options: VerifyWebhookOptions): Date {
  const { toleranceSeconds = 300, now = () => new Date() } = options;
  if (!(toleranceSeconds >= 0)) throw new TypeError('toleranceSeconds must be 0 or more.');
  if (!/^\d{1,12}$/.test(text)) {
    throw new WebhookVerificationError(
      'bad_timestamp',
      'The timestamp header is not a whole number of seconds since 1970.',
    );
  }
  const sentAt = Number(text);
  const age = Math.floor(now().getTime() / 1000) - sentAt;
  if (age > toleranceSeconds) throw timestampError('too_old', age, 'old', toleranceSeconds);
  if (age < -toleranceSeconds) throw timestampError('too_new', -age, 'ahead', toleranceSeconds);
  return new Date(sentAt * 1000);
}

function timestampError(
  reason: 'too_old' | 'too_new',
  seconds: number,
  where: string,
  limit: number,
) {
  return new WebhookVerificationError(
    reason,
    `The message is ${seconds} s ${where}, but only ${limit} s are allowed. It repeats an earlier ` +
      'request, or the clock of this machine is wrong.',
  );
}

/** The signatures of the kinds that the secrets and keys can verify. */
function readSignatures(header: string, verifiers: readonly Verifier[]): string[] {
  const received = header
    .split(' ')
    .filter((entry) => verifiers.some(({ version }) => entry.startsWith(version)));
  if (received.length > 0) return received;
  if (verifiers.some(({ version }) => version === 'v1,')) {
    throw new WebhookVerificationError(
      'no_v1',
      'The signature header has no v1 signature. A whsec_ secret verifies only v1 (HMAC-SHA256).',
    );
  }
  throw new WebhookVerificationError(
    'no_v1',
    'The signature header has no v1a signature, which a whpk_ key verifies. Set asymmetric_signature: true on the endpoint.',
  );
}

/** Compares every secret with every signature in constant time, without stopping at a match. */
function anyMatch(
  signers: readonly Verifier[],
  received: readonly string[],
  { id }: WebhookHeaders,
  sentAt: Date,
  body: string,
): boolean {
  let found = false;
  for (const { version, verifies } of signers) {
    for (const signature of received) {
      if (signature.startsWith(version)) found = verifies(signature, id, sentAt, body) || found;
    }
  }
  return found;
}

function equalInConstantTime(expected: string, given: string): boolean {
  let difference = expected.length ^ given.length;
  for (let index = 0; index < expected.length; index++) {
    difference |= expected.charCodeAt(index) ^ given.charCodeAt(index);
  }
  return difference === 0;
}

/**
 * The longest body, in characters, whose other forms are tried after a mismatch. The HMAC is pure JavaScript,
 * so a larger body with a wrong signature costs only one.
 */
const explainableLength = 64 * 1024;

/** Recognizes a body that was serialized again, or whose last line break was changed. */
function explainMismatch(body: string, matches: (body: string) => boolean) {
  const wasRewritten = body.length <= explainableLength && originalsOf(body).some(matches);
  if (wasRewritten) {
    return new WebhookVerificationError(
      'body_not_raw',
      'The signature matches the message, but the body was serialized again (spaces or line breaks ' +
        'differ). Pass it exactly as received, before any JSON middleware.',
    );
  }
  return new WebhookVerificationError(
    'mismatch',
    'No signature matches: the secret belongs to another endpoint, or the body or its id was ' +
      'changed. Check that the secret is this endpoint’s.',
  );
}

/** The bodies that a framework may have turned into this one. */
function originalsOf(body: string): string[] {
  const candidates = [body.trimEnd(), `${body}\n`];
  try {
    candidates.push(JSON.stringify(JSON.parse(body)));
  } catch {
    // Not JSON, so there is no other form of it.
  }
  return candidates.filter((candidate) => candidate !== body);
}

function parseEvent(body: string): WebhookEvent {
  let event: unknown;
  try {
    event = JSON.parse(body);
  } catch {
    event = null;
  }
  if (typeof event === 'object' && event !== null && !Array.isArray(event)) {
    return event as WebhookEvent;
  }
  throw new WebhookVerificationError(
    'body_not_raw',
    'The signature matches, but the body is not a JSON object.',
  );
}
