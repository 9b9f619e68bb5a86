import type { Claimed } from '../kernel/claimed.ts';
import type { SentHeaders } from '../sending/request-headers.ts';
import type { Outcome } from '../sending/send.ts';

/** An attempt that was made: what was sent and what came of it. */
export interface Exchange {
  readonly url: string;
  readonly sent: SentHeaders;
  readonly outcome: Outcome;
}

/** A finished attempt of a claimed delivery, to be recorded. */
export interface Result extends Exchange {
  readonly claimed: Claimed;
}

/**
 * What is stored of an attempt only to be shown. One for each attempt ever made, so that what is
 * empty or follows from the row (the message's id, the time) is left out.
 */
export interface AttemptDetail {
  readonly url: string;
  readonly agent: string;
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

export function attemptDetail({ url, sent, outcome }: Exchange): AttemptDetail {
  const { times } = outcome;
  // JSON leaves out what is undefined.
  return {
    url,
    agent: sent.userAgent,
    signature: sent.signature,
    svix: sent.svix || undefined,
    hidden: sent.hidden.length > 0 ? sent.hidden : undefined,
    answered: outcome.status === null ? undefined : redactResponse(outcome.responseHeaders),
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
  const { agent, signature, svix = false, hidden = [] } = detail;
  return { userAgent: agent, signature, svix, hidden };
}

const secretResponseHeaders = ['set-cookie', 'authorization'];

function redactResponse(headers: Record<string, string>): Record<string, string> {
  const secret = secretResponseHeaders.filter((name) => Object.hasOwn(headers, name));
  if (secret.length === 0) return headers;
  return { ...headers, ...Object.fromEntries(secret.map((name) => [name, '[redacted]'])) };
}

function rounded(ms: number | null): number | undefined {
  return ms === null ? undefined : Math.round(ms * 10) / 10;
}
