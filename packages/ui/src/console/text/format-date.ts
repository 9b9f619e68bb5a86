/** Formats a date (`YYYY-MM-DD`) that belongs to no time zone: "Mar 1, 2026". */
export function formatDate(date: string): string {
  return day.format(new Date(`${date}T00:00:00Z`));
}

const day = new Intl.DateTimeFormat('en-US', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
