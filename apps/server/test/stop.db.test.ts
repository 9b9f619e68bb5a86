import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openDatabase, raw, sql } from '@svc/db';
import { oneRowOf, testKind } from '@svc/db/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Running, startRunning } from './harness.ts';
import { serviceTarget } from './support/service-database.ts';

// A stop takes at most 20 s of the service's clock: an attempt ends after 15 s, the engine waits for
// 16 s, and everything together for 17 s. Tests move that clock, so they do not wait.
const attemptMs = 15_000;
const stopMs = 17_000;

/** Receives webhooks and never answers. */
const receiver = createServer();
let url = '';
beforeEach(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
afterEach(() => {
  receiver.removeAllListeners('request');
  receiver.closeAllConnections();
  return new Promise<void>((resolve) => void receiver.close(() => resolve()));
});

/** Publishes a message and resolves when its attempt is in flight. */
async function publishToHanging(svc: Running): Promise<void> {
  const { key } = await svc.newPartner();
  await svc.call('POST', '/webhooks/endpoints', { key, body: { url } });
  const arrived = new Promise<IncomingMessage>((resolve) => receiver.once('request', resolve));
  const body = { event_type: 'plan.created', data: {} };
  await svc.call('POST', '/webhooks/messages', { key, body });
  await arrived;
}

/** Begins to stop the service, and moves its clock once everything waits. */
async function closeWithin(svc: Running, ms: number): Promise<{ done: Promise<void> }> {
  const done = svc.close();
  await new Promise((resolve) => setImmediate(resolve));
  svc.clock.advance(ms);
  return { done };
}

interface Stored {
  failed: number;
  due: number;
}

const stored = sql`
  select (select count(*) from webhook_attempts where error_class = 'timeout') as failed,
    (select count(*) from webhook_deliveries_open) as due`;

test('a stop waits for an attempt whose receiver never answers, until its deadline of 15 s', async () => {
  const { target, drop } = await serviceTarget();
  const svc = await startRunning({ database: target });
  await publishToHanging(svc);
  let closed = false;
  const closing = svc.close().then(() => {
    closed = true;
  });
  svc.clock.advance(attemptMs - 1);
  // The attempt is still in flight, so this answer comes from a process that is stopping.
  expect([svc.engine.stats().in_flight, closed]).toEqual([1, false]);
  svc.clock.advance(1);
  await closing;
  const db = await openDatabase(target);
  expect(await oneRowOf<Stored>(db, stored)).toEqual({ failed: 1, due: 1 });
  await db.close();
  await drop();
});

// The embedded database has one session, so a lock in it would stop this test, too.
test.runIf(testKind() === 'postgres')(
  'a stop ends after 17 s although an attempt that has ended cannot be stored, and loses nothing',
  async () => {
    const { target, drop } = await serviceTarget();
    const svc = await startRunning({ database: target });
    await publishToHanging(svc);
    const limits = { statement: 0, lock: 0, idleInTransaction: 0 };
    const db = await openDatabase(target, { pool: 2, limits });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let locking: Promise<void> = Promise.resolve();
    await new Promise<void>((locked) => {
      locking = db.transaction(async (tx) => {
        await tx.run(raw('lock table webhook_attempts in access exclusive mode'));
        locked();
        await released;
      });
    });
    await (await closeWithin(svc, stopMs)).done;
    release();
    await locking;
    // The delivery is leased to the stopped process, and due again when that lease ends.
    const { failed, due } = await oneRowOf<Stored>(db, stored);
    const { leased } = await oneRowOf<{ leased: number }>(
      db,
      sql`select count(*) as leased from webhook_leases`,
    );
    expect(failed).toBe(0);
    expect(due + leased).toBeGreaterThan(0);
    await db.close();
    await drop();
  },
);

test('a stop ends after 17 s although a request hangs', async () => {
  const svc = await startRunning();
  const { key } = await svc.newPartner();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let started = () => {};
  const running = new Promise<void>((resolve) => {
    started = resolve;
  });
  // The command's transaction commits only after this publish.
  const { publish } = svc.service;
  Object.assign(svc.service, {
    async publish(...args: Parameters<typeof publish>) {
      started();
      await released;
      await publish(...args);
    },
  });
  const body = { event_type: 'plan.created', data: {} };
  await svc.call('POST', '/webhooks/endpoints', { key, body: { url } });
  const hanging = svc.call('POST', '/webhooks/messages', { key, body }).catch(() => 'ended');
  await running;
  await (await closeWithin(svc, stopMs)).done;
  release();
  expect(await hanging).toBe('ended');
});
