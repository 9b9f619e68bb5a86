import { expect, test } from 'vitest';
import { judge, judgeRow } from './judge.ts';
import { compare, plainRow } from './rows.ts';

const rates = (measured: number[], baseline: number[]) =>
  compare('calls', 'per second', { floor: 0.5 }, measured, baseline);

test('each round is compared with its own baseline, and the median counts', () => {
  const [measured, baseline] = rates([60, 50, 90], [100, 125, 100]);
  expect(measured).toMatchObject({ ratio: 0.6, spread: [0.4, 0.9], bare: [100, 125] });
  expect(baseline).toMatchObject({ value: 100, spread: [100, 125] });
  expect(judge([measured, baseline])).toEqual({ lines: [], exitCode: 0 });
});

test('a ratio out of its bounds fails', () => {
  const [slow] = rates([40, 40, 40], [100, 100, 100]);
  expect(judge([slow])).toEqual({ lines: ['out of bounds: calls'], exitCode: 1 });
  const [late] = compare('wait', 'ms', { ceiling: 2 }, [30], [10]);
  expect(judgeRow(late)).toBe('out of bounds');
});

test('a ratio that could not be measured fails', () => {
  const [measured] = rates([], []);
  expect(judgeRow(measured)).toBe('out of bounds');
});

test('a baseline that spreads by more than a third is not judged, whatever its ratio', () => {
  const [fast] = rates([90, 90, 90], [100, 134, 100]);
  const [slow] = rates([10, 10, 10], [100, 134, 100]);
  expect([fast, slow].map(judgeRow)).toEqual(['not judged', 'not judged']);
  expect(judge([fast])).toEqual({
    lines: [
      'not judged: calls: the baseline was between 100 and 134 per second, so the machine was busy',
    ],
    exitCode: 2,
  });
  const [steady] = rates([90, 90, 90], [100, 133, 100]);
  expect(judgeRow(steady)).toBe('within bounds');
});

test('a failed row decides the exit code when another one is not judged', () => {
  const [unjudged] = rates([90, 90], [100, 200]);
  const [slow] = rates([40, 40], [100, 100]);
  expect(judge([unjudged, slow])).toMatchObject({ exitCode: 1 });
});

test('a ratio to a constant is judged, and a row without a bound is not', () => {
  const late = { ...plainRow('exit', 900, 'ms'), ceiling: 1, ratio: 0.9 };
  expect(judgeRow(late)).toBe('within bounds');
  expect(judgeRow(plainRow('memory', 140, 'MB'))).toBeNull();
  const [shown] = compare('memory', 'MB', {}, [140], [100]);
  expect(judgeRow(shown)).toBeNull();
});
