import { WebhookVerificationError } from './webhook-verification-error.ts';

/** Headers of any framework: fetch's `Headers`, Node's record, or pairs. */
export type HeadersLike =
  | { get(name: string): string | null }
  | Record<string, string | readonly string[] | undefined>
  | Iterable<readonly [string, string]>;

export interface WebhookHeaders {
  id: string;
  timestamp: string;
  signature: string;
}

const headerFamilies = ['webhook', 'svix'] as const;
const headerParts = ['id', 'timestamp', 'signature'] as const;

/** Reads the three signed headers of one family. Prefers `webhook-*` if both families are complete. */
export function readWebhookHeaders(headers: HeadersLike): WebhookHeaders {
  const get = lookup(headers);
  for (const family of headerFamilies) {
    const [id, timestamp, signature] = headerParts.map((part) => get(`${family}-${part}`));
    if (id && timestamp && signature) return { id, timestamp, signature };
  }
  const family =
    headerFamilies.find((name) => headerParts.some((part) => get(`${name}-${part}`))) ?? 'webhook';
  const missing = headerParts.filter((part) => !get(`${family}-${part}`));
  throw new WebhookVerificationError(
    'missing_header',
    `The request lacks ${missing.map((part) => `${family}-${part}`).join(', ')}. ` +
      'Pass the headers of the request; a proxy may have removed these.',
  );
}

function lookup(headers: HeadersLike): (name: string) => string | undefined {
  if (headers === null || typeof headers !== 'object') {
    throw new TypeError('headers must be a Headers object, a record or an array of pairs.');
  }
  if (hasGetter(headers)) return (name) => headers.get(name) ?? undefined;
  const pairs = isIterable(headers) ? [...headers] : Object.entries(headers);
  const values = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (value === undefined) continue;
    const text = typeof value === 'string' ? value : value.join(' ');
    const earlier = values.get(name.toLowerCase());
    values.set(name.toLowerCase(), earlier === undefined ? text : `${earlier} ${text}`);
  }
  return (name) => values.get(name);
}

function hasGetter(headers: object): headers is { get(name: string): string | null } {
  return 'get' in headers && typeof headers.get === 'function';
}

function isIterable(headers: object): headers is Iterable<readonly [string, string]> {
  return Symbol.iterator in headers;
}
