import type { JsonSchema } from '@svc/db';
import type { Claimed } from '../kernel/claimed.ts';
import { defaultUserAgent, type SentHeaders } from '../sending/request-headers.ts';
import type { Outcome } from '../sending/send.ts';

/** A finished attempt: the request and its outcome. */
export interface Exchange {
  /** The endpoint honors `Retry-After`. */
  readonly honorsRetryAfter: boolean;
  readonly url: string;
  readonly sent: SentHeaders;
  readonly outcome: Outcome;
}

/** A finished attempt of a claimed delivery, to be recorded. */
export interface Result extends Exchange {
  readonly claimed: Claimed;
}

/**
 * The part of a stored attempt that is only shown, never queried. There is one for every attempt ever
 * made, so the names are short, and values that are empty or follow from the row are left out.
 */
export interface AttemptDetail {
  readonly url: string;
  /** Left out together with `svix` if both are the default: our user agent, and both families of headers. */
  readonly agent?: string | undefined;
  readonly signature: string;
  readonly svix?: true | undefined;
  readonly hidden?: readonly string[] | undefined;
  readonly answered?: Record<string, string> | undefined;
  readonly body?: string | undefined;
  readonly cut?: true | undefined;
  readonly error?: string | undefined;
  readonly proxy?: true | undefined;
  readonly ms: {
    readonly dns?: number | undefined;
    readonly connect?: number | undefined;
    readonly tls?: number | undefined;
    readonly first?: number | undefined;
    readonly total: number;
  };
}

/** Checks in tests what every stored detail has; the rest is optional. */
export const detailSchema: JsonSchema<AttemptDetail> = {
  '~standard': {
    validate(value) {
      const { url, signature, ms } = value as Partial<AttemptDetail>;
      const texts = [url, signature].every((each) => typeof each === 'string');
      const complete = texts && typeof ms?.total === 'number';
      return complete ? {} : { issues: [{ message: 'url, signature or ms.total is missing' }] };
    },
  },
};

export function attemptDetail({
  url,
  sent,
  outcome,
}: Omit<Exchange, 'honorsRetryAfter'>): AttemptDetail {
  const { times } = outcome;
  const isUsual = sent.userAgent === defaultUserAgent && sent.svix;
  // JSON.stringify leaves out undefined values.
  return {
    url,
    agent: isUsual ? undefined : sent.userAgent,
    signature: sent.signature,
    svix: (!isUsual && sent.svix) || undefined,
    hidden: sent.hidden.length > 0 ? sent.hidden : undefined,
    answered: outcome.status === null ? undefined : storedHeaders(outcome.responseHeaders),
    body: outcome.responseBody || undefined,
    cut: outcome.responseTruncated || undefined,
    error: outcome.error ?? undefined,
    proxy: outcome.atProxy || undefined,
    ms: {
      dns: rounded(times.dns),
      connect: rounded(times.connect),
      tls: rounded(times.tls),
      first: rounded(times.firstByte),
      total: rounded(times.total) ?? 0,
    },
  };
}

export function sentHeaders(detail: AttemptDetail): SentHeaders {
  const { agent, signature, svix = agent === undefined, hidden = [] } = detail;
  return { userAgent: agent ?? defaultUserAgent, signature, svix, hidden };
}

const secretResponseHeaders = ['set-cookie', 'authorization'];

// These describe the connection and not the response.
const connectionHeaders = ['connection', 'keep-alive'];

function storedHeaders(headers: Record<string, string>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !connectionHeaders.includes(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      secretResponseHeaders.includes(name) ? '[redacted]' : value,
    ]),
  );
}

function rounded(ms: number | null): number | undefined {
  return ms === null ? undefined : Math.round(ms * 10) / 10;
}
