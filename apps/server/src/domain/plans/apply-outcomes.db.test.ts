import { sql } from '@svc/db';
import { countReads, rowsOf } from '@svc/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { playPayments } from '../../../test/payments/play-payments.ts';
import { openStage, type Stage } from '../../../test/support/open-stage.ts';
import { isOneServer } from '../../../test/support/service-database.ts';
import type { PartnerActor } from '../access/actor.ts';
import { applyOutcomes } from './apply-outcomes.ts';

let stage: Stage;
let partner: PartnerActor;
beforeAll(async () => {
  stage = await openStage({ now: '2026-02-01T15:00:00Z' });
  partner = await stage.newPartner();
});
afterAll(() => stage.close());

test.runIf(isOneServer)(
  'a report never reads the partner’s calls once per payment, not even without statistics',
  async () => {
    const { accept, toPlanChoice } = playPayments(stage, partner);
    const addTenants = async (from: number, to: number) => {
      for (let i = from; i < to; i += 1) await accept(await toPlanChoice(`t-${i}`));
    };
    await addTenants(0, 30);
    const ofFew = await rowsRead();
    await addTenants(30, 90);
    // Three times as many rows, and not nine times.
    expect(await rowsRead()).toBeLessThan(4 * ofFew);
  },
);

/** Returns how many rows are read by the statements that apply a repeated report about the last call. */
async function rowsRead(): Promise<number> {
  const [call] = await rowsOf<{ key: string; tenant_id: string; ref: string }>(
    stage.plain,
    sql`select key, tenant_id, ref from processor_call order by key desc limit 1`,
  );
  if (!call) throw new Error('no call was made');
  const { key, tenant_id: tenantId, ref } = call;
  const outcome = { state: 'succeeded', ref } as const;
  const report = { partnerId: partner.partnerId, tenantId, key, outcome, source: 'event' } as const;
  const uow = {
    now: stage.clock.now,
    service: stage.service,
    outbox: { messages: [], mails: [] },
  };
  const { rows } = await countReads(stage.plain, (tx) => applyOutcomes({ ...uow, tx }, [report]));
  return rows;
}
