/** The longest wait that a receiver can ask for. */
export const longestRetryAfterMs = 24 * 3_600_000;

const seconds = /^\d{1,10}$/;
// The one date format that HTTP allows to send (RFC 9110, IMF-fixdate). Date.parse accepts many more.
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * When a response's `Retry-After` allows the next attempt: seconds after `answeredAt`, or a date. Never
 * more than 24 hours later. Null without the header, and for a value that is neither or in the past.
 */
export function retryAfterTime(header: string | undefined, answeredAt: Date): Date | null {
  const value = header?.trim() ?? '';
  const from = answeredAt.getTime();
  const at = seconds.test(value)
    ? from + Number(value) * 1_000
    : httpDate.test(value)
      ? Date.parse(value)
      : Number.NaN;
  return at > from ? new Date(Math.min(at, from + longestRetryAfterMs)) : null;
}
