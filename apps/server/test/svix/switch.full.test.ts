import { randomBytes } from 'node:crypto';
import { openDatabase, raw } from '@svc/db';
import { startPostgres } from '@svc/db/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openReceiver,
  type Receiver,
  statuses,
} from '../../../../packages/webhooks/src/testing/receiver.ts';
import { type Running, startRunning } from '../harness.ts';
import { findSvixServer, type SvixServer, startSvixServer } from '../support/svix-server.ts';

// Switching between our engine and a real svix-server, while each has messages that are not delivered.

const binary = findSvixServer();
if (binary === undefined) {
  console.warn('Switching to svix-server is not tested: set SVIX_SERVER_BIN to its program.');
}

describe.skipIf(binary === undefined)('with a real svix-server', () => {
  let server: SvixServer;
  let receiver: Receiver;
  let databaseUrl: string;
  const cleanUp: (() => unknown)[] = [];

  beforeAll(async () => {
    const postgres = await startPostgres();
    cleanUp.push(() => postgres.stop());
    const admin = await openDatabase({ url: postgres.url('postgres') }, { pool: 1 });
    for (const name of ['svc', 'svix']) await admin.run(raw(`create database ${name}`));
    await admin.close();
    databaseUrl = postgres.url('svc');
    server = await startSvixServer({ binary: binary ?? '', databaseUrl: postgres.url('svix') });
    cleanUp.push(() => server.kill());
    receiver = await openReceiver();
    cleanUp.push(() => receiver.close());
  });
  afterAll(async () => {
    for (const step of cleanUp.reverse()) await step();
  });

  test('there and back, every message arrives once, through the provider that it was given to', async () => {
    const own = { database: { url: databaseUrl }, secretKeys: [randomBytes(32)] } as const;
    const svix = { serverUrl: server.url, token: server.token };
    const embedded = await startRunning({ ...own, migrateOnStart: true });
    const { key } = await embedded.newPartner();
    const addEndpoint = (svc: Running, path: string) =>
      svc.call('POST', '/webhooks/endpoints', { key, body: { url: `${receiver.url}${path}` } });
    const publish = async (svc: Running, count: number) => {
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1) {
        const body = { event_type: 'plan.created', data: { n } };
        const { data } = await svc.call('POST', '/webhooks/messages', { key, body });
        ids.push(data.id);
      }
      return ids;
    };
    const arrivedAt = (wanted: string) =>
      receiver.received
        .filter(({ path }) => path === wanted)
        .map(({ body }) => (JSON.parse(body) as { id: string }).id);

    // Our engine has five messages to send again when the services switch, one after the other.
    await addEndpoint(embedded, '/engine');
    receiver.answer = statuses(500);
    const open = await publish(embedded, 5);
    await expect.poll(() => arrivedAt('/engine').toSorted()).toEqual(open.toSorted());
    await embedded.engine.idle();
    receiver.answer = statuses(204);
    const switched = await startRunning({ ...own, webhooks: 'svix', svix });
    await addEndpoint(switched, '/svix');
    const [toEngine, toSvix] = await Promise.all([publish(embedded, 5), publish(switched, 5)]);
    await embedded.close();
    await expect.poll(() => arrivedAt('/svix').toSorted()).toEqual(toSvix.toSorted());
    switched.clock.advance(10_000);
    const byEngine = [...open, ...open, ...toEngine];
    await expect.poll(() => arrivedAt('/engine').toSorted()).toEqual(byEngine.toSorted());

    // Five messages wait for Svix, which does not answer, when the services switch back.
    server.freeze();
    const waiting = await publish(switched, 5);
    await switched.close();
    const back = await startRunning({ ...own, svix });
    server.thaw();
    const last = await publish(back, 5);
    const arrivedBySvix = () => {
      back.clock.advance(5_000);
      return arrivedAt('/svix').toSorted();
    };
    const bySvix = [...toSvix, ...waiting].toSorted();
    await expect.poll(arrivedBySvix, { timeout: 60_000 }).toEqual(bySvix);
    const all = [...byEngine, ...last].toSorted();
    await expect.poll(() => arrivedAt('/engine').toSorted()).toEqual(all);
    await back.close();
  });
});
