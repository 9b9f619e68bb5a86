import { expect, test } from 'vitest';
import { isAdult } from './adult.ts';

test.each([
  ['2008-02-01', '2026-02-01', true],
  ['2008-02-02', '2026-02-01', false],
  ['2012-06-15', '2026-02-01', false],
  // Somebody born on a leap day turns 18 on March 1 if that year has no leap day.
  ['2008-02-29', '2026-02-28', false],
  ['2008-02-29', '2026-03-01', true],
  ['1940-12-31', '2026-02-01', true],
])('born on %s, on %s: adult is %s', (dateOfBirth, today, adult) => {
  expect(isAdult(dateOfBirth, today)).toBe(adult);
});
