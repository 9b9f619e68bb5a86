import { expect, test } from 'vitest';
import { nextTextTime, textSecondsLeft } from './quiet-hours.ts';

const next = (at: string, zone: string) => nextTextTime(new Date(at), zone).toISOString();

test.each([
  // 8 a.m. and 9 p.m. in Chicago, in winter
  ['2026-01-20T13:59:59Z', '2026-01-20T14:00:00.000Z'],
  ['2026-01-20T14:00:00Z', '2026-01-20T14:00:00.000Z'],
  ['2026-01-21T02:59:59Z', '2026-01-21T02:59:59.000Z'],
  ['2026-01-21T03:00:00Z', '2026-01-21T14:00:00.000Z'],
  // The clocks go forward in this night.
  ['2026-03-08T04:00:00Z', '2026-03-08T13:00:00.000Z'],
])('in Chicago a text of %s is sent at %s', (at, sent) => {
  expect(next(at, 'America/Chicago')).toBe(sent);
});

test.each([
  ['2026-01-20T12:00:00Z', '2026-01-20T18:00:00.000Z'],
  ['2026-01-20T20:00:00Z', '2026-01-20T20:00:00.000Z'],
  ['2026-01-21T01:00:00Z', '2026-01-21T18:00:00.000Z'],
])('without a zone, %s waits until it is day in all of the US', (at, sent) => {
  expect(next(at, 'UTC')).toBe(sent);
});

test('a text is valid until the night only', () => {
  expect(textSecondsLeft(new Date('2026-01-21T02:59:00Z'), 'America/Chicago')).toBe(60);
});
