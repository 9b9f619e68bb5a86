import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase, sql } from '@svc/db';
import { oneRowOf, testKind } from '@svc/db/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addDueTenants, countDueTenants } from './due-tenants.ts';
import { callAt } from './harness.ts';
import { type Entry, runEntry } from './run-entry.ts';
import { serviceUrl } from './support/service-database.ts';

// The embedded database belongs to one process, which does everything.
describe.skipIf(testKind() === 'pglite')(
  'several processes on one database',
  { timeout: 120_000 },
  () => {
    let cleanUp: (() => unknown)[];
    let settings: Record<string, string>;
    let db: Database;

    beforeEach(async () => {
      cleanUp = [];
      const database = await serviceUrl();
      cleanUp.push(database.drop);
      const dataDir = await mkdtemp(join(tmpdir(), 'svc-data-'));
      cleanUp.push(() => rm(dataDir, { recursive: true }));
      db = await openDatabase({ url: database.url });
      cleanUp.push(() => db.close());
      settings = {
        DATABASE_URL: database.url,
        SVC_DATA_DIR: dataDir,
        SVC_SECRET_KEY: randomBytes(32).toString('base64'),
        SVC_ALLOW_PRIVATE_WEBHOOKS: '1',
      };
    });
    afterEach(async () => {
      for (const step of cleanUp.reverse()) await step();
    });

    async function start(roles: string): Promise<{ entry: Entry; at: string }> {
      const own = roles === 'worker' ? { SVC_PUBLIC_ORIGIN: 'http://localhost:4000' } : {};
      const entry = runEntry('serve', { settings: { ...settings, ...own, SVC_ROLES: roles } });
      cleanUp.push(() => entry.child.exitCode ?? entry.child.signalCode ?? entry.end('SIGKILL'));
      await entry.until(' at http');
      return { entry, at: / at (http\S+)/.exec(entry.output().stdout)?.[1] ?? '' };
    }

    async function createPartner(): Promise<{ key: string; id: string }> {
      const created = await runEntry('cli', { args: ['partner', 'create', 'oak'], settings }).end();
      const { id } = await oneRowOf<{ id: string }>(db, sql`select id from partner`);
      return { key: /svc_sandbox_\w+/.exec(created.stdout)?.[0] ?? '', id };
    }

    async function receiver() {
      const received = new Set<string>();
      const server = createServer((request, response) => {
        received.add(String(request.headers['webhook-id']));
        request.resume().on('end', () => response.writeHead(204).end());
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      cleanUp.push(() => {
        server.closeAllConnections();
        server.close();
      });
      return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
    }

    test('an api process publishes, workers send and run the jobs, and any of them may die', async () => {
      const { received, url } = await receiver();
      const [one, other] = await Promise.all([start('api'), start('api')]);
      const { key, id: partnerId } = await createPartner();
      const call = (at: string, path: string, body: object) =>
        callAt(`${at}/v1${path}`, 'POST', { key, body });
      expect((await call(one.at, '/webhooks/endpoints', { url })).status).toBe(200);
      const publish = async (at: string) => {
        const sent = await call(at, '/webhooks/messages', { event_type: 'plan.created', data: {} });
        expect(sent.status).toBe(200);
        return sent.data.id as string;
      };
      const early = await publish(one.at);
      await addDueTenants(db, { partnerId, count: 3 });
      // The delivery waits for a worker: the process that published it neither leases nor sends it.
      expect(await deliveries()).toEqual({ free: 1, leased: 0, attempts: 0 });

      const [first, second] = await Promise.all([start('worker'), start('worker')]);
      await expect.poll(() => received.has(early)).toBe(true);
      await expect.poll(() => countDueTenants(db)).toBe(0);
      const ids = [await publish(one.at), await publish(other.at)];
      await expect.poll(() => ids.filter((id) => !received.has(id))).toEqual([]);

      await Promise.all([first.entry.end('SIGKILL'), one.entry.end('SIGKILL')]);
      const late = await publish(other.at);
      await expect.poll(() => received.has(late)).toBe(true);
      expect(await second.entry.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
      expect(await other.entry.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    });

    test('a worker answers health checks and says where requests belong', async () => {
      const { at } = await start('worker');
      expect((await fetch(`${at}/livez`)).status).toBe(200);
      expect((await fetch(`${at}/readyz`)).status).toBe(200);
      for (const path of ['/v1/settlements', '/', '/docs']) {
        const answer = await callAt(at + path, 'GET', {});
        expect(answer.status).toBe(404);
        expect(answer.error).toMatchObject({
          code: 'not_found',
          message: expect.stringContaining('Send requests to a process with the role api.'),
        });
      }
    });

    test('on SIGTERM a worker with a backlog ends after the batches that are running', async () => {
      // The command line needs a database that a service has used.
      const { entry } = await start('api');
      const { id } = await createPartner();
      expect(await entry.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
      const count = 20_000;
      await addDueTenants(db, { partnerId: id, count });
      const busy = await start('worker');
      await expect.poll(() => countDueTenants(db), { interval: 5 }).toBeLessThan(count);
      expect(await busy.entry.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
      expect(await countDueTenants(db)).toBeGreaterThan(0);
    });

    async function deliveries() {
      return oneRowOf(
        db,
        sql`
        select (select count(*) from webhook_deliveries_open where node is null) as free,
          (select count(*) from webhook_leases) as leased,
          (select count(*) from webhook_attempts) as attempts`,
      );
    }
  },
);
