import { sql } from '@svc/db';
import { oneRowOf, testKind } from '@svc/db/testing';
import { systemClock } from '@svc/runtime';
import { expect, test } from 'vitest';
import { ada, useService } from './harness.ts';

const hourMs = 3_600_000;

// An embedded database runs on the clock of this process.
test.runIf(testKind() === 'postgres')(
  'a process whose clock is an hour ahead issues tokens by the database’s time, and logs it',
  async () => {
    const ahead = {
      ...systemClock,
      now: () => new Date(systemClock.now().getTime() + hourMs),
    };
    const svc = await useService({}, undefined, { processClock: ahead });
    const { key } = await svc.newPartner();
    const { data } = await svc.call('POST', '/tenant/portal_info/t-1', { key, body: ada });
    const { left } = await oneRowOf<{ left: number }>(
      svc.db,
      sql`
      select extract(epoch from ${data.expires_at}::timestamptz - clock_timestamp())::float8 as left`,
    );
    // A token lives for 60 minutes.
    expect(left).toBeGreaterThan(55 * 60);
    expect(left).toBeLessThan(61 * 60);
    const logged = svc.lines.map((line) => JSON.parse(line)).filter(({ skew_ms }) => skew_ms);
    expect(logged).toMatchObject([
      { level: 40, msg: expect.stringContaining("is 3600.0 s ahead of the database's") },
    ]);
  },
);
