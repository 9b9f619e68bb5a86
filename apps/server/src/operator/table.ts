/**
 * Formats rows as columns of text for a terminal.
 * @param what the plural noun for the rows, for an empty table
 * @param note a line below the table, or an empty string
 */
export function table(
  what: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  note = '',
): string {
  if (rows.length === 0) return `There are no ${what}.\n`;
  // Some cells hold text from partners, and control characters could take over a terminal.
  const lines = [head, ...rows].map((line) => line.map((cell) => cell.replace(/\p{Cc}/gu, '?')));
  const widths = head.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const texts = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${[...texts, ...(note === '' ? [] : [note])].join('\n')}\n`;
}
