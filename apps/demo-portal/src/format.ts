const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

export function usd(cents: number): string {
  return money.format(cents / 100);
}

/** Such as "Tue, Dec 1". */
export function shortDay(day: string): string {
  return inWords(day, { weekday: 'short', month: 'short', day: 'numeric' });
}

/** Such as "June 1, 2025". */
export function longDay(day: string): string {
  return inWords(day, { month: 'long', day: 'numeric', year: 'numeric' });
}

/** Such as "December 2026". */
export function monthOf(day: string): string {
  return inWords(day, { month: 'long', year: 'numeric' });
}

export function clockTime(instant: string): string {
  return new Date(instant).toLocaleTimeString('en-GB');
}

/** Formats a calendar day, independent of the browser's time zone. */
function inWords(day: string, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(`${day}T00:00:00Z`);
  return date.toLocaleDateString('en-US', { ...options, timeZone: 'UTC' });
}
