import type { Tone } from '@svc/ui/console/parts/state-mark.tsx';

/** The color of a status, by its class. */
export function toneOf(status: number): Tone {
  if (status >= 500) return 'bad';
  if (status >= 400) return 'warn';
  return status >= 300 ? 'info' : 'good';
}

/** The status as a row shows it. 499 means that the caller closed the connection. */
export function wordOf(status: number): string {
  return status === 499 ? '499 closed' : String(status);
}

/** "85 ms", "1.2 s". */
export function durationOf(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
