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

const currency = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** An amount in a sentence: `$1,234.50`, `−$293.00`. */
export function sumOf(cents: number): string {
  return currency.format(cents / 100).replace('-', '−');
}

/** A day in a sentence: `Nov 25, 2026`. */
export function dayOf(date: string): string {
  return day.format(new Date(`${date}T00:00:00Z`));
}

/** `1 entry`, `2 entries`. */
export function countOf(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
