import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testKind } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { addDueTenants, countDueTenants } from './due-tenants.ts';
import { ada, startRunning } from './harness.ts';
import { withPlan } from './journeys/with-plan.ts';

const count = 3_000;
const calls = 5;

// A short form of bench/burst.ts, which measures times. This test compares orders only: one worker of the
// lane needs at least thirty batches, and everything below must be done before the last of them. The
// embedded database has one session, which everything shares.
test.runIf(testKind() === 'postgres')(
  'while thousands of tenants are due, calls, webhooks and installments do not wait for the end',
  async () => {
    const svc = await startRunning();
    const burst = await svc.newPartner();
    const partner = await svc.newPartner();
    const { key } = partner;
    const receiver = createServer((request, response) => {
      arrived.add(String(request.headers['webhook-id']));
      response.writeHead(204).end();
    });
    const arrived = new Set<string>();
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/hook`;
    await svc.call('POST', '/webhooks/endpoints', { key, body: { url } });
    const tenant = await withPlan(svc, partner, 't-beside');
    await addDueTenants(svc.db, { partnerId: burst.id, count });

    // Lanes look for work once a minute. All of them begin now.
    svc.clock.advance(40 * 86_400_000);
    await expect.poll(() => countDueTenants(svc.db), { interval: 5 }).toBeLessThan(count);
    for (let index = 0; index < calls; index += 1) {
      const path = `/tenant/portal_info/t-${index}`;
      expect((await svc.call('POST', path, { key, body: ada })).status).toBe(200);
      const body = { event_type: 'plan.created', data: {} };
      const { data } = await svc.call('POST', '/webhooks/messages', { key, body });
      await expect.poll(() => arrived.has(data.id), { interval: 5 }).toBe(true);
    }
    // Each installment takes a separate batch. If the eligibility lane holds the tenant's row at that
    // moment, the next pass continues, a minute later.
    const installments = async () => {
      svc.clock.advance(60_000);
      return (await tenant.read()).installments.map(({ state }: { state: string }) => state);
    };
    await expect.poll(installments, { interval: 20 }).toEqual(['paid', 'paid', 'paid', 'paid']);
    const left = await countDueTenants(svc.db);
    expect(left).toBeGreaterThan(0);
    // A stop does not wait for the rest either.
    await svc.close();
    receiver.closeAllConnections();
    await new Promise<void>((resolve) => void receiver.close(() => resolve()));
  },
);
