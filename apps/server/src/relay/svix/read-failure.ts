import { ApiException } from 'svix';
import type { Handover } from '../destination.ts';
import { notSvix } from './svix-client.ts';

// A server that asks for more is asked again after this long.
const mostRetryAfterMs = 300_000;

type Failure = Exclude<Handover, { readonly kind: 'accepted' }>;

/** Says what the failure of a call means for the message. `now` is for a `Retry-After` that is a date. */
export function readFailure(error: unknown, now: Date): Failure {
  if (!(error instanceof ApiException)) {
    return retry(`Svix gave no usable answer: ${connectionFailure(error)}.`, true);
  }
  const { code, headers } = error;
  const summary = `Svix answered ${code}${detailOf(error)}`;
  switch (code) {
    case 400:
    case 422:
      if (isFromSvix(error)) return { kind: 'refused', reason: `${summary}.` };
      break;
    case 413:
      return { kind: 'refused', reason: `${summary}: the message is too large for the server.` };
    case 401:
    case 403:
      return { kind: 'stopped', reason: `${summary}: set SVIX_TOKEN to a token of this server.` };
    case 429: {
      const afterMs = retryAfterMs(headers['retry-after'], now);
      return { ...retry(`${summary}.`, false), ...(afterMs !== undefined && { afterMs }) };
    }
  }
  if (code < 500 && !isFromSvix(error)) {
    return retry(
      `${summary}, not as a Svix server does: check SVIX_SERVER_URL and its proxy.`,
      true,
    );
  }
  return retry(`${summary}.`, true);
}

export function isApiFailure(error: unknown, code: number): error is ApiException<unknown> {
  return error instanceof ApiException && error.code === code && isFromSvix(error);
}

function isFromSvix({ code, body }: ApiException<unknown>): boolean {
  return code >= 400 && (body as { code?: unknown } | null)?.code !== notSvix;
}

function retry(reason: string, outcomeUnknown: boolean) {
  return { kind: 'retry', reason, outcomeUnknown } as const;
}

/** The server's own words; pages of gateways and bodies of 5xx are left out. */
function detailOf({ code, body }: ApiException<unknown>): string {
  if (code >= 500 || code < 400) return '';
  const { detail } = (body ?? {}) as { detail?: unknown };
  if (typeof detail === 'string') return ` (${shortened(detail)})`;
  if (!Array.isArray(detail)) return '';
  const problems = detail.map((it: { loc?: unknown; msg?: unknown }) => {
    const place = Array.isArray(it.loc) ? it.loc.join('.') : '';
    return `${place} ${String(it.msg)}`.trim();
  });
  return ` (${shortened(problems.join('; '))})`;
}

function shortened(text: string): string {
  const line = text.replace(/\p{Cc}+/gu, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

/** `fetch failed` hides the reason in its cause, which names addresses but no headers. */
function connectionFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error instanceof SyntaxError) return 'it is not JSON, so it is not from Svix';
  if (error.name === 'TimeoutError') return 'none in time';
  const { cause } = error;
  const code = (cause as { code?: unknown } | undefined)?.code;
  if (typeof code === 'string') return code;
  return cause instanceof Error ? shortened(cause.message) : shortened(error.message);
}

/** Reads a `Retry-After` of seconds or a date. Undefined if there is none, or a wrong one. */
function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header.trim())
    ? Number(header) * 1_000
    : new Date(header).getTime() - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.min(mostRetryAfterMs, Math.max(1_000, ms));
}
