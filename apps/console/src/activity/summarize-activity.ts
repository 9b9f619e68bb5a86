import type { Bucket } from '../api/activity.ts';

export interface Totals {
  delivered: number;
  failed: number;
  /** The success rate, such as "99.9%". Null if there were no attempts. */
  successPercent: string | null;
}

export function countOutcomes(buckets: readonly Pick<Bucket, 'delivered' | 'failed'>[]): Totals {
  const delivered = buckets.reduce((sum, bucket) => sum + bucket.delivered, 0);
  const failed = buckets.reduce((sum, bucket) => sum + bucket.failed, 0);
  return { delivered, failed, successPercent: percentOf(delivered, delivered + failed) };
}

/**
 * Formats a percentage, or returns null if `all` is 0. "100%" and "0%" never come from rounding: they mean that
 * nothing failed, or that nothing was delivered.
 */
export function percentOf(part: number, all: number): string | null {
  if (all === 0) return null;
  const exact = (100 * part) / all;
  if (exact > 99.9 && part < all) return '99.9%';
  if (exact < 0.1 && part > 0) return '0.1%';
  return `${exact % 1 === 0 ? exact : exact.toFixed(1)}%`;
}

/** Returns the smallest round number greater than or equal to `value`, for the top of an axis. */
export function axisTop(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const steps = power === 1 ? [1, 2, 3, 4, 5, 6, 8, 10] : [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
  return steps.map((step) => Math.round(step * power)).find((top) => top >= value) ?? value;
}

/** Formats the start of a bucket in the viewer's zone. Buckets of a day or more omit the time. */
export function nameBucket(at: string, stepSeconds: number): string {
  const instant = new Date(at);
  if (stepSeconds >= 86_400) return day.format(instant);
  return `${day.format(instant)}, ${clock.format(instant)}`;
}

/** Formats a time-axis label: the time if the axis spans a day, otherwise the date. */
export function nameEnd(at: string, spanSeconds: number): string {
  return spanSeconds <= 90_000 ? clock.format(new Date(at)) : day.format(new Date(at));
}

const day = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
});
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
