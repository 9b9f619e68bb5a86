import { type Database, sql } from '@svc/db';
import { oneRowOf } from '@svc/db/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStage, type Stage } from '../../../test/support/open-stage.ts';
import {
  type Chargeable,
  type ProcessorHarness,
  testProcessor,
} from '../../../test/support/processor-contract.ts';
import { recordPortalInfo } from '../../domain/intake/record-portal-info.ts';
import type { CallName } from '../../domain/payments/processor.ts';
import { createSimulator } from './create-simulator.ts';

let stage: Stage;
let harness: ProcessorHarness;
let tenants = 0;

const accounts = { succeeds: '000111110005', fails: '000111110001', slow: '000111110003' };
const dayMs = 86_400_000;

beforeAll(async () => {
  stage = await openStage();
  const partner = await stage.newPartner();
  const { partnerId } = partner;
  const simulator = createSimulator({ db: stage.db });
  const now = () => stage.clock.now;

  async function open(kind: keyof typeof accounts): Promise<Chargeable> {
    tenants += 1;
    const external_id = `t-${tenants}`;
    const input = { first_name: 'Ada', last_name: 'Lane', email: 'ada@example.com', charges: [] };
    await stage.run(partner, (ctx) =>
      recordPortalInfo(ctx, { external_id, input, dry_run: false }),
    );
    const { id } = await oneRowOf<{ id: string }>(
      stage.db,
      sql`select id from tenant where external_id = ${external_id}`,
    );
    return {
      payer: { partnerId, tenantId: id, timeZone: 'UTC', at: now() },
      methodId: 'pmt_test',
      instrument: {
        type: 'bank_account',
        routing_number: '110000000',
        account_number: accounts[kind],
        account_type: 'checking',
      },
    };
  }
  const pass = (days: number) => async (_charge: CallName) => {
    stage.clock.now = new Date(now().getTime() + days * dayMs);
  };
  const webhooks = () =>
    stage.db.transaction((tx) => simulator.takeWebhooks(tx, { now: now(), limit: 100 }));
  harness = { processor: simulator, open, settle: pass(4), returnCharge: pass(50), webhooks, now };
});
afterAll(() => stage.close());

describe('the simulator is a processor', () => {
  testProcessor(() => harness);
});

test('concurrent charges of one tenant each use up one prepared failure, and one key is one charge', async () => {
  const { processor } = harness;
  const { payer, ...method } = await harness.open('succeeds');
  const other = await harness.open('fails');
  await stage.db.run(sql`
    update tenant set pending_payment_failures = array['R01', 'R02'] where id = ${payer.tenantId}`);
  const amounts = { amountInCents: 1_00, returnUrl: 'https://svc.example' };
  const charge = (key: string) =>
    processor.charge({ ...method, ...amounts, payer, key, occasion: 'tenant' });
  const outcomes = await Promise.all([
    ...['pay_1', 'pay_2', 'pay_3', 'pay_1'].map(charge),
    processor.charge({ ...other, ...amounts, key: 'pay_4', occasion: 'scheduled' }),
  ]);
  const codes = outcomes.map((it) => (it.state === 'failed' ? it.returnCode : it.state));
  expect(codes).toEqual(['R01', 'R02', 'succeeded', 'R01', expect.stringMatching(/^R\d\d$/)]);
});

test('concurrent charges that are new take one statement', async () => {
  let sent = 0;
  const many: Database['many'] = (declared, statement) => {
    sent += 1;
    return stage.db.many(declared, statement);
  };
  const simulator = createSimulator({ db: { ...stage.db, many } });
  const both = [await harness.open('succeeds'), await harness.open('fails')];
  const amounts = { amountInCents: 1_00, returnUrl: 'https://svc.example' };
  const outcomes = await Promise.all(
    both.map((it, index) =>
      simulator.charge({ ...it, ...amounts, key: `pay_new_${index}`, occasion: 'first' }),
    ),
  );
  expect(outcomes.map((it) => it.state)).toEqual(['succeeded', 'failed']);
  expect(sent).toBe(1);
});

test('webhooks come twice and in any order on request', async () => {
  const drawn = [0.1, 0.9, 0.9, 0.1, 0.5, 0.2];
  let draws = 0;
  const random = () => drawn[draws++ % drawn.length] ?? 0;
  const simulator = createSimulator({ db: stage.db, random });
  for (const key of ['pay_a', 'pay_b']) {
    const chargeable = await harness.open('slow');
    const returnUrl = 'https://svc.example';
    const request = { ...chargeable, key, amountInCents: 1_00, returnUrl };
    await simulator.charge({ ...request, occasion: 'first' });
  }
  stage.clock.now = new Date(stage.clock.now.getTime() + 4 * dayMs);
  const { now } = stage.clock;
  const sent = await stage.db.transaction((tx) => simulator.takeWebhooks(tx, { now, limit: 100 }));
  const ids = sent.flatMap(({ raw, headers }) =>
    simulator.parseWebhook(raw, headers, now).map(({ id }) => id),
  );
  expect(ids.length).toBeGreaterThan(2);
  expect(new Set(ids)).toEqual(new Set(['pay_a.outcome', 'pay_b.outcome']));
  expect(ids).not.toEqual([...ids].sort());
});
