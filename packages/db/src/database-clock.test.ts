import { expect, test } from 'vitest';
import { startDatabaseClock } from './database-clock.ts';
import type { Database } from './types.ts';

const start = Date.parse('2026-01-15T12:00:00Z');

/** A process and a database with separate clocks, and a network with a delay in each direction. */
function setup(skewMs: number) {
  let time = start;
  let skew = skewMs;
  let delays: [out: number, back: number] = [0, 0];
  let down = false;
  const logged: { level: string; skew_ms: unknown; message: string }[] = [];
  let timer: (() => void) | undefined;
  let answered = Promise.resolve();
  const log = (level: string) => (fields: object, message: string) =>
    logged.push({ level, skew_ms: (fields as { skew_ms: unknown }).skew_ms, message });
  const one = async <Row>() => {
    if (down) throw new Error('down');
    time += delays[0];
    const at = new Date(time);
    time += delays[1];
    return { at } as Row;
  };
  return {
    logged,
    options: {
      db: { kind: 'server', one } as unknown as Pick<Database, 'kind' | 'one'>,
      clock: {
        now: () => new Date(time + skew),
        after(_: number, run: () => void) {
          timer = run;
          return () => {
            timer = undefined;
          };
        },
      },
      log: { info: log('info'), warn: log('warn') },
    },
    set(changes: { skewMs?: number; delays?: [number, number]; down?: boolean }) {
      skew = changes.skewMs ?? skew;
      delays = changes.delays ?? delays;
      down = changes.down ?? down;
    },
    /** Advances until the next measurement and runs it. */
    async measureAgain() {
      time += 5_000;
      timer?.();
      answered = new Promise((resolve) => setImmediate(resolve));
      await answered;
    },
    databaseTime: () => time,
    measuring: () => timer !== undefined,
  };
}

test.each([[8_000], [-8_000], [3_600_000]])(
  'a process whose clock is off by %d ms shows the time of the database',
  async (skewMs) => {
    const { options, databaseTime } = setup(skewMs);
    const clock = await startDatabaseClock(options);
    expect(clock.now().getTime()).toBe(databaseTime());
    expect(clock.skewMs()).toBe(skewMs);
  },
);

test('a difference that network delay can explain is not corrected', async () => {
  const { options, set, measureAgain, databaseTime } = setup(40);
  set({ delays: [100, 0] });
  const clock = await startDatabaseClock(options);
  expect(clock.now().getTime()).toBe(databaseTime() + 40);
  set({ delays: [0, 2] });
  await measureAgain();
  expect(Math.abs(clock.now().getTime() - databaseTime())).toBeLessThanOrEqual(2);
  // A slow response has a wider interval than the quick one before it, so it changes nothing.
  set({ delays: [3_000, 0] });
  await measureAgain();
  expect(Math.abs(clock.now().getTime() - databaseTime())).toBeLessThanOrEqual(2);
});

test('a clock set while the process runs is corrected, and each change is logged once', async () => {
  const { options, set, measureAgain, databaseTime, logged } = setup(0);
  const clock = await startDatabaseClock(options);
  for (const skewMs of [8_000, 8_000, -2_500, -2_500, 0, 0]) {
    set({ skewMs });
    await measureAgain();
    expect(clock.now().getTime()).toBe(databaseTime());
  }
  expect(logged).toMatchObject([
    {
      level: 'warn',
      skew_ms: 8_000,
      message: expect.stringMatching(
        /^the clock of process \d+ on .+ is 8\.0 s ahead of the database's/,
      ),
    },
    {
      level: 'warn',
      skew_ms: -2_500,
      message: expect.stringContaining("is 2.5 s behind the database's"),
    },
    { level: 'info', skew_ms: 0, message: expect.stringContaining('agrees') },
  ]);
});

test('while the database is down the last correction stays', async () => {
  const { options, set, measureAgain, databaseTime, measuring } = setup(8_000);
  const clock = await startDatabaseClock(options);
  set({ down: true });
  await measureAgain();
  expect(clock.now().getTime()).toBe(databaseTime());
  expect(measuring()).toBe(true);
  clock.stop();
  expect(measuring()).toBe(false);
});

test('starting fails while the database is down', async () => {
  const { options, set } = setup(0);
  set({ down: true });
  await expect(startDatabaseClock(options)).rejects.toThrow('down');
});
