import type { WebhookEvent } from '@svc/contract';
import { Webhook } from 'standardwebhooks';
import { type HeadersLike, readWebhookHeaders, type WebhookHeaders } from './webhook-headers.ts';
import { WebhookVerificationError } from './webhook-verification-error.ts';

export interface VerifyWebhookOptions {
  /** How far `webhook-timestamp` may be from now, both ways, in seconds. Default 300. */
  toleranceSeconds?: number;
  /** The wall clock; the system's unless given. */
  now?: () => Date;
}

/**
 * Checks that a webhook was sent by Svc just now, and returns the event. Synchronous; no network.
 *
 * @param rawBody the body as it was received, before any JSON parser: text or bytes.
 * @param secret the endpoint's `whsec_…` secret; while you rotate it, all that are live.
 * @throws WebhookVerificationError with a `reason`; its message says what to do.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: HeadersLike,
  secret: string | readonly string[],
  options: VerifyWebhookOptions = {},
): WebhookEvent {
  const body = readBody(rawBody);
  const signers = readSecrets(secret);
  const signed = readWebhookHeaders(headers);
  const sentAt = readTimestamp(signed.timestamp, options);
  const received = readSignatures(signed.signature);

  const matches = (text: string) => anyMatch(signers, received, signed, sentAt, text);
  if (!matches(body)) throw explainMismatch(body, matches);
  return parseEvent(body);
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
      'The body is not UTF-8, and Svc sends nothing else: it was changed on the way, or is not ours.',
    );
  }
}

function readSecrets(secret: string | readonly string[]): Webhook[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!Array.isArray(secrets) || secrets.length === 0) {
    throw invalidSecret('No signing secret was given.');
  }
  return secrets.map((one: unknown) => {
    if (typeof one !== 'string') throw invalidSecret(`A signing secret is ${typeof one}.`);
    if (/^svc_(sandbox|production)_/.test(one)) {
      throw new WebhookVerificationError(
        'secret_is_api_key',
        'This is your API key. Webhooks are signed with the endpoint’s own whsec_ secret; ' +
          'find it on the endpoint’s page in the webhook portal.',
      );
    }
    try {
      return new Webhook(one);
    } catch {
      throw invalidSecret('The signing secret is not whsec_ followed by base64.');
    }
  });
}

function invalidSecret(what: string): WebhookVerificationError {
  return new WebhookVerificationError(
    'invalid_secret',
    `${what} Copy it from the endpoint’s page in the webhook portal, without line breaks.`,
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
  if (age > toleranceSeconds) throw offTime('too_old', age, 'old', toleranceSeconds);
  if (age < -toleranceSeconds) throw offTime('too_new', -age, 'ahead of us', toleranceSeconds);
  return new Date(sentAt * 1000);
}

function offTime(reason: 'too_old' | 'too_new', seconds: number, where: string, limit: number) {
  return new WebhookVerificationError(
    reason,
    `The message is ${seconds} s ${where}, and ${limit} s are allowed: it is a repetition of an ` +
      'earlier request, or this machine’s clock is wrong.',
  );
}

function readSignatures(header: string): string[] {
  const received = header.split(' ').filter((entry) => entry.startsWith('v1,'));
  if (received.length > 0) return received;
  throw new WebhookVerificationError(
    'no_v1',
    'The signature header holds no v1 signature; only v1 (HMAC-SHA256) is accepted.',
  );
}

/** Every secret against every signature, without stopping early. */
function anyMatch(
  signers: Webhook[],
  received: string[],
  { id }: WebhookHeaders,
  sentAt: Date,
  body: string,
): boolean {
  let found = false;
  for (const signer of signers) {
    const expected = signer.sign(id, sentAt, body);
    for (const signature of received) found = equalInConstantTime(expected, signature) || found;
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

/** Pure-JavaScript HMACs cost time, so a stranger's large body gets none beyond the first. */
const explainableLength = 64 * 1024;

/** A framework that parsed and re-wrote the JSON, or touched its last line break, is told so. */
function explainMismatch(body: string, matches: (body: string) => boolean) {
  const asSent = body.length <= explainableLength && asSentCandidates(body).some(matches);
  if (asSent) {
    return new WebhookVerificationError(
      'body_not_raw',
      'The signature fits, but the body was re-written on the way to this call (spaces or line ' +
        'breaks differ). Pass it exactly as received, before any JSON middleware.',
    );
  }
  return new WebhookVerificationError(
    'mismatch',
    'No signature matches: the secret belongs to another endpoint, or the body or its id was ' +
      'changed. Check that the secret is this endpoint’s.',
  );
}

function asSentCandidates(body: string): string[] {
  const candidates = [body.trimEnd(), `${body}\n`];
  try {
    candidates.push(JSON.stringify(JSON.parse(body)));
  } catch {
    // Not JSON: nothing to re-write.
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
    'The signature fits, but the body is not a JSON object, as every event is.',
  );
}
