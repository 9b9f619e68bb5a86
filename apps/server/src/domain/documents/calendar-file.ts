interface CalendarEntry {
  id: string;
  /** `YYYY-MM-DD`: an all-day entry. */
  date: string;
  title: string;
  description: string;
}

/**
 * Formats an iCalendar file (RFC 5545) of all-day entries, each with a reminder at 9 a.m. on the day before.
 * `stamp` is an instant, RFC 3339 in UTC.
 */
export function calendarFile(entries: readonly CalendarEntry[], stamp: string): string {
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Svc//Payments//EN'];
  for (const entry of entries) lines.push(...eventLines(entry, stamp));
  lines.push('END:VCALENDAR');
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}

function eventLines(entry: CalendarEntry, stamp: string): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${escapeText(entry.id)}@svc`,
    `DTSTAMP:${stamp.replaceAll(/[-:]|\.\d+/g, '')}`,
    `DTSTART;VALUE=DATE:${entry.date.replaceAll('-', '')}`,
    `SUMMARY:${escapeText(entry.title)}`,
    `DESCRIPTION:${escapeText(entry.description)}`,
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escapeText(entry.title)}`,
    'TRIGGER:-PT15H',
    'END:VALARM',
    'END:VEVENT',
  ];
}

function escapeText(text: string): string {
  return text.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/\r?\n/g, '\\n');
}

/** Folds a line into lines of at most 75 bytes without splitting a character (RFC 5545, 3.1). */
function fold(line: string): string {
  const encoder = new TextEncoder();
  let folded = '';
  let bytes = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (bytes + size > 75) {
      folded += '\r\n ';
      bytes = 1;
    }
    folded += character;
    bytes += size;
  }
  return folded;
}
