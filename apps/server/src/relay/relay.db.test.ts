import { type Database, type Sql, sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { storeMessages } from '@svc/webhooks';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openStage, type Stage } from '../../test/support/open-stage.ts';
import {
  createScriptedDestination,
  type HandoverCall,
  type ScriptedDestination,
} from '../../test/support/scripted-destination.ts';
import { createTestClock, type TestClock } from '../../test/support/test-clock.ts';
import type { OutgoingMessage } from '../context.ts';
import type { PartnerActor } from '../domain/access/actor.ts';
import { newId } from '../ids.ts';
import { retryOutbox } from './administer-outbox.ts';
import type { Handover } from './destination.ts';
import { enqueue } from './enqueue.ts';
import { createRelay, type Relay, type RelayDeps, type RelayTuning } from './relay.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const accepted: Handover = { kind: 'accepted' };
const down: Handover = { kind: 'retry', reason: 'It is down.', outcomeUnknown: false };
const unanswered: Handover = { kind: 'retry', reason: 'No answer.', outcomeUnknown: true };

/** Relays that a test started. Each test has its own destination, so none sees another's items. */
const started: { relay: Relay; destination: ScriptedDestination }[] = [];
afterEach(async () => {
  for (const { relay, destination } of started.splice(0)) {
    for (const call of destination.calls) call.answer(down);
    await relay.stop();
  }
});

/** Lets time pass. A relay whose turn is running would not notice without being woken. */
function pass(clock: TestClock, ms: number): void {
  clock.advance(ms);
  for (const { relay } of started) relay.wake();
}

let destinations = 0;
function newDestination(): ScriptedDestination {
  destinations += 1;
  return createScriptedDestination(`test-${destinations}`);
}

function startRelay(
  destination: ScriptedDestination,
  clock: TestClock,
  { db = stage.db, ...rest }: Partial<RelayDeps> & { tuning?: Partial<RelayTuning> } = {},
): Relay {
  const relay = createRelay({ db, clock, log: quiet, destination, ...rest });
  started.push({ relay, destination });
  relay.start();
  return relay;
}

/** Publishes one message for each body in one transaction, and returns their ids. */
async function publish(
  partner: PartnerActor,
  { name }: ScriptedDestination,
  ...bodies: string[]
): Promise<string[]> {
  const now = stage.clock.now;
  const messages = bodies.map(
    (body): OutgoingMessage => ({
      id: newId('evt', now),
      owner: partner.partnerId,
      subject: 't-1',
      type: 'plan.created',
      body,
    }),
  );
  await stage.db.transaction(async (tx) => {
    await storeMessages(tx, messages, now);
    await enqueue(tx, [name], messages, now);
  });
  return messages.map(({ id }) => id);
}

interface StoredItem {
  readonly message_id: string;
  readonly state: string;
  readonly outcome_unknown: boolean;
  readonly reason: string | null;
}

function itemsOf({ name }: ScriptedDestination): Promise<StoredItem[]> {
  return rowsOf<StoredItem>(
    stage.db,
    sql`select message_id, state, outcome_unknown, reason from outbox_item
      where destination = ${name} order by position`,
  );
}

interface StoredStream {
  readonly due_at: Date;
  readonly lease_owner: string | null;
  readonly failures: number;
  readonly last_error: string | null;
}

async function streamOf(
  { partnerId }: PartnerActor,
  { name }: ScriptedDestination,
): Promise<StoredStream> {
  const [stream] = await rowsOf<StoredStream>(
    stage.db,
    sql`select due_at, lease_owner, failures, last_error from outbox_stream
      where partner_id = ${partnerId} and destination = ${name}`,
  );
  if (!stream) throw new Error('The stream has not been claimed.');
  return stream;
}

async function settled(partner: PartnerActor, destination: ScriptedDestination) {
  await expect.poll(async () => (await streamOf(partner, destination)).lease_owner).toBeNull();
  return streamOf(partner, destination);
}

function bodiesOf(calls: readonly HandoverCall[]): string[] {
  return calls.map(({ message }) => message.body);
}

test('a message is handed over as it was published, and its item deleted', async () => {
  const partner = await stage.newPartner();
  const destination = newDestination();
  const [id] = await publish(partner, destination, '{"b":1,  "a":2}');
  startRelay(destination, createTestClock('2026-01-20T15:00:00Z'));
  const call = await destination.next();
  expect(call).toMatchObject({
    outcomeUnknown: false,
    message: {
      id,
      partnerId: partner.partnerId,
      pms: partner.pms,
      subject: 't-1',
      type: 'plan.created',
      channels: null,
      body: '{"b":1,  "a":2}',
      createdAt: stage.clock.now,
    },
  });
  call.answer(accepted);
  await settled(partner, destination);
  expect(await itemsOf(destination)).toEqual([]);
});

test('messages of one partner follow one another, those of another do not wait', async () => {
  const [one, other] = [await stage.newPartner(), await stage.newPartner()];
  const destination = newDestination();
  await publish(one, destination, '1', '2');
  await publish(one, destination, '3');
  await publish(other, destination, 'other');
  startRelay(destination, createTestClock('2026-01-20T15:00:00Z'));
  const first = [await destination.next(), await destination.next()];
  expect(bodiesOf(first).sort()).toEqual(['1', 'other']);
  expect(destination.waiting).toEqual([]);
  for (const call of first) call.answer(accepted);
  const second = await destination.next();
  expect(second.message.body).toBe('2');
  second.answer(accepted);
  const third = await destination.next();
  expect(third.message.body).toBe('3');
  third.answer(accepted);
  await settled(one, destination);
  expect(await itemsOf(destination)).toEqual([]);
});

test('a long stream is handed over in order, and gives others their turn', async () => {
  const [long, short] = [await stage.newPartner(), await stage.newPartner()];
  const destination = newDestination();
  const bodies = Array.from({ length: 450 }, (_, index) => String(index));
  await publish(long, destination, ...bodies);
  await publish(short, destination, 'short');
  const sent: string[] = [];
  destination.send = async ({ body }) => {
    sent.push(body);
    return accepted;
  };
  startRelay(destination, createTestClock('2026-01-20T15:00:00Z'), { tuning: { streams: 1 } });
  await expect.poll(() => itemsOf(destination)).toEqual([]);
  expect(sent.filter((body) => body !== 'short')).toEqual(bodies);
  expect(sent.indexOf('short')).toBeLessThan(201);
});

test('a failure holds up the stream of its partner, from 1 s doubling to 5 min', async () => {
  const partner = await stage.newPartner();
  const destination = newDestination();
  const clock = createTestClock('2026-01-20T15:00:00Z');
  await publish(partner, destination, '1', '2');
  startRelay(destination, clock);
  const waits = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300];
  for (const [index, wait] of waits.entries()) {
    const call = await destination.next();
    expect(call.message.body).toBe('1');
    call.answer(down);
    const stream = await settled(partner, destination);
    expect((stream.due_at.getTime() - clock.now().getTime()) / 1_000).toBe(wait);
    expect(stream).toMatchObject({ failures: index + 1, last_error: 'It is down.' });
    pass(clock, wait * 1_000);
  }
  (await destination.next()).answer(accepted);
  (await destination.next()).answer(accepted);
  expect(await settled(partner, destination)).toMatchObject({ failures: 0, last_error: null });
});

test('the wait begins at 1 s again after a message was accepted, also within one lease', async () => {
  const partner = await stage.newPartner();
  const destination = newDestination();
  const clock = createTestClock('2026-01-20T15:00:00Z');
  await publish(partner, destination, '1', '2');
  startRelay(destination, clock);
  for (const wait of [1_000, 2_000, 4_000]) {
    (await destination.next()).answer(down);
    await settled(partner, destination);
    pass(clock, wait);
  }
  (await destination.next()).answer(accepted);
  (await destination.next()).answer(down);
  const { due_at } = await settled(partner, destination);
  expect(due_at.getTime() - clock.now().getTime()).toBe(1_000);
});

test('a destination that names a time is asked then', async () => {
  const partner = await stage.newPartner();
  const destination = newDestination();
  const clock = createTestClock('2026-01-20T15:00:00Z');
  await publish(partner, destination, '1');
  startRelay(destination, clock);
  (await destination.next()).answer({ ...down, afterMs: 17_000 });
  const { due_at } = await settled(partner, destination);
  expect(due_at.toISOString()).toBe('2026-01-20T15:00:17.000Z');
});

test('an unknown outcome is remembered until the message is accepted', async () => {
  const partner = await stage.newPartner();
  const destination = newDestination();
  const clock = createTestClock('2026-01-20T15:00:00Z');
  await publish(partner, destination, '1', '2');
  startRelay(destination, clock);
  (await destination.next()).answer(unanswered);
  await settled(partner, destination);
  pass(clock, 1_000);
  const second = await destination.next();
  expect(second.outcomeUnknown).toBe(true);
  second.answer(down);
  await settled(partner, destination);
  pass(clock, 2_000);
  const third = await destination.next();
  expect(third).toMatchObject({ outcomeUnknown: true, message: { body: '1' } });
  third.answer(accepted);
  expect(await destination.next()).toMatchObject({ outcomeUnknown: false, message: { body: '2' } });
});

test('a message that can never be accepted is parked, and the next one follows', async () => {
  const partner = await stage.newPartner();
  const destination = newDestination();
  const [, bad] = await publish(partner, destination, '1', '2', '3');
  startRelay(destination, createTestClock('2026-01-20T15:00:00Z'));
  (await destination.next()).answer(accepted);
  (await destination.next()).answer({ kind: 'refused', reason: 'It is too large.' });
  const third = await destination.next();
  expect(third.message.body).toBe('3');
  third.answer(accepted);
  await settled(partner, destination);
  expect(await itemsOf(destination)).toEqual([
    { message_id: bad, state: 'parked', outcome_unknown: false, reason: 'It is too large.' },
  ]);
});

test('what a stopped destination refuses waits, and one stream a minute asks again', async () => {
  const partners = [await stage.newPartner(), await stage.newPartner()];
  const destination = newDestination();
  const clock = createTestClock('2026-01-20T15:00:00Z');
  for (const partner of partners) await publish(partner, destination, '1');
  const relay = startRelay(destination, clock, { tuning: { streams: 1 } });
  const stopped: Handover = { kind: 'stopped', reason: 'The token is wrong.' };
  const first = await destination.next();
  first.answer(stopped);
  await expect.poll(() => relay.trouble()).toContain('refuses all of them');
  for (let seconds = 0; seconds < 59; seconds += 1) {
    pass(clock, 1_000);
  }
  expect(destination.waiting).toEqual([]);
  expect(await itemsOf(destination)).toHaveLength(2);
  pass(clock, 2_000);
  (await destination.next()).answer(accepted);
  (await destination.next()).answer(accepted);
  await expect.poll(() => itemsOf(destination)).toEqual([]);
  expect(relay.trouble()).toBeUndefined();
});

test('after a crash another process continues, and knows that the first outcome is unknown', async () => {
  const partner = await stage.newPartner();
  const destination = newDestination();
  const clock = createTestClock('2026-01-20T15:00:00Z');
  await publish(partner, destination, '1', '2');
  // It never records what it sent: the lease is longer than the test lets it wait for an answer.
  const crashed = createScriptedDestination(destination.name);
  startRelay(crashed, clock, { tuning: { handoverMs: 600_000 } });
  const lost = await crashed.next();
  startRelay(destination, clock, { tuning: { handoverMs: 600_000 } });
  pass(clock, 29_000);
  expect(destination.waiting).toEqual([]);
  pass(clock, 2_000);
  const again = await destination.next();
  expect(again).toMatchObject({ outcomeUnknown: true, message: { id: lost.message.id } });
  again.answer(accepted);
  const next = await destination.next();
  expect(next.message.body).toBe('2');
  // The first process comes back. What it records is true, but the stream is no longer its own.
  lost.answer(accepted);
  next.answer(accepted);
  await settled(partner, destination);
  expect(await itemsOf(destination)).toEqual([]);
  expect(crashed.waiting).toEqual([]);
});

test('a holder that lost its lease can neither park nor postpone', async () => {
  const partner = await stage.newPartner();
  const destination = newDestination();
  const clock = createTestClock('2026-01-20T15:00:00Z');
  await publish(partner, destination, '1');
  const slow = createScriptedDestination(destination.name);
  const slowRelay = startRelay(slow, clock, { tuning: { handoverMs: 600_000 } });
  const lost = await slow.next();
  startRelay(destination, clock, { tuning: { handoverMs: 600_000 } });
  pass(clock, 31_000);
  const again = await destination.next();
  lost.answer({ kind: 'refused', reason: 'Too late.' });
  await slowRelay.stop();
  expect(await itemsOf(destination)).toMatchObject([{ state: 'pending', reason: null }]);
  expect((await streamOf(partner, destination)).lease_owner).not.toBeNull();
  again.answer(accepted);
  await settled(partner, destination);
  expect(await itemsOf(destination)).toEqual([]);
});

test('two processes share the streams, and each message is handed over once', async () => {
  const partners = await Promise.all(Array.from({ length: 8 }, () => stage.newPartner()));
  const destination = newDestination();
  const other = createScriptedDestination(destination.name);
  const clock = createTestClock('2026-01-20T15:00:00Z');
  for (const partner of partners) await publish(partner, destination, '1', '2', '3');
  const sent: string[] = [];
  for (const it of [destination, other]) {
    it.send = async ({ partnerId, body }) => {
      sent.push(`${partnerId} ${body}`);
      return accepted;
    };
    startRelay(it, clock);
  }
  await expect.poll(() => itemsOf(destination)).toEqual([]);
  expect([...sent].sort()).toEqual(
    partners
      .flatMap(({ partnerId }) => ['1', '2', '3'].map((body) => `${partnerId} ${body}`))
      .sort(),
  );
  for (const { partnerId } of partners) {
    expect(sent.filter((it) => it.startsWith(partnerId)).map((it) => it.at(-1))).toEqual([
      '1',
      '2',
      '3',
    ]);
  }
});

test('a result that could not be recorded is an unknown outcome', async () => {
  const partner = await stage.newPartner();
  const destination = newDestination();
  const clock = createTestClock('2026-01-20T15:00:00Z');
  await publish(partner, destination, '1');
  let broken = true;
  let failures = 0;
  const db: Database = {
    ...stage.db,
    kind: stage.db.kind,
    many: (row, statement) => stage.db.many(row, statement),
    run: async (statement: Sql) => {
      if (broken) {
        failures += 1;
        throw new Error('The connection is lost.');
      }
      return stage.db.run(statement);
    },
  };
  startRelay(destination, clock, { db });
  (await destination.next()).answer(accepted);
  await expect.poll(() => failures).toBe(1);
  expect(destination.waiting).toEqual([]);
  // Before the lease ends: the process knows that it has nothing in flight.
  pass(clock, 1_000);
  const again = await destination.next();
  expect(again.outcomeUnknown).toBe(true);
  broken = false;
  again.answer(accepted);
  await settled(partner, destination);
  expect(await itemsOf(destination)).toEqual([]);
});

test('a handover without an answer ends after its limit, and so does one that throws', async () => {
  const partner = await stage.newPartner();
  const destination = newDestination();
  const clock = createTestClock('2026-01-20T15:00:00Z');
  await publish(partner, destination, '1');
  startRelay(destination, clock);
  await destination.next();
  pass(clock, 20_000);
  expect(await settled(partner, destination)).toMatchObject({
    last_error: `${destination.name} did not answer within 20 seconds.`,
  });
  pass(clock, 1_000);
  const second = await destination.next();
  expect(second.outcomeUnknown).toBe(true);
  second.fail(new Error('a bug'));
  expect(await settled(partner, destination)).toMatchObject({ failures: 2 });
});

test('an expunged message is not handed over, and one that is gone is parked', async () => {
  const partner = await stage.newPartner();
  const destination = newDestination();
  const [expunged, gone, kept] = await publish(partner, destination, '1', '2', '3');
  await stage.db.run(sql`
    update webhook_messages set body = '', expunged_at = now() where id = ${expunged ?? ''}`);
  await stage.db.run(sql`delete from webhook_messages where id = ${gone ?? ''}`);
  startRelay(destination, createTestClock('2026-01-20T15:00:00Z'));
  const call = await destination.next();
  expect(call.message.id).toBe(kept);
  call.answer(accepted);
  await settled(partner, destination);
  expect(await itemsOf(destination)).toMatchObject([{ message_id: gone, state: 'parked' }]);
});

test('a destination learns whether it has accepted a message of the partner, until an operator retries', async () => {
  const partner = await stage.newPartner();
  const destination = newDestination();
  const [expunged] = await publish(partner, destination, '1', '2', '3', '4');
  await stage.db.run(sql`
    update webhook_messages set body = '', expunged_at = now() where id = ${expunged ?? ''}`);
  const clock = createTestClock('2026-01-20T15:00:00Z');
  startRelay(destination, clock);
  const known = async (handover: Handover) => {
    const call = await destination.next();
    call.answer(handover);
    return call.partnerKnown;
  };
  expect(await known({ kind: 'refused', reason: 'Not this one.' })).toBe(false);
  expect(await known(accepted)).toBe(false);
  expect(await known(down)).toBe(true);
  await settled(partner, destination);
  pass(clock, 1_000);
  expect(await known(down)).toBe(true);
  await settled(partner, destination);
  const { pms } = partner;
  await stage.db.transaction((tx) => retryOutbox(tx, { pms }, clock.now()));
  pass(clock, 1_000);
  expect(await known(accepted)).toBe(false);
});

test('stopping finishes the handover in flight and begins no further one', async () => {
  const partner = await stage.newPartner();
  const destination = newDestination();
  await publish(partner, destination, '1', '2');
  const relay = startRelay(destination, createTestClock('2026-01-20T15:00:00Z'));
  const call = await destination.next();
  const stopping = relay.stop();
  call.answer(accepted);
  await stopping;
  expect(destination).toMatchObject({ waiting: [], closed: true });
  expect(await itemsOf(destination)).toMatchObject([{ state: 'pending', outcome_unknown: false }]);
  expect((await streamOf(partner, destination)).lease_owner).toBeNull();
});

test('what a transaction published and did not commit is not handed over', async () => {
  const partner = await stage.newPartner();
  const destination = newDestination();
  const id = newId('evt', stage.clock.now);
  const message = { id, owner: partner.partnerId, subject: null, type: 'x.y', body: '{}' };
  const rolledBack = stage.db.transaction(async (tx) => {
    await storeMessages(tx, [message], stage.clock.now);
    await enqueue(tx, [destination.name], [message], stage.clock.now);
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  expect(await itemsOf(destination)).toEqual([]);
});
