import { mostListed } from '../domain/listed.ts';

/** The note below a table that lists only the newest rows. */
export const olderLeftOut = `Only the newest ${mostListed} are listed.`;

/** Formats an ISO instant to the minute: `2026-02-01 12:00 UTC`. */
export function formatMinute(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')} UTC`;
}

/** Formats an amount without a currency sign: `1234.50`. */
export function dollars(cents: number): string {
  return (cents / 100).toFixed(2);
}

const currency = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** Formats an amount for a sentence: `$1,234.50`, `−$293.00`. */
export function formatDollars(cents: number): string {
  return currency.format(cents / 100).replace('-', '−');
}

/** Formats a day for a sentence: `Nov 25, 2026`. */
export function formatDay(date: string): string {
  return day.format(new Date(`${date}T00:00:00Z`));
}

/** Formats a count with its noun: `1 entry`, `2 entries`. */
export function countOf(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
