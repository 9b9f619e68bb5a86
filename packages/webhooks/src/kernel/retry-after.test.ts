import { expect, test } from 'vitest';
import { retryAfterTime } from './retry-after.ts';

const at = new Date('2026-01-15T12:00:00.000Z');
const dayLater = '2026-01-16T12:00:00.000Z';

test.each([
  ['120', '2026-01-15T12:02:00.000Z'],
  [' 120 ', '2026-01-15T12:02:00.000Z'],
  ['86400', dayLater],
  ['86401', dayLater],
  ['9999999999', dayLater],
  ['Thu, 15 Jan 2026 12:30:00 GMT', '2026-01-15T12:30:00.000Z'],
  ['Fri, 31 Dec 9999 23:59:59 GMT', dayLater],
])('Retry-After: %s is obeyed, for 24 hours at most', (header, until) => {
  expect(retryAfterTime(header, at)?.toISOString()).toBe(until);
});

test.each([
  undefined,
  '',
  '0',
  '-5',
  '1.5',
  '1e9',
  '0x10',
  '99999999999999999999',
  '10, 20',
  'soon',
  'Infinity',
  'Thu, 15 Jan 2026 11:59:59 GMT',
  'Thu, 45 Jan 2026 12:30:00 GMT',
  '2026-01-16T00:00:00Z',
])('Retry-After: %s is ignored', (header) => {
  expect(retryAfterTime(header, at)).toBeNull();
});
