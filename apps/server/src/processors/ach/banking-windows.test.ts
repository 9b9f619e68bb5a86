import { describe, expect, test } from 'vitest';
import { effectiveOn, nextWriteTime, sameDayLimitInCents, settlesAt } from './banking-windows.ts';

const standard = { cutOff: '1700', sameDayCutOff: undefined };
const sameDay = { cutOff: '1700', sameDayCutOff: '1330' };
const small = 410_00;

/** The file's time and effective day for an entry of this instant, when the file is written on time. */
function plan(at: string, times: typeof standard | typeof sameDay, amount = small) {
  const written = nextWriteTime(new Date(at), amount, times);
  return `${written.toISOString().slice(0, 16)} for ${effectiveOn(written, written, times)}`;
}

describe('an entry is written at the next cut-off on a banking day, and settles on the next one', () => {
  test.each([
    ['Tuesday noon', '2026-02-03T17:00:00Z', '2026-02-03T22:00 for 2026-02-04'],
    ['at the cut-off', '2026-02-03T22:00:00Z', '2026-02-03T22:00 for 2026-02-04'],
    ['a minute later', '2026-02-03T22:01:00Z', '2026-02-04T22:00 for 2026-02-05'],
    ['Friday evening', '2026-02-06T23:00:00Z', '2026-02-09T22:00 for 2026-02-10'],
    ['before a holiday', '2026-01-16T17:00:00Z', '2026-01-16T22:00 for 2026-01-20'],
    ['on a holiday', '2026-01-19T17:00:00Z', '2026-01-20T22:00 for 2026-01-21'],
    ['in summer time', '2026-07-01T17:00:00Z', '2026-07-01T21:00 for 2026-07-02'],
  ])('%s', (_, at, planned) => {
    expect(plan(at, standard)).toBe(planned);
  });
});

describe('with the same-day window', () => {
  test.each([
    ['in the morning', '2026-02-03T15:00:00Z', small, '2026-02-03T18:30 for 2026-02-03'],
    ['in the afternoon', '2026-02-03T19:00:00Z', small, '2026-02-03T22:00 for 2026-02-04'],
    [
      'at the limit',
      '2026-02-03T15:00:00Z',
      sameDayLimitInCents,
      '2026-02-03T18:30 for 2026-02-03',
    ],
    [
      'above it',
      '2026-02-03T15:00:00Z',
      sameDayLimitInCents + 1,
      '2026-02-03T22:00 for 2026-02-04',
    ],
    ['on a holiday', '2026-01-19T15:00:00Z', small, '2026-01-20T18:30 for 2026-01-20'],
  ])('%s', (_, at, amount, planned) => {
    expect(plan(at, sameDay, amount)).toBe(planned);
  });

  test('a file that missed the window settles on the next banking day', () => {
    const window = nextWriteTime(new Date('2026-02-03T15:00:00Z'), small, sameDay);
    const late = new Date(window.getTime() + 31 * 60_000);
    expect(effectiveOn(late, window, sameDay)).toBe('2026-02-04');
  });
});

test('a file written after the cut-off settles as if it had come on the next banking day', () => {
  const window = new Date('2026-02-03T22:00:00Z');
  expect(effectiveOn(new Date('2026-02-03T22:29:00Z'), window, standard)).toBe('2026-02-04');
  expect(effectiveOn(new Date('2026-02-03T22:31:00Z'), window, standard)).toBe('2026-02-05');
  expect(effectiveOn(new Date('2026-02-04T12:00:00Z'), window, standard)).toBe('2026-02-05');
  expect(effectiveOn(new Date('2026-02-07T12:00:00Z'), window, standard)).toBe('2026-02-09');
});

test('an entry has succeeded when its banking days have passed without a return', () => {
  expect(settlesAt('2026-02-04', { returnDays: 3 })).toEqual(new Date('2026-02-09T14:00:00Z'));
  expect(settlesAt('2026-01-15', { returnDays: 3 })).toEqual(new Date('2026-01-21T14:00:00Z'));
});
