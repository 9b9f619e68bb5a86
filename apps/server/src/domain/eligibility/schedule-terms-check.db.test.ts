import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, type Stage } from '../../../test/support/open-stage.ts';
import type { PartnerActor } from '../access/actor.ts';
import { recordPortalInfo } from '../intake/record-portal-info.ts';
import { scheduleTermsCheck, type TenantCursor } from './schedule-terms-check.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

async function report(partner: PartnerActor, externalId: string, timeZone: string) {
  await stage.run(partner, (ctx) =>
    recordPortalInfo(ctx, {
      external_id: externalId,
      dry_run: false,
      input: {
        first_name: 'Ada',
        last_name: 'Lane',
        email: 'ada@example.com',
        charges: [
          { id: 'C', due_date: '2026-02-01', amount_in_cents: 1000_00, amount_paid_in_cents: 0 },
        ],
        lease: { id: 'L', property: { id: 'P', time_zone: timeZone } },
      },
    }),
  );
}

function turnsOf(partner: PartnerActor) {
  return rowsOf<{ name: string; at: Date; version: number }>(
    stage.db,
    sql`
    select external_id as name, turns_at as at, version from tenant
    where partner_id = ${partner.partnerId} order by external_id`,
  );
}

async function schedule(partner: PartnerActor | null, effective: string): Promise<number> {
  const partnerId = partner?.partnerId ?? null;
  const next = (after: TenantCursor): Promise<TenantCursor | undefined> =>
    stage.run({ kind: 'system' }, (ctx) =>
      scheduleTermsCheck(ctx, { partnerId, effective, after, limit: 2 }),
    );
  let last: TenantCursor | undefined = { partnerId: '', tenantId: '' };
  let calls = 0;
  for (; last; calls += 1) last = await next(last);
  return calls;
}

test('each tenant of the partner is checked when the day begins at the property, or before', async () => {
  const [partner, other] = [await stage.newPartner(), await stage.newPartner()];
  await report(partner, 't-chicago', 'America/Chicago');
  await report(partner, 't-honolulu', 'Pacific/Honolulu');
  await report(partner, 't-simulated', 'UTC');
  await report(other, 't-other', 'UTC');
  await stage.db.run(sql`
    update tenant set clock_offset_ms = ${2 * 86_400_000} where external_id = 't-simulated'`);
  const [before] = await turnsOf(other);
  // Their window opens on the 25th.
  expect(await schedule(partner, '2026-01-24')).toBe(3);
  expect(await turnsOf(partner)).toEqual([
    { name: 't-chicago', at: new Date('2026-01-24T06:00:00Z'), version: 2 },
    { name: 't-honolulu', at: new Date('2026-01-24T10:00:00Z'), version: 2 },
    { name: 't-simulated', at: new Date('2026-01-22T00:00:00Z'), version: 2 },
  ]);
  expect(await turnsOf(other)).toEqual([before]);
  // An earlier check stays.
  await schedule(null, '2026-12-01');
  expect((await turnsOf(partner)).map((it) => it.at.toISOString().slice(0, 10))).toEqual([
    '2026-01-24',
    '2026-01-24',
    '2026-01-22',
  ]);
  expect(await turnsOf(other)).toEqual([{ ...before, version: 2 }]);
});
