/** A real civil date, `YYYY-MM-DD`. */
export type Day = string;

/** The calendar day at `instant` in the property's time zone. */
export function dayAt(instant: Date, timeZone: string): Day {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(instant);
  const read = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return `${read('year')}-${read('month')}-${read('day')}`;
}

/** The next first of a month strictly after `day`. */
export function nextFirst(day: Day): Day {
  return firstOfMonth(day, 1);
}

export function dayBefore(day: Day): Day {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
}

/** The first of the month that is `offset` months from the month of `day`. */
export function firstOfMonth(day: Day, offset: number): Day {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + offset, 1)).toISOString().slice(0, 10);
}

/** The first day with a late fee: the 6th, after five days of grace. */
export function lateFeeFrom(due: Day): Day {
  return `${due.slice(0, 8)}06`;
}
