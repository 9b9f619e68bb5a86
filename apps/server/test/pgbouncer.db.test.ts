import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPgbouncer, startPgbouncer, testDatabaseUrl, testKind } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { ada, callAt } from './harness.ts';
import { withPlan } from './journeys/with-plan.ts';
import { runEntry } from './run-entry.ts';

const program = findPgbouncer();

// In packages/db, a test warns if PgBouncer is missing.
test.skipIf(testKind() === 'pglite' || program === undefined)(
  'behind PgBouncer the service migrates, serves a split and a payment, and delivers webhooks',
  async () => {
    const { url: directUrl, drop } = await testDatabaseUrl();
    const bouncer = await startPgbouncer(program ?? '', directUrl);
    const dataDir = await mkdtemp(join(tmpdir(), 'svc-test-'));
    const received: string[] = [];
    let arrived: () => void = () => undefined;
    const receiver = createServer((request, response) => {
      request.resume().on('end', () => {
        received.push(String(request.headers['webhook-id']));
        response.writeHead(204).end();
        arrived();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const settings = {
      DATABASE_URL: bouncer.url,
      SVC_DATA_DIR: dataDir,
      SVC_MIGRATE_ON_START: '0',
      SVC_ALLOW_PRIVATE_WEBHOOKS: '1',
      SVC_LOG_LEVEL: 'error',
    };
    const svc = (args: string[], more: Record<string, string> = {}) =>
      runEntry('cli', { settings: { ...settings, ...more }, args }).end();
    const apply = ['migrate', 'apply', '--create-database'];
    expect(await svc(apply)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('set DATABASE_DIRECT_URL to the address of the server'),
    });
    const direct = { DATABASE_DIRECT_URL: directUrl };
    expect(await svc(apply, direct)).toMatchObject({ code: 0, stderr: expect.any(String) });
    const created = await svc(['partner', 'create', 'oak', '--create-database'], direct);
    const key = /svc_sandbox_\w+/.exec(created.stdout)?.[0] ?? '';
    const serve = runEntry('serve', { settings: { ...settings, ...direct } });
    await serve.until('answers at');
    const origin = /answers at (\S+)/.exec(serve.output().stdout)?.[1] ?? '';
    const call = (method: string, path: string, options: object = {}) =>
      callAt(`${origin}/v1${path}`, method, options);
    const { port } = receiver.address() as AddressInfo;
    const hook = { key, body: { url: `http://127.0.0.1:${port}/hooks` } };
    expect((await call('POST', '/webhooks/endpoints', hook)).status).toBe(200);
    const body = ada;
    expect((await call('POST', '/tenant/portal_info/t-1', { key, body })).status).toBe(200);
    const tenant = await withPlan({ call }, { pms: 'oak', key, keyId: '', id: '' }, 't-2');
    const paid = await tenant.change('pay', { installment_ids: [tenant.plan.installments[1].id] });
    expect(paid.status).toBe(200);
    const message = { key, body: { event_type: 'plan.created', data: {} } };
    const { id } = (await call('POST', '/webhooks/messages', message)).data;
    while (!received.includes(id)) {
      await new Promise<void>((resolve) => {
        arrived = resolve;
      });
    }
    expect((await svc(['ledger', 'verify'], direct)).stdout).toContain('The ledger balances');
    expect(await serve.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    receiver.closeAllConnections();
    receiver.close();
    await bouncer.stop();
    await drop();
    await rm(dataDir, { recursive: true, force: true });
  },
);
