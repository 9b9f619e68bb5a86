import { sql } from '@svc/db';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, type Stage } from '../../testing/open-stage.ts';
import { post } from './post.ts';
import { sealTransfers } from './seal.ts';
import { verifyLedger } from './verify.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

async function postSome(count: number): Promise<void> {
  const { partnerId } = await stage.newPartner();
  for (let turn = 1; turn <= count; turn += 1) {
    await stage.db.transaction((tx) =>
      post({ tx, now: stage.clock.now }, [
        {
          partnerId,
          tenantId: null,
          kind: 'charge_off',
          sourceId: `${partnerId}-${turn}`,
          occurredAt: stage.clock.now,
          entries: [
            { kind: 'credit_loss', amountInCents: turn },
            { kind: 'tenant_receivable', amountInCents: -turn },
          ],
        },
      ]),
    );
  }
}

const seal = (limit: number) =>
  stage.db.transaction((tx) => sealTransfers({ tx, now: stage.clock.now }, { limit }));

test('batches are sealed one behind the other, and whoever changes an entry is seen', async () => {
  await postSome(5);
  expect(await seal(2)).toBe(2);
  expect(await seal(2)).toBe(2);
  expect(await verifyLedger(stage.db)).toMatchObject({
    transfers: 5,
    seals: 2,
    unsealed: 1,
    trial_balance: { credit_loss: 15, tenant_receivable: -15 },
    faults: [],
  });
  const sealers = await Promise.all([seal(10), seal(10)]);
  expect(sealers.sort()).toEqual([0, 1]);
  await stage.db.run(sql`alter table ledger_entry disable trigger ledger_entry_append_only`);
  await stage.db.run(sql`
    update ledger_entry set amount_in_cents = amount_in_cents * 2
    where transfer_id = (select transfer_ids[1] from ledger_seal where number = 2)`);
  const { faults } = await verifyLedger(stage.db);
  expect(faults).toEqual(['Seal 2 no longer matches its 2 transfers.']);
  await expect(stage.db.run(sql`update ledger_seal set sealed_at = sealed_at`)).rejects.toThrow(
    /append-only/,
  );
});
