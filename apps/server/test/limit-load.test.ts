import type { Cluster } from '@svc/db';
import { expect, test } from 'vitest';
import { createLoadLimit, Overloaded } from '../src/http/edge/limit-load.ts';
import { createTestClock } from './support/test-clock.ts';

const limit = 20;
const limitOfAll = 40;

function open(cluster?: Cluster) {
  const clock = createTestClock('2026-01-20T15:00:00Z');
  const lines: { message: string; fields: object }[] = [];
  const record = (fields: object, message: string) => void lines.push({ message, fields });
  const log = { info: record, warn: record, error: record };
  const load = createLoadLimit({ clock, log, ...(cluster && { cluster }) });
  const ends: (() => void)[] = [];
  const run = (name: string, caller = 'a partner') =>
    load.run(caller, () => new Promise<string>((end) => ends.push(() => end(name))));
  return { clock, load, lines, ends, run };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('requests beyond the limit wait, and start in the order in which they came', async () => {
  const { load, ends, run, lines } = open();
  const running = Array.from({ length: limit + 2 }, (_, index) => run(`r${index}`));
  await settled();
  expect(ends).toHaveLength(limit);
  ends[0]?.();
  await settled();
  expect(ends).toHaveLength(limit + 1);
  for (let index = 1; index < limit; index += 1) ends[index]?.();
  await settled();
  ends[limit]?.();
  ends[limit + 1]?.();
  expect(await Promise.all(running)).toEqual(running.map((_, index) => `r${index}`));
  // All places are free again.
  const again = Array.from({ length: limit }, () => run('again'));
  await settled();
  expect(ends).toHaveLength(2 * limit + 2);
  for (const end of ends) end();
  await Promise.all(again);
  expect(load.shed()).toBe(0);
  expect(lines).toEqual([]);
});

test('while the head of the queue waits for too long, new requests are refused at once', async () => {
  const { clock, load, ends, run, lines } = open();
  const running = Array.from({ length: limit + 1 }, () => run('early'));
  clock.advance(499);
  load.check('a partner');
  clock.advance(1);
  expect(() => load.check('a partner')).toThrow(Overloaded);
  expect(() => load.check('a partner')).toThrow(Overloaded);
  for (const end of ends.splice(0)) end();
  await settled();
  for (const end of ends.splice(0)) end();
  await Promise.all(running);
  load.check('a partner');
  clock.advance(5_000);
  load.check('a partner');
  // Two lines, however many were refused.
  expect(lines).toMatchObject([
    { message: 'overloaded, request refused; further failures are counted' },
    { message: 'requests are no longer refused', fields: { failures: 2 } },
  ]);
});

test('a request that has waited for a second is refused, and leaves its place to the next', async () => {
  const { clock, load, ends, run } = open();
  const running = Array.from({ length: limit }, () => run('running'));
  const late = run('late');
  clock.advance(600);
  const next = run('next');
  clock.advance(400);
  await expect(late).rejects.toThrow(Overloaded);
  expect(load.shed()).toBe(1);
  ends[0]?.();
  await settled();
  ends[limit]?.();
  expect(await next).toBe('next');
  for (const end of ends) end();
  await Promise.all(running);
});

test('a request that fails frees its place', async () => {
  const { ends, load, run } = open();
  const failing = Array.from({ length: limit }, () =>
    load.run('a partner', () => Promise.reject(new Error('no'))),
  );
  await Promise.allSettled(failing);
  const running = Array.from({ length: limit }, () => run('fine'));
  await settled();
  expect(ends).toHaveLength(limit);
  for (const end of ends) end();
  await Promise.all(running);
});

test('a partner that sends more than its share keeps no other partner waiting', async () => {
  const { clock, load, ends, run } = open();
  const flood = Array.from({ length: 200 }, () => run('flood', 'flooding'));
  await settled();
  expect(ends).toHaveLength(limit);
  clock.advance(700);
  expect(() => load.check('flooding')).toThrow(Overloaded);
  // Another partner is neither refused nor waits.
  load.check('another');
  const calls = Array.from({ length: limit }, () => run('call', 'another'));
  await settled();
  expect(ends).toHaveLength(limitOfAll);
  for (const end of ends.slice(limit)) end();
  expect(await Promise.all(calls)).toHaveLength(limit);
  while (ends.length > 0) {
    for (const end of ends.splice(0)) end();
    await settled();
  }
  await Promise.all(flood);
});

test('a server of a cluster that hangs leaves places to the partners of the others', async () => {
  const partners = ['a', 'b', 'c', 'd', 'e'];
  const serverOf = new Map([...partners.map((id) => [id, 1] as const), ['f', 2]]);
  const cluster: Cluster = { outage: undefined, serverOf };
  const { clock, load, ends, run } = open(cluster);
  const hanging = Array.from({ length: 5 }, () => partners)
    .flat()
    .map((id) => run('hanging', id).catch(() => 'refused'));
  await settled();
  expect(ends).toHaveLength(6);
  const others = [run('other', 'f'), run('new', 'a partner of no known server')];
  await settled();
  for (const end of ends.splice(6)) end();
  expect(await Promise.all(others)).toEqual(['other', 'new']);
  clock.advance(1_000);
  // The server's share is 20 calls.
  expect(load.shed()).toBe(5);
  cluster.outage = { servers: ['127.0.0.1:5432'], reachable: ['f'] };
  // The partner has moved: its running calls still count against the server they began on.
  for (const id of partners) serverOf.set(id, 2);
  for (const end of ends.splice(0)) end();
  // Calls that were waiting for a connection end as well.
  expect((await Promise.all(hanging)).filter((it) => it === 'hanging')).toHaveLength(6);
  cluster.outage = undefined;
  const moved = Array.from({ length: 7 }, () => run('moved', 'a'));
  await settled();
  expect(ends).toHaveLength(6);
  for (const end of ends.splice(0)) end();
  await settled();
  for (const end of ends) end();
  await Promise.all(moved);
});

test('where every place is taken, callers get the free ones in turn', async () => {
  const { ends, run } = open();
  const started: string[] = [];
  const call = (caller: string) => run(caller, caller).then((name) => started.push(name));
  const running = [...Array(limit).fill('a'), ...Array(limit).fill('b')].map(call);
  const waiting = ['c', 'c', 'c', 'd', 'e', 'd'].map(call);
  await settled();
  expect(ends).toHaveLength(limitOfAll);
  for (let freed = 0; freed < waiting.length; freed += 1) {
    ends[freed]?.();
    await settled();
  }
  started.length = 0;
  for (const end of ends.slice(limitOfAll)) end();
  await Promise.all(waiting);
  expect(started).toEqual(['c', 'd', 'e', 'c', 'd', 'c']);
  for (const end of ends) end();
  await Promise.all(running);
});

test('a call whose caller has left the line does not start', async () => {
  const { load, ends, run } = open();
  const running = Array.from({ length: limit }, () => run('running'));
  let started = false;
  const left = load.run(
    'a partner',
    async () => {
      started = true;
    },
    () => {
      throw new Error('left');
    },
  );
  const next = run('next');
  await settled();
  ends[0]?.();
  await expect(left).rejects.toThrow('left');
  await settled();
  ends[limit]?.();
  expect(await next).toBe('next');
  expect(started).toBe(false);
  for (const end of ends) end();
  await Promise.all(running);
});
