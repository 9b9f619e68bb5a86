import { VirtualClock } from '@svc/runtime/testing';
import { describe, expect, test } from 'vitest';
import type { Claimed } from '../kernel/claimed.ts';
import { silentLog } from '../testing/harness.ts';
import { createWriteQueue } from './write-queue.ts';

interface Entry {
  readonly claimed: Pick<Claimed, 'owner' | 'messageId' | 'endpointId' | 'lease'>;
  readonly attempt: number;
}

describe('the write queue', () => {
  test('a single result is written at once, and those that arrive during the write in one batch', async () => {
    const { add, batches, finish } = open(2);
    await add(entryOf(1));
    await add(entryOf(2), entryOf(3));
    expect(sizes(batches)).toEqual([1]);
    await finish(0);
    expect(sizes(batches)).toEqual([1, 2]);
  });

  test('a second batch starts beside the first only when it is full, and never a third', async () => {
    const { add, batches, finish } = open(2);
    await add(entryOf(0));
    await add(...entriesFrom(1, 255));
    expect(sizes(batches)).toEqual([1]);
    await add(entryOf(256));
    expect(sizes(batches)).toEqual([1, 256]);
    await add(...entriesFrom(1_000, 300));
    expect(sizes(batches)).toEqual([1, 256]);
    await finish(1);
    expect(sizes(batches)).toEqual([1, 256, 256]);
  });

  test('the queue waits for gatherMs after a commit, unless a batch is full before', async () => {
    const { add, batches, finish, clock } = open(1, 5);
    await add(entryOf(1));
    await finish(0);
    await add(entryOf(2), entryOf(3));
    expect(sizes(batches)).toEqual([1]);
    await clock.advance(5);
    expect(sizes(batches)).toEqual([1, 2]);
    await finish(1);
    await add(...entriesFrom(10, 256));
    expect(sizes(batches)).toEqual([1, 2, 256]);
  });

  test('never writes two results of one delivery at a time', async () => {
    const { add, batches, finish, size } = open(2);
    await add(entryOf(1, 1), entryOf(1, 2));
    await add(...entriesFrom(2, 256), entryOf(1, 3));
    expect(
      batches.map((batch) => batch.filter(({ claimed }) => claimed.messageId === 'm1')),
    ).toEqual([[entryOf(1, 1)], []]);
    await finish(0);
    await finish(1);
    expect(batches[2]).toEqual([entryOf(1, 2)]);
    await finish(2);
    expect(batches[3]).toEqual([entryOf(1, 3)]);
    await finish(3);
    expect(size()).toBe(0);
  });

  test('keeps what the database refuses, and writes it again', async () => {
    const { add, batches, repeated, fail, finish, size, clock } = open(1);
    await add(entryOf(1));
    await fail(0);
    await add(entryOf(2));
    expect(sizes(batches)).toEqual([1]);
    await clock.advance(250);
    expect(batches[1]).toEqual([entryOf(1)]);
    expect(size()).toBe(2);
    await finish(1);
    expect(batches[2]).toEqual([entryOf(2)]);
    expect(repeated).toEqual([false, true, false]);
  });
});

function open(atOnce: number, gatherMs = 0) {
  const clock = new VirtualClock('2026-01-15T12:00:00Z');
  const batches: (readonly Entry[])[] = [];
  const repeated: boolean[] = [];
  const answers: { done: () => void; failed: (error: Error) => void }[] = [];
  const queue = createWriteQueue<Entry>({
    atOnce,
    gatherMs,
    clock,
    log: silentLog,
    write(batch, again) {
      batches.push(batch);
      repeated.push(again);
      return new Promise((done, failed) => answers.push({ done, failed }));
    },
    onWritten() {},
  });
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    clock,
    batches,
    repeated,
    size: queue.size,
    async add(...entries: Entry[]) {
      for (const entry of entries) queue.add(entry);
      await settled();
    },
    async finish(index: number) {
      answers[index]?.done();
      await settled();
    },
    async fail(index: number) {
      answers[index]?.failed(new Error('the database is away'));
      await settled();
    },
  };
}

function entryOf(message: number, attempt = 1): Entry {
  return {
    claimed: { owner: 'o', messageId: `m${message}`, endpointId: 'e', lease: null },
    attempt,
  };
}

function entriesFrom(from: number, count: number): Entry[] {
  return Array.from({ length: count }, (_, index) => entryOf(from + index));
}

function sizes(batches: readonly (readonly Entry[])[]): number[] {
  return batches.map((batch) => batch.length);
}
