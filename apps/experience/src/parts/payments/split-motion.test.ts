import { expect, test } from 'vitest';
import { originOf } from './split-motion.ts';

const origins = (count: number, before: number) =>
  Array.from({ length: count }, (_, index) => originOf(index, count, before));

test('from two to four payments, each segment splits into two', () => {
  expect(origins(4, 2)).toEqual([
    'translateX(0%) scaleX(2)',
    'translateX(-100%) scaleX(2)',
    'translateX(0%) scaleX(2)',
    'translateX(-100%) scaleX(2)',
  ]);
});

test('from four to two payments, the first half of each segment grows over the second', () => {
  expect(origins(2, 4)).toEqual(['translateX(0%) scaleX(0.5)', 'translateX(0%) scaleX(0.5)']);
});

test('from two to three payments, no segment starts outside of the bar', () => {
  for (const [index, text] of origins(3, 2).entries()) {
    const [, shift = '', scale = ''] = /translateX\((.+)%\) scaleX\((.+)\)/.exec(text) ?? [];
    const start = index + Number(shift) / 100;
    expect(start).toBeGreaterThanOrEqual(0);
    expect(start + Number(scale)).toBeLessThanOrEqual(3.000001);
  }
});
