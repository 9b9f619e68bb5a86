const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

export function usd(cents: number): string {
  return money.format(cents / 100);
}

/** Formats a date as "Tue 1 Dec", independent of the time zone. */
export function shortDay(day: string): string {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', { ...options, timeZone: 'UTC' });
  const [weekday, month] = [part({ weekday: 'short' }), part({ month: 'short' })];
  return `${weekday} ${Number(day.slice(8))} ${month}`;
}

/** "1 June 2025" */
export function longDay(day: string): string {
  return inWords(day, { day: 'numeric', month: 'long', year: 'numeric' });
}

/** "December 2026" */
export function monthOf(day: string): string {
  return inWords(day, { month: 'long', year: 'numeric' });
}

export function clockTime(instant: string): string {
  return new Date(instant).toLocaleTimeString('en-GB');
}

function inWords(day: string, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(`${day}T00:00:00Z`);
  return date.toLocaleDateString('en-GB', { ...options, timeZone: 'UTC' });
}
