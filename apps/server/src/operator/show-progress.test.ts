import { expect, test } from 'vitest';
import { showProgress } from './show-progress.ts';

function run(isTTY: boolean, timesMs: readonly number[]): string[] {
  const written: string[] = [];
  let nowMs = 0;
  const stream = { isTTY, write: (text: string) => written.push(text) };
  const progress = showProgress(stream, { now: () => new Date(nowMs) });
  for (const [index, timeMs] of timesMs.entries()) {
    nowMs = timeMs;
    progress.update(`${index} of 9 tenants`);
  }
  progress.end();
  return written;
}

test('without a terminal there is a line every five seconds, and none for a short report', () => {
  expect(run(false, [10, 4_999, 5_000, 9_000, 10_001])).toEqual([
    '2 of 9 tenants\n',
    '4 of 9 tenants\n',
  ]);
  expect(run(false, [10, 4_999])).toEqual([]);
});

test('a terminal shows one line, which is gone at the end', () => {
  expect(run(true, [10, 250, 300])).toEqual(['\r\x1b[K1 of 9 tenants', '\r\x1b[K']);
});
