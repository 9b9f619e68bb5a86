import { openDatabase } from '@svc/db';
import { testKind } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { addDueTenants, countDueTenants } from './due-tenants.ts';
import { ada, type Called, useService } from './harness.ts';

const connections = 10;
/** The number of calls of one partner that the service runs at once. */
const atOnce = 20;

// The embedded database has one session, which everything shares.
test.runIf(testKind() === 'postgres')(
  'with every connection taken, new requests are refused and counted, and jobs and health checks still work',
  async () => {
    const svc = await useService({ metricsPort: 0 });
    const db = await openDatabase(svc.database);
    const { key, id: partnerId } = await svc.newPartner();
    await addDueTenants(db, { partnerId, count: 3 });
    const answers: Called[] = [];
    const refused = () => answers.filter(({ status }) => status === 503);
    const sent: Promise<unknown>[] = [];
    const send = () => {
      const path = `/tenant/portal_info/t-${sent.length}`;
      const called = svc.call('POST', path, { key, body: ada });
      sent.push(called.then((answer) => answers.push(answer)));
    };

    const connectionsTaken = await takeConnections();
    expect((await fetch(`${svc.url}/readyz`)).status).toBe(200);
    await expect
      .poll(() => {
        svc.clock.advance(60_000);
        return countDueTenants(db);
      })
      .toBe(0);

    for (let count = 0; count < atOnce; count += 1) send();
    await expect
      .poll(() => {
        send();
        svc.clock.advance(50);
        return refused()[0];
      })
      .toMatchObject({ status: 503, error: { code: 'unavailable' } });
    expect(refused()[0]?.headers.get('retry-after')).toBe('1');
    await connectionsTaken.release();
    await Promise.all(sent);
    // Those that had begun are answered.
    const succeeded = answers.filter(({ status }) => status === 200);
    expect(succeeded.length).toBeGreaterThanOrEqual(atOnce);
    expect(refused()).toHaveLength(sent.length - succeeded.length);
    const metrics = await (await fetch(svc.metricsAt ?? '')).text();
    expect(metrics).toContain(`svc_http_requests_shed_total ${refused().length}\n`);
    const lines = svc.lines.map((line) => JSON.parse(line));
    expect(lines.filter(({ msg }) => msg.startsWith('overloaded'))).toHaveLength(1);
    expect(lines.filter(({ msg, status }) => msg === 'request' && status === 503)).toEqual([]);
    await db.close();

    /** Borrows every connection that requests may use. */
    async function takeConnections() {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      let count = 0;
      const held = Array.from({ length: connections }, () =>
        svc.db.transaction(async () => {
          count += 1;
          await released;
        }),
      );
      await expect.poll(() => count).toBe(connections);
      return {
        async release() {
          release();
          await Promise.all(held);
        },
      };
    }
  },
);
