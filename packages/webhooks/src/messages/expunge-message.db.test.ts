import { json, row, sql } from '@svc/db';
import { expect, test } from 'vitest';
import { updateEndpoint } from '../endpoints/update-endpoint.ts';
import { controlReplay } from '../replay/control-replay.ts';
import { createReplay } from '../replay/create-replay.ts';
import { stepReplay } from '../replay/step-replay.ts';
import type { Harness } from '../testing/harness.ts';
import { type Receiver, statuses } from '../testing/receiver.ts';
import { replayStage } from '../testing/replay-stage.ts';
import { signal } from '../testing/signal.ts';
import { useEngine } from '../testing/use-engine.ts';
import { type ExpungeInput, expungeMessage } from './expunge-message.ts';
import { listEvents } from './list-events.ts';
import { getMessage, listMessages } from './list-messages.ts';

let harness: Harness;
let receiver: Receiver;

useEngine((opened) => {
  ({ harness, receiver } = opened);
});
const { replay, control, read, deliverMany } = replayStage(() => harness);

const secret = 'Ms. Vasquez owes 1,520.12';
const body = JSON.stringify({ note: secret });

test('expunging erases the body and the response bodies; deliveries and attempts stay readable', async () => {
  await harness.endpoint({ url: receiver.url });
  receiver.answer = (received, response) => response.writeHead(200).end(received.body);
  const id = await harness.deliver({ body });
  expect((await harness.attempts(id))[0]?.response_body).toBe(body);
  const [before] = await harness.attempts(id);

  const expunged = await expunge(id);
  expect(expunged).toMatchObject({ body: null, expunged_at: harness.clock.now().toISOString() });
  expect(await harness.attempts(id)).toEqual([{ ...before, response_body: '' }]);
  expect(await getMessage(harness.db, harness.owner, id)).toEqual(expunged);
  expect(expunged.deliveries).toMatchObject([{ state: 'delivered', attempts_made: 1 }]);
  expect(await stored()).not.toContain(secret);

  const listed = await listMessages(harness.db, harness.owner, { limit: 10 });
  expect(listed.items).toMatchObject([{ id, expunged_at: expunged.expunged_at }]);
  expect((await listEvents(harness.db, harness.owner, null, 10)).items).toEqual([]);
  await harness.clock.advance(1_000);
  expect((await expunge(id)).expunged_at).toBe(expunged.expunged_at);
});

test('an expunged message is not sent again, neither alone nor by a bulk replay', async () => {
  const endpoint = await harness.endpoint({ url: receiver.url });
  const [gone, kept] = [await harness.deliver(), await harness.deliver()];
  await expunge(gone);
  await expect(harness.replay(gone, endpoint)).rejects.toMatchObject({
    code: 'message_expunged',
    message: 'The payload of this message was expunged: there is nothing left to send.',
  });
  await replay({ endpoint_id: endpoint, filter: { states: ['delivered', 'failed'] } });
  await harness.advance(1_000);
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([gone, kept, kept]);
});

test('expunging is refused while a delivery is open, and with cancel skips it', async () => {
  await harness.endpoint({ url: receiver.url });
  receiver.answer = statuses(500);
  const id = await harness.deliver({ body });
  await expect(expunge(id)).rejects.toMatchObject({
    code: 'message_in_use',
    message:
      'The message is still to be sent: wait, or pass "cancel": true to skip its deliveries.',
  });
  expect((await getMessage(harness.db, harness.owner, id)).body).toBe(body);

  const { deliveries } = await expunge(id, { cancel: true });
  expect(deliveries).toMatchObject([{ state: 'skipped', reason: 'expunged', attempts_made: 1 }]);
  await harness.advance(28 * 3_600_000);
  expect(receiver.received).toHaveLength(1);
});

test('expunging is refused while an attempt is in flight, also with cancel', async () => {
  await harness.endpoint({ url: receiver.url });
  const came = signal();
  let answer = () => {};
  receiver.answer = (_, response) => {
    answer = () => response.writeHead(204).end();
    came.fire();
  };
  const id = await harness.publish({ body });
  harness.engine.wake();
  await came.heard;
  await expect(expunge(id, { cancel: true })).rejects.toMatchObject({
    code: 'message_in_use',
    message: expect.stringContaining('is in flight: try again'),
  });
  answer();
  await harness.engine.idle();
  expect(await expunge(id)).toMatchObject({ body: null });
});

test('expunging is refused while a replay could still send the message, and with cancel removes it from the replay', async () => {
  const endpoint = await harness.endpoint({ url: receiver.url });
  const [id] = (await deliverMany(2)) as [string, string];
  await harness.clock.advance(1);
  const since = new Date(harness.clock.now().getTime() - 60_000);
  const asked = { endpoint_id: endpoint, since, filter: { states: ['delivered' as const] } };
  const { id: job } = await harness.db.transaction((tx) =>
    createReplay(tx, harness.owner, asked, harness.clock.now()),
  );
  await expect(expunge(id)).rejects.toMatchObject({
    message: expect.stringContaining(`The replay ${job} could still send the message`),
  });
  await expunge(id, { cancel: true });
  await control(job, 'pause');
  await control(job, 'resume');
  await harness.advance(1_000);
  expect(await read(job)).toMatchObject({
    state: 'completed',
    total: 1,
    replayed: 1,
    delivered: 1,
  });
  expect(receiver.received).toHaveLength(3);
});

test('expunging with cancel removes the message from a replay that has opened it, or withdrew it when paused', async () => {
  const { db, owner, clock } = harness;
  const endpoint = await harness.endpoint({ url: receiver.url });
  const ids = await deliverMany(3);
  const [opened, withdrawn] = ids as [string, string, string];
  await clock.advance(1);
  const since = new Date(clock.now().getTime() - 60_000);
  const asked = { endpoint_id: endpoint, since, filter: { states: ['delivered' as const] } };
  const job = await db.transaction(async (tx) => {
    const { id } = await createReplay(tx, owner, asked, clock.now());
    await stepReplay(tx, owner, id ?? '', 10, clock.now());
    return id;
  });
  await expunge(opened, { cancel: true });
  expect(await read(job)).toMatchObject({ replayed: 2 });
  await db.transaction((tx) => controlReplay(tx, owner, job ?? '', 'pause'));
  await expunge(withdrawn, { cancel: true });
  await control(job, 'resume');
  await harness.advance(1_000);
  expect(await read(job)).toMatchObject({
    state: 'completed',
    total: 1,
    replayed: 1,
    delivered: 1,
  });
  expect(receiver.received).toHaveLength(4);
});

test('a held message is skipped, also after the endpoint is enabled', async () => {
  const { db, deps, owner, clock } = harness;
  const endpoint = await harness.endpoint({ url: receiver.url });
  const turn = (state: 'enabled' | 'disabled') =>
    db.transaction((tx) => updateEndpoint(tx, deps, owner, endpoint, { state }, clock.now()));
  await turn('disabled');
  const id = await harness.deliver({ body });
  await expunge(id, { cancel: true });
  await turn('enabled');
  harness.engine.wake();
  await harness.engine.idle();
  expect(receiver.received).toEqual([]);
  expect(await harness.state(id)).toBe('skipped');
});

test('expunging does not find a message of another owner', async () => {
  const id = await harness.publish({ owner: 'partner_b' });
  await expect(expunge(id)).rejects.toMatchObject({ code: 'message_not_found' });
});

function expunge(id: string, input: ExpungeInput = {}) {
  const { db, owner, clock } = harness;
  return db.transaction((tx) => expungeMessage(tx, owner, id, input, clock.now()));
}

async function stored(): Promise<string> {
  const rows = await harness.db.many(
    row('stored row', { row: json() }),
    sql`
    select to_json(m) as row from webhook_messages m
    union all select to_json(a) from webhook_attempts a`,
  );
  return JSON.stringify(rows);
}
