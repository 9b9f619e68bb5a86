import { describe, expect, test } from 'vitest';
import { createLoop } from './loop.ts';
import { VirtualClock } from './virtual-clock.ts';

describe('a loop', () => {
  test('runs at once and then after the time that each turn returns', async () => {
    const { loop, turns, finish, clock } = open();
    loop.start();
    expect(turns()).toBe(1);
    await finish(1_000);
    await clock.advance(999);
    expect(turns()).toBe(1);
    await clock.advance(1);
    expect(turns()).toBe(2);
  });

  test('can start later, or asleep', async () => {
    const later = open();
    later.loop.start(5);
    expect(later.turns()).toBe(0);
    await later.clock.advance(5);
    expect(later.turns()).toBe(1);

    const asleep = open();
    asleep.loop.start(null);
    await asleep.clock.advance(1_000_000);
    expect(asleep.turns()).toBe(0);
    asleep.loop.wake();
    expect(asleep.turns()).toBe(1);
  });

  test('never overlaps: waking a running loop many times causes one more turn', async () => {
    const { loop, turns, finish, clock } = open();
    loop.start();
    for (let call = 0; call < 3; call += 1) loop.wake();
    expect(turns()).toBe(1);
    await finish(null);
    expect(turns()).toBe(2);
    await finish(null);
    await clock.advance(1_000_000);
    expect(turns()).toBe(2);
  });

  test('a turn that wakes its own loop is followed by another one', async () => {
    const clock = new VirtualClock('2026-01-15T12:00:00Z');
    let running = 0;
    const seen: number[] = [];
    const loop = createLoop({
      clock,
      log: { error() {} },
      name: 'waking itself',
      retryMs: 250,
      async turn() {
        running += 1;
        seen.push(running);
        if (seen.length < 3) loop.wake();
        await settle();
        running -= 1;
        return null;
      },
    });
    loop.start();
    await loop.stop();
    expect(seen).toEqual([1]);
    loop.start();
    while (loop.busy()) await settle();
    expect(seen).toEqual([1, 1, 1]);
  });

  test('waking for a later time shortens the wait, and never lengthens it', async () => {
    const { loop, turns, finish, clock } = open();
    loop.start();
    await finish(1_000);
    loop.wake(300);
    loop.wake(2_000);
    await clock.advance(299);
    expect(turns()).toBe(1);
    await clock.advance(1);
    expect(turns()).toBe(2);
    // This also holds during a turn.
    loop.wake(200);
    await finish(null);
    await clock.advance(199);
    expect(turns()).toBe(2);
    await clock.advance(1);
    expect(turns()).toBe(3);
  });

  test('logs a failed turn and tries again after retryMs, however often it is woken', async () => {
    const { loop, turns, finish, fail, clock, errors } = open();
    loop.start();
    loop.wake();
    await fail();
    expect(errors).toEqual(['counting failed; trying again']);
    expect(loop.busy()).toBe(true);
    loop.wake();
    await clock.advance(249);
    expect(turns()).toBe(1);
    await clock.advance(1);
    expect(turns()).toBe(2);
    await finish(null);
    expect(loop.busy()).toBe(false);
  });

  test('stop waits for the running turn, and no other begins', async () => {
    const { loop, turns, finish, clock } = open();
    loop.start();
    loop.wake();
    let stopped = false;
    const stopping = loop.stop().then(() => {
      stopped = true;
    });
    await settle();
    expect(stopped).toBe(false);
    await finish(0);
    await stopping;
    loop.wake();
    await clock.advance(1_000_000);
    expect(turns()).toBe(1);
    expect(loop.busy()).toBe(false);
  });

  test('stop cancels the wait after a failed turn', async () => {
    const { loop, turns, fail, clock, idle } = open();
    loop.start();
    await fail();
    expect(idle()).toBe(0);
    await loop.stop();
    expect(loop.busy()).toBe(false);
    expect(idle()).toBe(1);
    await clock.advance(1_000_000);
    expect(turns()).toBe(1);
  });

  test('a turn that fails after stop is not tried again', async () => {
    const { loop, turns, fail, clock } = open();
    loop.start();
    const stopping = loop.stop();
    await fail();
    await stopping;
    await clock.advance(1_000_000);
    expect(turns()).toBe(1);
    expect(loop.busy()).toBe(false);
  });

  test('reports that it is idle after its last turn in a row, when busy() is false', async () => {
    const { loop, finish, idle } = open();
    loop.start();
    loop.wake();
    await finish(null);
    expect(idle()).toBe(0);
    await finish(null);
    expect(idle()).toBe(1);
  });

  test('can be started again after it was stopped', async () => {
    const { loop, turns, finish } = open();
    loop.start();
    await finish(null);
    await loop.stop();
    loop.start();
    expect(turns()).toBe(2);
  });
});

/** Creates a loop whose turns end when the test calls `finish` or `fail`. */
function open() {
  const clock = new VirtualClock('2026-01-15T12:00:00Z');
  const errors: string[] = [];
  const ends: { done: (waitMs: number | null) => void; fail: (error: Error) => void }[] = [];
  let idle = 0;
  let turns = 0;
  const loop = createLoop({
    clock,
    log: { error: (_, message) => errors.push(message) },
    name: 'counting',
    retryMs: 250,
    turn() {
      turns += 1;
      return new Promise((done, fail) => ends.push({ done, fail }));
    },
    onIdle() {
      if (!loop.busy()) idle += 1;
    },
  });
  return {
    loop,
    clock,
    errors,
    turns: () => turns,
    idle: () => idle,
    async finish(waitMs: number | null) {
      ends.shift()?.done(waitMs);
      await settle();
    },
    async fail() {
      ends.shift()?.fail(new Error('the database is down'));
      await settle();
    },
  };
}

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
