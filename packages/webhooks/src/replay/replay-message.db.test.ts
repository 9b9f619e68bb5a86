import { describe, expect, test } from 'vitest';
import { deleteEndpoint } from '../endpoints/delete-endpoint.ts';
import { updateEndpoint } from '../endpoints/update-endpoint.ts';
import { getMessage } from '../messages/list-messages.ts';
import type { Harness } from '../testing/harness.ts';
import { type Receiver, statuses } from '../testing/receiver.ts';
import { useEngine } from '../testing/use-engine.ts';
import { replayMessage } from './replay-message.ts';

describe('replayMessage', () => {
  let harness: Harness;
  let receiver: Receiver;

  useEngine((opened) => {
    ({ harness, receiver } = opened);
  });

  test('a failed replay leaves the pending retry as it was', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500, 500, 200);
    const id = await harness.deliver();
    await harness.advance(2_000);
    const before = await delivery(id);
    await replay(id, endpoint);
    expect(await delivery(id)).toEqual({ ...before, attempts_made: 2 });
    await harness.advance(3_000);
    expect(await harness.state(id)).toBe('delivered');
    expect(await triggers(id)).toEqual(['1 schedule', '2 manual', '3 schedule']);
  });

  test('a failed replay does not use up one of the eight attempts', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500);
    const id = await harness.deliver();
    await replay(id, endpoint);
    await harness.advance(28 * 3_600_000);
    expect(await harness.state(id)).toBe('exhausted');
    expect(receiver.received).toHaveLength(9);
  });

  test('a successful replay cancels the pending retry', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500, 200);
    const id = await harness.deliver();
    await replay(id, endpoint);
    expect(await delivery(id)).toMatchObject({ state: 'delivered', next_attempt_at: null });
    await harness.advance(28 * 3_600_000);
    expect(receiver.received).toHaveLength(2);
    expect(harness.operational).toEqual([]);
  });

  test('a successful replay while a scheduled attempt fails leaves it delivered', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    const pendingAnswers: (() => void)[] = [];
    receiver.answer = (_, response) => {
      const first = receiver.received.length === 1;
      if (first) pendingAnswers.push(() => response.writeHead(500).end());
      else response.writeHead(200).end();
    };
    const id = await harness.publish();
    harness.engine.wake();
    await receiver.until(1);
    await harness.replay(id, endpoint);
    await receiver.until(2);
    while ((await harness.state(id)) !== 'delivered') await harness.attempts(id);
    for (const answer of pendingAnswers) answer();
    await harness.engine.idle();
    expect(await harness.state(id)).toBe('delivered');
    await harness.advance(28 * 3_600_000);
    expect(receiver.received).toHaveLength(2);
    expect(await triggers(id)).toEqual(['1 manual', '2 schedule']);
  });

  test('replaying an exhausted message delivers it, and the owner gets an event', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500);
    const id = await harness.deliver();
    await harness.advance(28 * 3_600_000);
    harness.operational.length = 0;
    await replay(id, endpoint);
    expect(await harness.state(id)).toBe('exhausted');
    receiver.answer = statuses(200);
    await replay(id, endpoint);
    expect(await harness.state(id)).toBe('delivered');
    expect(harness.operational).toEqual([
      {
        owner: harness.owner,
        type: 'message.recovered',
        endpointId: endpoint,
        data: { endpoint_id: endpoint, message_id: id, event_type: 'plan.created' },
      },
    ]);
  });

  test('a delivered message can be replayed with the same id and bytes, and stays delivered', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    const id = await harness.deliver({ body: '{"n":1}' });
    receiver.answer = statuses(500);
    await replay(id, endpoint);
    expect(await harness.state(id)).toBe('delivered');
    const sent = receiver.received.map(({ headers, body }) => [headers['webhook-id'], body]);
    expect(sent).toEqual([
      [id, '{"n":1}'],
      [id, '{"n":1}'],
    ]);
  });

  test('a message can be replayed to an endpoint that was not subscribed', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url, event_types: ['other.type'] });
    receiver.answer = statuses(500, 200);
    const id = await harness.deliver();
    expect(await delivery(id)).toBeUndefined();
    await replay(id, endpoint);
    expect(await delivery(id)).toMatchObject({ state: 'skipped', reason: 'not_subscribed' });
    await replay(id, endpoint);
    expect(await delivery(id)).toMatchObject({ state: 'delivered', reason: null });
    expect(harness.operational).toEqual([]);
  });

  test('two requests before the attempt are one attempt', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    const id = await harness.deliver();
    const { db, owner, clock } = harness;
    for (let time = 0; time < 2; time += 1) {
      await db.transaction((tx) => replayMessage(tx, owner, id, endpoint, clock.now()));
    }
    harness.engine.wake();
    await harness.engine.idle();
    expect(receiver.received).toHaveLength(2);
  });

  test('is refused for another owner, and for deleted or disabled endpoints', async () => {
    const { db, deps, owner, clock } = harness;
    const endpoint = await harness.endpoint({ url: receiver.url });
    const id = await harness.deliver();
    const asking = (who: string, message: string, where: string) =>
      db.transaction((tx) => replayMessage(tx, who, message, where, clock.now()));
    const code = (name: string) => ({ code: name });
    await expect(asking('partner_b', id, endpoint)).rejects.toMatchObject(
      code('endpoint_not_found'),
    );
    await expect(asking(owner, 'evt_none', endpoint)).rejects.toMatchObject(
      code('message_not_found'),
    );
    await db.transaction((tx) =>
      updateEndpoint(tx, deps, owner, endpoint, { state: 'disabled' }, clock.now()),
    );
    await expect(asking(owner, id, endpoint)).rejects.toMatchObject(code('endpoint_disabled'));
    await db.transaction((tx) => deleteEndpoint(tx, owner, endpoint, clock.now()));
    await expect(asking(owner, id, endpoint)).rejects.toMatchObject(code('endpoint_not_found'));
    expect(receiver.received).toHaveLength(1);
  });

  async function replay(messageId: string, endpointId: string): Promise<void> {
    await harness.replay(messageId, endpointId);
    await harness.engine.idle();
  }

  async function delivery(messageId: string) {
    const { deliveries } = await getMessage(harness.db, harness.owner, messageId);
    return deliveries[0];
  }

  async function triggers(messageId: string): Promise<string[]> {
    const attempts = await harness.attempts(messageId);
    return attempts.map(({ number, trigger }) => `${number} ${trigger}`);
  }
});
