import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TenantActor } from '../../src/domain/access/actor.ts';
import type { Outcome, ProcessorEvent } from '../../src/domain/payments/processor.ts';
import { receiveEvents } from '../../src/domain/payments/receive-events.ts';
import { loadOpenPlan } from '../../src/domain/plans/live-plan.ts';
import { runUnitOfWork } from '../../src/unit-of-work.ts';
import { openStage, type Stage } from '../support/open-stage.ts';
import { checkBooks, simulatorCalls } from './check-books.ts';
import { day, minute, playPayments } from './play-payments.ts';

// One readable test for each way in which a processor can fail us. The adversary mixes them by a seed.

let stage: Stage;
let play: ReturnType<typeof playPayments>;
let tenant: TenantActor;
/** Replaces the processor's responses while it is set. */
let fault: ((own: () => Promise<Outcome | null>) => Promise<Outcome | null>) | undefined;
/** The keys of all charges that were sent. */
let sent: string[];
/** The keys of charges of which the processor said that it never received them. */
let neverReceived: string[];

beforeEach(async () => {
  fault = undefined;
  sent = [];
  neverReceived = [];
  stage = await openStage({
    now: '2026-02-01T15:00:00Z',
    processor: (simulator) => {
      const through = <T extends Outcome | null>(own: () => Promise<T>) =>
        (fault ? fault(own) : own()) as Promise<T>;
      return {
        ...simulator,
        charge(request) {
          sent.push(request.key);
          return through(() => simulator.charge(request));
        },
        async find(call, payer) {
          const found = await through(() => simulator.find(call, payer));
          if (found === null) neverReceived.push(call.key ?? '');
          return found;
        },
      };
    },
  });
  play = playPayments(stage, await stage.newPartner());
  tenant = await play.toPlanChoice('t-1');
});

/**
 * Whatever went wrong, each charge was sent once, and again only after the processor had said that it
 * never received it; and our books equal the processor's.
 */
async function checkEverything(): Promise<void> {
  const countOf = (keys: readonly string[], key: string) => keys.filter((it) => it === key).length;
  for (const key of new Set(sent)) {
    expect(countOf(sent, key)).toBeLessThanOrEqual(1 + countOf(neverReceived, key));
  }
  await checkBooks(stage.plain, await simulatorCalls(stage.plain));
  await stage.close();
}
afterEach(checkEverything);

const down = () => Promise.reject(new Error('connect ECONNREFUSED'));

async function accept(): Promise<void> {
  await play.accept(tenant);
}

async function parts(): Promise<string[]> {
  const plan = await loadOpenPlan(stage.plain, tenant);
  return plan?.parts.map(({ state }) => state) ?? [];
}

async function calls(): Promise<string[]> {
  const rows = await rowsOf<{ state: string }>(
    stage.plain,
    sql`select state from processor_call order by created_at, key`,
  );
  return rows.map(({ state }) => state);
}

async function eventsOfPlans(): Promise<string[]> {
  const rows = await rowsOf<{ type: string }>(
    stage.plain,
    sql`
    select type from webhook_messages
    where type like 'plan.%' or type like 'installment.%' order by id`,
  );
  return rows.map(({ type }) => type);
}

async function anHour(): Promise<void> {
  for (let passed = 0; passed < 60; passed += 15) await play.pass(15 * minute);
}

describe('a processor that is down for an hour', () => {
  test('a charge that it received before the outage counts once it answers', async () => {
    await accept();
    fault = (own) => own().then(down);
    await play.pass(8 * day);
    await anHour();
    expect(await parts()).toEqual(['paid', 'processing', 'scheduled', 'scheduled']);
    expect(await calls()).toEqual(['succeeded', 'unknown']);
    const before = await eventsOfPlans();
    expect(before).not.toContain('installment.failed');
    fault = undefined;
    await play.pass(5 * minute);
    expect(await parts()).toEqual(['paid', 'paid', 'scheduled', 'scheduled']);
    expect(await eventsOfPlans()).toEqual([...before, 'installment.paid']);
    expect(sent).toHaveLength(2);
  });

  test('a charge that it never received fails once it answers, and another one follows days later', async () => {
    await accept();
    fault = down;
    await play.pass(8 * day);
    await anHour();
    expect(await calls()).toEqual(['succeeded', 'unknown']);
    expect(sent).toHaveLength(2);
    fault = undefined;
    await play.pass(5 * minute);
    expect(await parts()).toEqual(['paid', 'failed', 'scheduled', 'scheduled']);
    expect(sent).toHaveLength(2);
    await play.pass(4 * day);
    expect(await parts()).toEqual(['paid', 'paid', 'scheduled', 'scheduled']);
    expect(sent).toHaveLength(3);
  });

  test('a tenant who accepts a plan during the outage owes nothing until it answers', async () => {
    fault = (own) => own().then(down);
    await accept();
    await anHour();
    expect(await eventsOfPlans()).toEqual(['plan.created']);
    // The tenant presses again: it is the same plan, and no second charge.
    await accept();
    expect(sent).toHaveLength(1);
    fault = undefined;
    await play.pass(5 * minute);
    expect(await eventsOfPlans()).toEqual(['plan.created', 'plan.activated', 'installment.paid']);
  });
});

describe('an outcome that got lost', () => {
  /** The process died after the charge and before it could write the outcome, `ms` ago. */
  async function loseOutcome(ms: number): Promise<void> {
    const { now } = stage.clock;
    await stage.plain.run(sql`
      update processor_call set state = 'sent', sent_at = ${new Date(now.getTime() - ms)},
        check_at = ${new Date(now.getTime() - ms + 15_000)}`);
  }

  test('a call that was never sent is sent with the same key as soon as the processor answers', async () => {
    fault = down;
    await accept();
    expect(await calls()).toEqual(['unknown']);
    fault = undefined;
    await play.pass(minute);
    expect(await calls()).toEqual(['succeeded']);
    expect(await eventsOfPlans()).toEqual(['plan.created', 'plan.activated', 'installment.paid']);
    expect([sent.length, new Set(sent).size]).toEqual([2, 1]);
  });

  test('the tenant’s next payment looks up the outcome and is not refused', async () => {
    fault = (own) => own().then(down);
    await accept();
    fault = undefined;
    await loseOutcome(12_000);
    await play.pay(tenant, [2]);
    expect(await parts()).toEqual(['paid', 'paid', 'scheduled', 'scheduled']);
    expect(new Set(sent).size).toBe(2);
  });

  test('a second accept looks up the outcome and returns it', async () => {
    fault = down;
    await accept();
    fault = undefined;
    await loseOutcome(12_000);
    const accepted = await play.accept(tenant);
    expect(accepted.settlement?.amount_in_cents).toBe(152_012);
    expect(new Set(sent).size).toBe(1);
  });

  test('a job looks up the outcome fifteen seconds after the call', async () => {
    fault = (own) => own().then(down);
    await accept();
    fault = undefined;
    await loseOutcome(14_000);
    await play.pass(0);
    expect(await calls()).toEqual(['sent']);
    await play.pass(1_000);
    expect(await calls()).toEqual(['succeeded']);
  });
});

describe('a processor that says something other than asked', () => {
  const saying = (answer: object) => async (own: () => Promise<Outcome | null>) => {
    await own();
    return answer as Outcome;
  };
  const otherAmount = async (own: () => Promise<Outcome | null>) => {
    const outcome = await own();
    return outcome?.state === 'succeeded' ? { ...outcome, amountInCents: 1 } : outcome;
  };

  async function report(event: Partial<ProcessorEvent> & Pick<ProcessorEvent, 'id'>) {
    const received = { occurredAt: stage.clock.now, ...event } as ProcessorEvent;
    await runUnitOfWork(stage, stage.clock.now, (uow) =>
      receiveEvents(uow, stage.service.processor?.name ?? '', [received]),
    );
    await play.pass(minute);
  }

  async function ignored(id: string) {
    return rowsOf<{ ignored: string | null; waits: boolean }>(
      stage.plain,
      sql`
      select ignored, due_at is not null as waits from processor_inbox where event_id = ${id}`,
    );
  }

  test.each([
    ['a state that does not exist', saying({ state: 'paid' })],
    ['no reference', saying({ state: 'succeeded' })],
    ['another amount', otherAmount],
  ])('%s: the outcome is unknown until it makes sense', async (_, answer) => {
    fault = answer;
    await accept();
    expect(await calls()).toEqual(['unknown']);
    await anHour();
    expect(await calls()).toEqual(['unknown']);
    expect(await eventsOfPlans()).toEqual(['plan.created']);
    fault = undefined;
    await play.pass(5 * minute);
    expect(await calls()).toEqual(['succeeded']);
    expect((await parts())[0]).toBe('paid');
  });

  test('an event with another amount is kept with the reason, and the processor is asked', async () => {
    fault = (own) => own().then(down);
    await accept();
    const [key = ''] = sent;
    const call = { kind: 'charge', key, ref: null } as const;
    const outcome = { state: 'succeeded', ref: 'ch_other', amountInCents: 1 } as const;
    await report({ id: 'evt_other', kind: 'outcome', call, outcome });
    expect(await ignored('evt_other')).toEqual([
      { ignored: 'it moved another amount than we asked for', waits: false },
    ]);
    expect(await calls()).toEqual(['unknown']);
    fault = undefined;
    await play.pass(5 * minute);
    expect(await calls()).toEqual(['succeeded']);
  });

  test('an event about an unknown payment waits for a day, and is then kept with the reason', async () => {
    const reason = 'no call of ours has this key or id';
    const charge = { key: 'pay_unknown', ref: null };
    await report({ id: 'evt_unknown', kind: 'returned', charge, returnCode: 'R01' });
    expect(await ignored('evt_unknown')).toEqual([{ ignored: reason, waits: true }]);
    await stage.plain.run(sql`
      update processor_inbox set tries = tries + 1438 where event_id = 'evt_unknown'`);
    await play.pass(minute);
    expect(await ignored('evt_unknown')).toEqual([{ ignored: reason, waits: true }]);
    await play.pass(minute);
    expect(await ignored('evt_unknown')).toEqual([{ ignored: reason, waits: false }]);
  });

  test('an older state after a newer one changes nothing', async () => {
    await accept();
    const before = await eventsOfPlans();
    const [key = ''] = sent;
    const call = { kind: 'charge', key, ref: null } as const;
    const older = [
      { state: 'processing', ref: 'ch_1' },
      { state: 'requires_action', ref: 'ch_1', url: null },
      // Contradicts the stored outcome, so the processor is asked, and says that it succeeded.
      { state: 'failed', ref: 'ch_1', returnCode: 'R01' },
    ] as const;
    for (const [index, outcome] of older.entries()) {
      await report({ id: `evt_${index}`, kind: 'outcome', call, outcome });
    }
    expect(await calls()).toEqual(['succeeded']);
    expect((await parts())[0]).toBe('paid');
    expect(await eventsOfPlans()).toEqual(before);
  });
});
