import { expect, test } from 'vitest';
import { nextAttemptAt, retrySchedule } from './retry-schedule.ts';

const start = new Date('2026-03-08T06:59:58.123Z');

test('eight attempts fall due 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h after one another', () => {
  const offsets: number[] = [];
  let due: Date | null = start;
  for (let made = 1; due; made += 1) {
    offsets.push((due.getTime() - start.getTime()) / 1000);
    due = nextAttemptAt(made, due);
  }
  expect(offsets).toEqual([0, 5, 305, 2_105, 9_305, 27_305, 63_305, 99_305]);
  expect(retrySchedule).toHaveLength(8);
});

test('each wait counts from the end of the failed attempt', () => {
  const failedAt = new Date(start.getTime() + 14_999);
  expect(nextAttemptAt(1, failedAt)?.getTime()).toBe(start.getTime() + 19_999);
});

test('there is no ninth attempt', () => {
  expect(nextAttemptAt(8, start)).toBeNull();
  expect(nextAttemptAt(9, start)).toBeNull();
});
