import type { Outcome } from '../send.ts';
import type { SentHeaders } from '../sending/request-headers.ts';

/** An attempt that was made: what was sent and what came of it. */
export interface Exchange {
  readonly url: string;
  readonly sent: SentHeaders;
  readonly outcome: Outcome;
}

/**
 * What is stored of an attempt only to be shown. One for each attempt ever made, so that what is
 * empty or follows from the row (the message's id, the time) is left out.
 */
export interface AttemptDetail {
  readonly url: string;
  readonly agent: string;
  readonly signature: string;
  readonly svix?: true;
  readonly hidden?: readonly string[];
  readonly answered?: Record<string, string>;
  readonly body?: string;
  readonly cut?: true;
  readonly error?: string;
  readonly ms: {
    readonly dns?: number;
    readonly connect?: number;
    readonly tls?: number;
    readonly first?: number;
    readonly total: number;
  };
}

export function attemptDetail({ url, sent, outcome }: Exchange): AttemptDetail {
  const { times } = outcome;
  return {
    url,
    agent: sent.userAgent,
    signature: sent.signature,
    ...(sent.svix && { svix: true }),
    ...(sent.hidden.length > 0 && { hidden: sent.hidden }),
    ...(outcome.status !== null && { answered: redactResponse(outcome.responseHeaders) }),
    ...(outcome.responseBody && { body: outcome.responseBody }),
    ...(outcome.responseTruncated && { cut: true }),
    ...(outcome.error !== null && { error: outcome.error }),
    ms: {
      ...(times.dns !== null && { dns: rounded(times.dns) }),
      ...(times.connect !== null && { connect: rounded(times.connect) }),
      ...(times.tls !== null && { tls: rounded(times.tls) }),
      ...(times.firstByte !== null && { first: rounded(times.firstByte) }),
      total: rounded(times.total),
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

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
