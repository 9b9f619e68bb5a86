import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase, raw } from '@svc/db';
import { startTcpProxy, type TcpProxy, testKind } from '@svc/db/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callAt } from './harness.ts';
import { type Entry, runEntry } from './run-entry.ts';
import { serviceUrl } from './support/service-database.ts';

// Runs the service in its own process, with a PostgreSQL server that fails.
describe.skipIf(testKind() === 'pglite')(
  'a service whose database fails',
  { timeout: 120_000 },
  () => {
    let url: string;
    let proxy: TcpProxy;
    let entry: Entry;
    let origin: string;
    let key: string;
    let cleanUp: (() => unknown)[];

    beforeEach(async () => {
      cleanUp = [];
      const database = await serviceUrl();
      url = database.url;
      cleanUp.push(database.drop);
      proxy = await startTcpProxy(url);
      cleanUp.push(() => proxy.close());
      const dataDir = await mkdtemp(join(tmpdir(), 'svc-data-'));
      cleanUp.push(() => rm(dataDir, { recursive: true }));
      const settings = {
        DATABASE_URL: proxy.url,
        SVC_DATA_DIR: dataDir,
        SVC_SECRET_KEY: randomBytes(32).toString('base64'),
        SVC_ALLOW_PRIVATE_WEBHOOKS: '1',
      };
      entry = runEntry('serve', { settings });
      cleanUp.push(() => entry.child.exitCode ?? entry.end('SIGKILL'));
      await entry.until('answers at');
      origin = /answers at (\S+)/.exec(entry.output().stdout)?.[1] ?? '';
      const created = await runEntry('cli', { args: ['partner', 'create', 'oak'], settings }).end();
      key = /svc_sandbox_\w+/.exec(created.stdout)?.[0] ?? '';
    });
    afterEach(async () => {
      for (const step of cleanUp.reverse()) await step();
    });

    const call = (method: string, path: string, body?: object) =>
      callAt(`${origin}/v1${path}`, method, { key, ...(body && { body }) });
    const publish = () =>
      call('POST', '/webhooks/messages', { event_type: 'plan.created', data: {} });
    const ready = async () => (await fetch(`${origin}/readyz`)).status;

    /** Messages that the service logged as warnings or errors. */
    function warnings(): string[] {
      const lines = entry
        .output()
        .stdout.split('\n')
        .filter((line) => line.startsWith('{'));
      const entries = lines.map((line) => JSON.parse(line) as { level: number; msg: string });
      return entries.filter(({ level }) => level > 30).map(({ msg }) => msg);
    }

    async function admin(): Promise<Database> {
      const db = await openDatabase({ url: url.replace(/svc_test_\w+/, 'postgres') });
      cleanUp.push(() => db.close());
      return db;
    }

    /** Starts a partner's server that records the ids it receives. */
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

    test('the service recovers without a restart from a failover through a read-only server', async () => {
      const { received, url: hook } = await receiver();
      expect((await call('POST', '/webhooks/endpoints', { url: hook })).status).toBe(200);
      expect(await ready()).toBe(200);

      const db = await admin();
      const name = /svc_test_\w+/.exec(url)?.[0] ?? '';
      proxy.refuse(true);
      proxy.cut();
      await expect.poll(warnings).toContainEqual(expect.stringMatching(/^database unavailable/));
      await expectRefusals();

      await db.run(raw(`alter database ${name} set default_transaction_read_only = on`));
      proxy.refuse(false);
      await expectRefusals();

      await db.run(raw(`alter database ${name} reset default_transaction_read_only`));
      await expect.poll(ready).toBe(200);
      const ids: string[] = [];
      for (let write = 0; write < 12; write += 1) {
        const accepted = await publish();
        expect(accepted.status).toBe(200);
        ids.push(accepted.data.id);
      }
      await expect.poll(() => ids.filter((id) => !received.has(id))).toEqual([]);
      // Only two lines, although many requests, heartbeats, claims and jobs failed.
      expect(warnings().sort()).toEqual([
        'database connection lost; further failures are counted',
        'database unavailable; further failures are counted',
      ]);
    });

    async function expectRefusals(): Promise<void> {
      await expect.poll(ready).toBe(503);
      for (let write = 0; write < 12; write += 1) {
        const refused = await publish();
        expect(refused).toMatchObject({ status: 503, error: { code: 'unavailable' } });
        expect(refused.headers.get('retry-after')).toBe('1');
        expect(await ready()).toBe(503);
      }
    }

    test('answers requests that wait for the database before it stops on SIGTERM', async () => {
      proxy.hold(true);
      const waiting = await Promise.all(Array.from({ length: 8 }, () => arrive()));
      entry.child.kill('SIGTERM');
      // Wait until the process no longer accepts connections.
      await expect.poll(() => fetch(`${origin}/livez`).catch(() => 'closed')).toBe('closed');
      proxy.hold(false);
      const answers = await Promise.all(waiting.map(({ answered }) => answered));
      expect(answers.map((text) => text.split('\r\n', 1)[0])).toEqual(
        Array.from({ length: 8 }, () => 'HTTP/1.1 200 OK'),
      );
      expect(await entry.end()).toMatchObject({ code: 0 });
    });

    /** Sends a request and resolves once the server has it: it answers "100 Continue" before authentication. */
    async function arrive(): Promise<{ answered: Promise<string> }> {
      const { hostname, port } = new URL(origin);
      const socket = connect(Number(port), hostname);
      const body = JSON.stringify({ event_type: 'plan.created', data: {} });
      const head = [
        'POST /v1/webhooks/messages HTTP/1.1',
        `Host: ${hostname}`,
        `Authorization: Bearer ${key}`,
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Expect: 100-continue',
      ];
      socket.on('error', () => {});
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
      await once(socket, 'data');
      let text = '';
      socket.on('data', (data) => {
        text += String(data);
      });
      return { answered: once(socket, 'close').then(() => text) };
    }
  },
);
