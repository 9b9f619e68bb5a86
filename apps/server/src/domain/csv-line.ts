/** One line of a CSV file (RFC 4180), with its line break. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

/** A spreadsheet would run text with a leading sign as a formula, so such text gets an apostrophe. */
function cell(value: unknown): string {
  const text = value === null ? '' : String(value);
  const safe = /^\s*[=+\-@＝＋－＠\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
