import { expect, test } from 'vitest';
import { calendarFile } from './calendar-file.ts';

const entry = {
  id: 'ins_2',
  date: '2026-02-09',
  title: 'Payment due: $380.03 (rent)',
  description: 'Svc takes this; help: help@svc.example, any day',
};

test('a payment is an all-day entry with a reminder', () => {
  const file = calendarFile([entry], '2026-02-01T18:00:00.000Z');
  const lines = file.split('\r\n');
  expect(lines[0]).toBe('BEGIN:VCALENDAR');
  expect(lines).toContain('DTSTART;VALUE=DATE:20260209');
  expect(lines).toContain('DTSTAMP:20260201T180000Z');
  expect(lines).toContain('TRIGGER:-PT15H');
  expect(file.endsWith('END:VCALENDAR\r\n')).toBe(true);
});

test('commas, semicolons, backslashes and line breaks are escaped', () => {
  const tricky = { ...entry, title: 'a,b;c\\d\ne' };
  expect(calendarFile([tricky], '2026-02-01T18:00:00Z')).toContain(
    'SUMMARY:a\\,b\\;c\\\\d\\ne\r\n',
  );
});

test('long lines are folded at 75 bytes without splitting characters', () => {
  const long = { ...entry, description: 'é'.repeat(200) };
  const file = calendarFile([long], '2026-02-01T18:00:00Z');
  const encoder = new TextEncoder();
  for (const line of file.split('\r\n'))
    expect(encoder.encode(line).length).toBeLessThanOrEqual(75);
  expect(file.replaceAll('\r\n ', '')).toContain('é'.repeat(200));
});
