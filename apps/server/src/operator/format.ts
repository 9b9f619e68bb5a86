import { mostListed } from '../domain/listed.ts';

/** The note below a table that is cut. */
export const olderLeftOut = `Only the newest ${mostListed} are listed.`;

/** `2026-02-01 12:00 UTC`. */
export function toMinute(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')} UTC`;
}

/** `1234.50`, without a currency sign. */
export function dollars(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** `1 entry`, `2 entries`. */
export function countOf(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
