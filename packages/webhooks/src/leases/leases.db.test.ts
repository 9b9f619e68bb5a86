import { bigint, integer, nullable, row, sql, text } from '@svc/db';
import { expect, test } from 'vitest';
import type { Claimed } from '../kernel/claimed.ts';
import { newId } from '../kernel/ids.ts';
import type { Result } from '../messages/attempt-detail.ts';
import { expungeMessage } from '../messages/expunge-message.ts';
import { listMessages } from '../messages/list-messages.ts';
import { publishLeased } from '../publishing/publish.ts';
import { countReplayed, totalRow } from '../replay/select-replayed.ts';
import { failureRow, writeFailures } from '../results/write-failures.ts';
import { successRow, writeSuccesses } from '../results/write-successes.ts';
import type { Harness } from '../testing/harness.ts';
import { type Receiver, statuses } from '../testing/receiver.ts';
import { useEngine } from '../testing/use-engine.ts';
import { expireLeasesOfDead, expireStaleLeases } from './expire-leases.ts';
import { releaseClaims } from './leases.ts';

let harness: Harness;
let receiver: Receiver;

useEngine((opened) => {
  ({ harness, receiver } = opened);
});

const processId = 'dead';
const leaseMs = 60_000;

test('one publish has one lease, which is deleted soon after the last of its deliveries', async () => {
  await harness.endpoint({ url: receiver.url });
  const answers: (() => void)[] = [];
  receiver.answer = (_, response) => answers.push(() => response.writeHead(204).end());
  const messages = Array.from({ length: 3 }, newMessage);
  await harness.engine.publish(messages);
  await receiver.until(3);
  expect(await rows()).toEqual({ leases: 1, open: 0 });
  expect(await states(messages)).toEqual(['delivering', 'delivering', 'delivering']);
  for (const answer of answers) answer();
  await harness.engine.idle();
  expect(await states(messages)).toEqual(['delivered', 'delivered', 'delivered']);
  await harness.advance(1_000);
  await expect.poll(rows).toEqual({ leases: 0, open: 0 });
});

test('a failed delivery leaves the lease for an open row and follows the schedule', async () => {
  await harness.endpoint({ url: receiver.url });
  receiver.answer = statuses(500, 500, 200);
  const message = newMessage();
  await harness.engine.publish([message]);
  await harness.engine.idle();
  expect(await states([message])).toEqual(['retrying']);
  await harness.advance(5_000 + 300_000);
  expect(await states([message])).toEqual(['delivered']);
  expect(await harness.attempts(message.id)).toHaveLength(3);
});

test('a replay that succeeds while the first attempt is in flight leaves nothing to retry', async () => {
  const endpoint = await harness.endpoint({ url: receiver.url });
  const answers: ((status: number) => void)[] = [];
  receiver.answer = (_, response) => {
    answers.push((status) => response.writeHead(status).end());
  };
  const message = newMessage();
  await harness.engine.publish([message]);
  await receiver.until(1);
  await harness.replay(message.id, endpoint);
  await receiver.until(2);
  answers[1]?.(200);
  await expect.poll(() => harness.attempts(message.id)).toHaveLength(1);
  answers[0]?.(500);
  await harness.engine.idle();
  expect(await harness.attempts(message.id)).toHaveLength(2);
  expect(await states([message])).toEqual(['delivered']);
  expect(await rows()).toMatchObject({ open: 0 });
});

test('of the deliveries of a dead process, only those without an attempt are sent again', async () => {
  const [delivered, failed, unsent] = await leased(3);
  await succeed(delivered);
  await fail(failed);
  expect(await expireLeasesOfDead(harness.db, [processId], harness.clock.now())).toBe(1);
  expect(await rows()).toEqual({ leases: 0, open: 2 });
  expect(await stepOf(failed)).toMatchObject({ step: 1, interrupted: 0 });
  expect(await stepOf(unsent)).toMatchObject({ step: 0, interrupted: 1 });
});

test('a failure under an expired lease changes nothing; a success ends the delivery', async () => {
  const [failing, succeeding] = await leased(2);
  await expireLeasesOfDead(harness.db, 'all', harness.clock.now());
  await fail(failing);
  await succeed(succeeding);
  expect(await stepOf(failing)).toMatchObject({ step: 0 });
  expect(await stepOf(succeeding)).toBeUndefined();
  expect(await rows()).toEqual({ leases: 0, open: 1 });
});

test('a released delivery is due again, once, whatever becomes of its lease', async () => {
  const [unused, kept] = await leased(2);
  expect(await releaseClaims(harness.db, [unused])).toBe(1);
  expect(await releaseClaims(harness.db, [unused])).toBe(0);
  expect(await stepOf(unused)).toMatchObject({ step: 0, node: null });
  const end = harness.clock.now().getTime() + leaseMs;
  expect(await expireStaleLeases(harness.db, new Date(end - 1))).toBe(0);
  expect(await expireStaleLeases(harness.db, new Date(end))).toBe(1);
  expect(await stepOf(kept)).toMatchObject({ step: 0, interrupted: 1 });
  expect(await stepOf(unused)).toMatchObject({ interrupted: 0 });
  expect(await releaseClaims(harness.db, [kept])).toBe(0);
});

test('a leased delivery is listed as delivering, not expunged, and not replayed as never attempted', async () => {
  const { db, owner, clock } = harness;
  const [{ messageId, endpointId }] = await leased(1);
  const { items } = await listMessages(db, owner, { limit: 10, states: ['delivering'] });
  expect(items).toMatchObject([{ id: messageId }]);
  const expunging = db.transaction((tx) =>
    expungeMessage(tx, owner, messageId, { cancel: true }, clock.now()),
  );
  await expect(expunging).rejects.toMatchObject({ code: 'message_in_use' });
  const window = { since: new Date(0), until: new Date(clock.now().getTime() + 1_000) };
  const any = { event_types: null, status_class: null, error_class: null, subject: null };
  const replayed = { owner, endpoint_id: endpointId, ...window, ...any, channel: null };
  const unsent = countReplayed({ ...replayed, states: ['never_attempted'] }, null);
  expect(await db.one(totalRow, unsent)).toEqual({ total: 0 });
});

function newMessage() {
  const id = newId('evt', harness.clock.now());
  return { id, owner: harness.owner, subject: null, type: 'plan.created', body: '{}' };
}

/** Publishes messages whose deliveries are leased by a process that does not exist. */
async function leased<Count extends number>(count: Count) {
  await harness.endpoint({ url: receiver.url });
  const now = harness.clock.now();
  const until = new Date(now.getTime() + leaseMs);
  const terms = { processId, until, startBefore: until, full: [] };
  const messages = Array.from({ length: count }, newMessage);
  const claimed = await publishLeased(harness.db, messages, now, terms);
  expect(claimed.map(({ messageId }) => messageId)).toEqual(messages.map(({ id }) => id));
  return claimed as [Claimed, Claimed, Claimed];
}

async function succeed(claimed: Claimed): Promise<void> {
  await writeSuccesses(harness.db, [successRow(resultOf(claimed, 204))], false);
}

async function fail(claimed: Claimed): Promise<void> {
  await writeFailures(harness.db, [failureRow(resultOf(claimed, 500))], new Date(0));
}

function resultOf(claimed: Claimed, status: 204 | 500): Result {
  const at = harness.clock.now();
  const times = { dns: null, connect: null, tls: null, firstByte: 1, total: 1 };
  const answer = {
    responseHeaders: {},
    responseBody: '',
    responseTruncated: false,
    atProxy: false,
    times,
  };
  const errorClass = status === 204 ? null : 'status';
  const outcome = {
    startedAt: at,
    endedAt: at,
    status,
    errorClass,
    error: null,
    ...answer,
  } as const;
  const sent = { userAgent: 'svc', signature: 'v1,a', hidden: [], svix: true };
  return { claimed, url: receiver.url, sent, outcome, honorsRetryAfter: false };
}

function stepOf({ messageId, endpointId }: Claimed) {
  return harness.db.maybe(
    row('open delivery', { step: integer, interrupted: integer, node: nullable(text) }),
    sql`
    select step, interrupted, node from webhook_deliveries_open
    where message_id = ${messageId} and endpoint_id = ${endpointId}`,
  );
}

async function states(messages: readonly { id: string }[]): Promise<unknown[]> {
  return Promise.all(messages.map(({ id }) => harness.state(id)));
}

function rows() {
  return harness.db.one(
    row('counts', { leases: bigint, open: bigint }),
    sql`
    select (select count(*) from webhook_leases) as leases,
      (select count(*) from webhook_deliveries_open) as open`,
  );
}
