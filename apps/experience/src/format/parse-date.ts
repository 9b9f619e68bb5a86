/**
 * Parses a day as typed in the American order: `4/27/1990`, `04271990`, `4 27 1990`. Browsers fill in
 * `1990-04-27`. Returns the ISO date; null if there is no such day.
 */
export function parseDate(typed: string): string | null {
  const text = typed.trim();
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (iso !== null) return isoDateOf(iso[1] ?? '', iso[2] ?? '', iso[3] ?? '');
  const [, month = '', day = '', year = ''] =
    /^(\d\d)(\d\d)(\d{4})$/.exec(text) ?? /^(\d+)\D+(\d+)\D+(\d+)$/.exec(text) ?? [];
  return isoDateOf(year, month, day);
}

/** Returns the ISO date for a year, month and day as typed; null if there is no such day. */
function isoDateOf(year: string, month: string, day: string): string | null {
  if (!/^\d{4}$/.test(year) || !/^\d{1,2}$/.test(month) || !/^\d{1,2}$/.test(day)) return null;
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== iso ? null : iso;
}
