import { expect, test } from 'vitest';
import { type Lane, startLane } from './lane.ts';

/** A clock whose timers run when the test says so, and a lane whose batches the test ends. */
function open({ phase, ...options }: Partial<Lane> & { phase?: number } = {}) {
  let now = new Date('2026-01-20T15:00:00Z').getTime();
  const timers: { ms: number; run: () => void }[] = [];
  const batches: { end: (count: number) => void; fail: (error: Error) => void }[] = [];
  const lines: object[] = [];
  let signal: AbortSignal | undefined;
  const record = (fields: object) => void lines.push(fields);
  const lane = startLane(
    {
      name: 'sweeping',
      everyMs: 60_000,
      batch: (stopping) =>
        new Promise((end, fail) => {
          signal = stopping;
          batches.push({ end, fail });
        }),
      ...options,
    },
    {
      clock: {
        now: () => new Date(now),
        after(ms, run) {
          const timer = { ms, run };
          timers.push(timer);
          return () => void timers.splice(timers.indexOf(timer), 1);
        },
      },
      log: { info: record, warn: record, error: record },
      ...(phase !== undefined && { phase }),
    },
  );
  return {
    lane,
    batches,
    lines,
    stopping: () => signal?.aborted,
    pass: (ms: number) => {
      now += ms;
    },
    waits: () => timers.map(({ ms }) => ms),
    runTimer: () => timers.splice(0, 1)[0]?.run(),
    async end(index: number, count: number) {
      batches[index]?.end(count);
      await settled();
    },
    async fail(index: number) {
      batches[index]?.fail(new Error('lost'));
      await settled();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a batch that found work is followed by another, an empty one by the usual wait', async () => {
  const { end, waits, runTimer, batches, lines } = open();
  await end(0, 50);
  expect(waits()).toEqual([5]);
  runTimer();
  await end(1, 7);
  runTimer();
  expect(lines).toEqual([]);
  await end(2, 0);
  expect(waits()).toEqual([60_000]);
  expect(lines).toEqual([{ lane: 'sweeping', done: 57, batches: 3 }]);
  runTimer();
  await end(3, 0);
  expect(batches).toHaveLength(4);
  expect(lines).toHaveLength(1);
});

test('with a phase, the second pass comes earlier, and the others after the usual wait', async () => {
  const { end, waits, runTimer } = open({ phase: 0.25 });
  await end(0, 0);
  expect(waits()).toEqual([15_000]);
  runTimer();
  await end(1, 0);
  expect(waits()).toEqual([60_000]);
});

test('a lane rests for as long as its batch took, between 5 and 250 ms', async () => {
  const { end, pass, waits, runTimer } = open();
  for (const [index, [took, rest]] of [
    [0, 5],
    [90, 90],
    [4_000, 250],
  ].entries()) {
    pass(took ?? 0);
    await end(index, 50);
    expect(waits()).toEqual([rest]);
    runTimer();
  }
});

test('stopping ends after the running batch, however much is left', async () => {
  const { lane, end, waits, batches, stopping } = open();
  expect(stopping()).toBe(false);
  let stopped = false;
  const done = lane.stop().then(() => {
    stopped = true;
  });
  expect(stopping()).toBe(true);
  await settled();
  expect(stopped).toBe(false);
  await end(0, 50);
  await done;
  expect(waits()).toEqual([]);
  expect(batches).toHaveLength(1);
});

test('a failed batch is logged and tried again after the usual wait', async () => {
  const { fail, waits, runTimer, batches, lines } = open();
  await fail(0);
  expect(lines).toEqual([{ err: new Error('lost') }]);
  expect(waits()).toEqual([60_000]);
  runTimer();
  expect(batches).toHaveLength(2);
});

test('a woken lane begins a pass at once, also after a failed batch', async () => {
  const { lane, fail, end, waits, batches } = open();
  await fail(0);
  lane.wake();
  expect(batches).toHaveLength(2);
  await end(1, 0);
  lane.wake();
  expect(batches).toHaveLength(3);
  // Something may have become due after the running batch looked.
  lane.wake();
  await end(2, 0);
  expect(batches).toHaveLength(4);
  await end(3, 0);
  expect(waits()).toEqual([60_000]);
});

test('workers run side by side, and their pass is logged once', async () => {
  const { end, runTimer, batches, lines } = open({ workers: 2 });
  expect(batches).toHaveLength(2);
  await end(0, 50);
  runTimer();
  await end(2, 0);
  expect(lines).toEqual([]);
  await end(1, 20);
  runTimer();
  runTimer();
  await end(3, 0);
  await end(4, 0);
  expect(lines).toEqual([{ lane: 'sweeping', done: 70, batches: 4 }]);
});
