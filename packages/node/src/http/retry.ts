const minDelayMs = 300;
const maxDelayMs = 8_000;
const longestRetryAfterMs = 60_000;

/**
 * Returns the milliseconds before the next attempt: the server's `Retry-After`, at most a minute. Without one, an
 * exponential backoff from 0.3 s to 8 s with jitter, so that clients that failed together spread out.
 */
export function pauseBeforeRetry(
  attempt: number,
  retryAfterMs: number | null,
  random: () => number,
): number {
  if (retryAfterMs !== null) return Math.min(retryAfterMs, longestRetryAfterMs);
  const bound = Math.min(maxDelayMs, minDelayMs * 2 ** attempt);
  return Math.round(minDelayMs + random() * (bound - minDelayMs));
}

/** Reads `Retry-After` as milliseconds: seconds, or a date relative to the response's `Date`; else null. */
export function readRetryAfter(headers: Headers): number | null {
  const value = headers.get('retry-after')?.trim();
  if (!value) return null;
  if (/^\d{1,6}$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(until) ? null : Math.max(0, until);
}

/** Returns whether the request can be sent again without a second effect. */
export function isRetryable(status: number, code: string): boolean {
  if (status === 408 || status === 429) return true;
  if (status === 409) return code === 'idempotency_key_in_progress';
  return status === 500 || (status >= 502 && status <= 504);
}
