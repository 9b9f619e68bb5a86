import { readdir, readFile } from 'node:fs/promises';
import { raw, sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TenantActor } from '../../src/domain/access/actor.ts';
import type { PlanStart } from '../../src/domain/partners/terms.ts';
import { nextState } from '../../src/domain/plans/apply-outcomes.ts';
import { loadOpenPlan } from '../../src/domain/plans/live-plan.ts';
import { insertTerms } from '../support/insert-terms.ts';
import { openStage, type Stage } from '../support/open-stage.ts';
import { checkBooks, simulatorCalls } from './check-books.ts';
import { day, minute, playPayments } from './play-payments.ts';

const slow = '000111110003';

async function open(planStarts: PlanStart) {
  const stage = await openStage({ now: '2026-02-01T15:00:00Z' });
  await insertTerms(stage.plain, { plan_starts: planStarts });
  const partner = await stage.newPartner();
  return { stage, play: playPayments(stage, partner) };
}

async function eventsOf(stage: Stage, externalId: string): Promise<string[]> {
  const rows = await rowsOf<{ type: string }>(
    stage.plain,
    sql`
    select type from webhook_messages where subject = ${externalId}
      and (type like 'plan.%' or type like 'settlement.%' or type like 'installment.%')
    order by id`,
  );
  return rows.map((it) => it.type);
}

async function forceFailure(stage: Stage, { tenantId }: TenantActor, code: string): Promise<void> {
  await stage.plain.run(sql`
    update tenant set pending_payment_failures = array[${code}] where id = ${tenantId}`);
}

describe('a plan that begins while its first payment is processing', () => {
  let stage: Stage;
  let play: ReturnType<typeof playPayments>;
  beforeAll(async () => {
    ({ stage, play } = await open('first_payment_processing'));
  });
  afterAll(() => stage.close());

  test('the plan pays the rent at once, and the payment is booked when the bank answers', async () => {
    const tenant = await play.toPlanChoice('t-early', slow);
    const accepted = await play.accept(tenant);
    expect(accepted.settlement?.amount_in_cents).toBe(152_012);
    const begun = await loadOpenPlan(stage.plain, tenant);
    expect([begun?.state, begun?.parts[0]?.state]).toEqual(['active', 'processing']);
    const atOnce = ['plan.created', 'plan.activated', 'settlement.created'];
    expect(await eventsOf(stage, 't-early')).toEqual(atOnce);
    await play.pass(day + 30 * minute);
    expect(await eventsOf(stage, 't-early')).toEqual([...atOnce, 'installment.paid']);
    await checkBooks(stage.plain, await simulatorCalls(stage.plain));
  });

  test('the tenant owes a first payment that the bank refuses like any other installment', async () => {
    stage.clock.now = new Date('2026-02-01T15:00:00Z');
    const tenant = await play.toPlanChoice('t-refused', slow);
    await play.accept(tenant);
    await forceFailure(stage, tenant, 'R02');
    await play.pass(day + 30 * minute);
    const plan = await loadOpenPlan(stage.plain, tenant);
    expect([plan?.state, plan?.parts[0]?.state]).toEqual(['active', 'overdue']);
    expect(await eventsOf(stage, 't-refused')).toContain('installment.failed');
    await checkBooks(stage.plain, await simulatorCalls(stage.plain));
  });
});

test('by default a plan begins when its first payment has succeeded', async () => {
  const { stage, play } = await open('first_payment_succeeded');
  const tenant = await play.toPlanChoice('t-safe', slow);
  expect((await play.accept(tenant)).settlement).toBeNull();
  expect(await eventsOf(stage, 't-safe')).toEqual(['plan.created']);
  await play.pass(day + 30 * minute);
  expect(await eventsOf(stage, 't-safe')).toContain('settlement.created');
  await stage.close();
});

test('a first payment that an earlier version left pending is answered, too', async () => {
  const { stage, play } = await open('first_payment_succeeded');
  const tenant = await play.toPlanChoice('t-before', slow);
  await play.accept(tenant);
  for (const table of ['processor_call', 'simulator_call', 'simulator_event']) {
    await stage.plain.run(raw(`delete from ${table}`));
  }
  const folder = new URL('../../migrations/', import.meta.url);
  const files = await readdir(folder);
  const file = files.find((it) => it.endsWith('_simulated_pending_payments.sql')) ?? '';
  const statement = await readFile(new URL(file, folder), 'utf8');
  const backfill = raw(statement.replace('$1', `''`).replace('$2', `'~'`));
  expect(await stage.plain.run(backfill)).toBe(1);
  expect(await stage.plain.run(backfill)).toBe(0);
  await play.pass(day + 30 * minute);
  expect((await loadOpenPlan(stage.plain, tenant))?.state).toBe('active');
  await checkBooks(stage.plain, await simulatorCalls(stage.plain));
  await stage.close();
});

describe('what a report means for a call', () => {
  const now = new Date('2026-02-01T15:00:00Z');
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const call: Parameters<typeof nextState>[0] = {
    partnerId: 'ptn_1',
    key: 'pay_1',
    kind: 'charge',
    state: 'sent',
    sentAt: now,
    ref: null,
    returnCode: null,
    checks: 1,
    outcome: 'pending',
    isReturned: false,
  };
  const about = { partnerId: 'ptn_1', tenantId: 'ten_1', key: 'pay_1' };
  const paid = { state: 'succeeded', ref: 'ch_1' } as const;
  const failed = { state: 'failed', ref: 'ch_1', returnCode: 'R01' } as const;

  test('an unknown outcome is asked for, and not sent again', () => {
    const unknown = { state: 'unknown', reason: 'reset' } as const;
    const next = nextState(call, { ...about, outcome: unknown, source: 'answer' }, now);
    expect(next.saved).toMatchObject({ state: 'unknown' });
    expect(next.applies).toBeUndefined();
  });

  test('a charge that was never received is sent again for ten minutes, and then fails', () => {
    const none = { ...about, outcome: null, source: 'found' } as const;
    const again = { saved: expect.objectContaining({ state: 'created', checkAt: now }) };
    expect(nextState({ ...call, sentAt: ago(599_000) }, none, now)).toEqual(again);
    const canceled = { ...call, outcome: 'canceled', sentAt: ago(599_000) } as const;
    expect(nextState(canceled, none, now).saved?.state).toBe('sent');
    const late = nextState({ ...call, sentAt: ago(600_000) }, none, now);
    expect(late.applies).toMatchObject({ state: 'failed', returnCode: 'processing_error' });
    const refund = { ...call, kind: 'refund', sentAt: ago(600_000) } as const;
    expect(nextState(refund, none, now).saved).toMatchObject({ state: 'created' });
  });

  test('a charge that is processing is asked for soon if its return has arrived already', () => {
    const still = { state: 'processing', ref: 'ch_1' } as const;
    const waiting = { ...call, state: 'processing', ref: 'ch_1' } as const;
    const found = { ...about, outcome: still, source: 'found' } as const;
    const inMs = (ms: number) => new Date(now.getTime() + ms);
    expect(nextState(waiting, found, now).saved?.checkAt).toEqual(inMs(6 * 3_600_000));
    const returned = { ...waiting, isReturned: true };
    expect(nextState(returned, found, now).saved?.checkAt).toEqual(inMs(10_000));
  });

  test('an older state after a newer one changes nothing', () => {
    const older = { state: 'processing', ref: 'ch_1' } as const;
    const done = { ...call, state: 'succeeded', ref: 'ch_1' } as const;
    const next = nextState(done, { ...about, outcome: older, source: 'event' }, now);
    expect(next).toEqual({ saved: expect.objectContaining({ state: 'succeeded', checkAt: null }) });
  });

  test('an event that contradicts a final outcome is looked up before it counts', () => {
    const done = { ...call, state: 'succeeded', ref: 'ch_1' } as const;
    const event = nextState(done, { ...about, outcome: failed, source: 'event' }, now);
    expect(event).toEqual({ saved: expect.objectContaining({ state: 'succeeded', checkAt: now }) });
    const found = nextState(done, { ...about, outcome: failed, source: 'found' }, now);
    expect(found.applies).toEqual(failed);
    const same = nextState(done, { ...about, outcome: paid, source: 'found' }, now);
    expect(same.applies).toBeUndefined();
  });
});
