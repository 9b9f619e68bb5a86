import { expect, test } from 'vitest';
import { createFailureRun } from './failure-run.ts';

function start() {
  let now = 0;
  const lines: [string, object, string][] = [];
  const write = (level: string) => (fields: object, message: string) => {
    lines.push([level, fields, message]);
  };
  const run = createFailureRun({
    clock: { now: () => new Date(now) },
    log: { info: write('info'), warn: write('warn'), error: write('error') },
    level: 'error',
    started: 'down',
    ended: 'up',
  });
  const at = (ms: number) => {
    now = ms;
    return run;
  };
  return { lines, run, at };
}

test('a run of failures logs the first failure and, at the end, the count', () => {
  const { lines, run, at } = start();
  at(0).succeeded();
  for (let ms = 0; ms < 10_000; ms += 100) at(ms).failed({ n: ms });
  expect(run.active).toBe(true);
  at(12_000).succeeded();
  expect(lines).toHaveLength(1);
  at(15_000).succeeded();
  at(20_000).succeeded();
  expect(run.active).toBe(false);
  expect(lines).toEqual([
    ['error', { n: 0 }, 'down; further failures are counted'],
    ['info', { failures: 100, duration_ms: 12_000 }, 'up'],
  ]);
});

test('alternating failures and successes are one run', () => {
  const { lines, at } = start();
  for (let ms = 0; ms < 60_000; ms += 1_000) {
    at(ms).failed({});
    at(ms + 500).succeeded();
  }
  expect(lines).toHaveLength(1);
  at(64_000).succeeded();
  expect(lines[1]).toEqual(['info', { failures: 60, duration_ms: 59_500 }, 'up']);
  at(65_000).failed({});
  expect(lines).toHaveLength(3);
});
