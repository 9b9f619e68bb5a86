import type { Tone } from '@svc/ui/console/parts/state-mark.tsx';

/** Returns the color of a status code's class. */
export function toneOf(status: number): Tone {
  if (status >= 500) return 'bad';
  if (status >= 400) return 'warn';
  return status >= 300 ? 'info' : 'good';
}

/** Formats a status code for a row. 499 means that the caller closed the connection. */
export function statusLabel(status: number): string {
  return status === 499 ? '499 closed' : String(status);
}

/** Formats a duration: "85 ms", "1.2 s". */
export function durationOf(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
