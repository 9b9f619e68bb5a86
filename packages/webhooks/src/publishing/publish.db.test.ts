import { bigint, row, sql } from '@svc/db';
import { describe, expect, test } from 'vitest';
import { newId } from '../kernel/ids.ts';
import { getMessage } from '../messages/list-messages.ts';
import type { Harness } from '../testing/harness.ts';
import type { Receiver } from '../testing/receiver.ts';
import { useEngine } from '../testing/use-engine.ts';
import { storeMessages } from './store-messages.ts';

describe('publish', () => {
  let harness: Harness;
  let receiver: Receiver;

  useEngine((opened) => {
    ({ harness, receiver } = opened);
  });

  test('each subscribed endpoint gets its own delivery, and only those', async () => {
    const types = [null, ['plan.created'], ['plan.*'], ['settlement.*', 'plan.updated']];
    for (const [index, event_types] of types.entries()) {
      await harness.endpoint({ url: `${receiver.url}/${index}`, event_types });
    }
    await harness.deliver({ type: 'plan.created' });
    await harness.deliver({ type: 'plan.updated' });
    await harness.deliver({ type: 'planet.created' });
    expect(receiver.received.map(({ path }) => path).sort()).toEqual([
      '/0',
      '/0',
      '/0',
      '/1',
      '/2',
      '/2',
      '/3',
    ]);
  });

  test('endpoints with channels get the messages that share one; endpoints without get all messages', async () => {
    const channels = [null, ['north'], ['north', 'south'], ['null']];
    for (const [index, each] of channels.entries()) {
      await harness.endpoint({ url: `${receiver.url}/${index}`, channels: each });
    }
    const pathsOf = async (message: { channels?: string[] }) => {
      receiver.received.length = 0;
      await harness.deliver(message);
      return receiver.received.map(({ path }) => path).sort();
    };
    expect(await pathsOf({})).toEqual(['/0']);
    expect(await pathsOf({ channels: ['south'] })).toEqual(['/0', '/2']);
    expect(await pathsOf({ channels: ['south', 'north'] })).toEqual(['/0', '/1', '/2']);
    expect(await pathsOf({ channels: ['null'] })).toEqual(['/0', '/3']);
  });

  test('neither endpoints of another owner nor the excepted endpoint get a message', async () => {
    const quiet = await harness.endpoint({ url: `${receiver.url}/quiet` });
    await harness.endpoint({ url: `${receiver.url}/loud` });
    await harness.deliver({ owner: 'partner_b' });
    expect(receiver.received).toHaveLength(0);
    await harness.deliver({ exceptEndpointId: quiet });
    expect(receiver.received.map(({ path }) => path)).toEqual(['/loud']);
  });

  test('a message can be stored without deliveries, and be replayed', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    const { db, clock, owner } = harness;
    const id = newId('evt', clock.now());
    const message = {
      id,
      owner,
      subject: 't-1',
      type: 'plan.created',
      channels: ['x'],
      body: '{}',
    };
    await db.transaction((tx) => storeMessages(tx, [message], clock.now()));
    harness.engine.wake();
    await harness.advance(100_000);
    expect(receiver.received).toHaveLength(0);
    expect(await getMessage(db, owner, id)).toMatchObject({ external_id: 't-1', channels: ['x'] });
    await harness.replay(id, endpoint);
    await harness.engine.idle();
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([id]);
  });

  test('a transaction that rolls back leaves nothing and sends nothing', async () => {
    await harness.endpoint({ url: receiver.url });
    const { db, clock, owner, engine } = harness;
    const id = newId('evt', clock.now());
    const message = { id, owner, subject: null, type: 'plan.created', body: '{}' };
    const failing = db.transaction(async (tx) => {
      await engine.publishIn(tx, [message], clock.now());
      throw new Error('the rent changed its mind');
    });
    await expect(failing).rejects.toThrow('changed its mind');
    engine.wake();
    await harness.advance(100_000);
    expect(receiver.received).toHaveLength(0);
    await expect(harness.attempts(id)).rejects.toMatchObject({ code: 'message_not_found' });
  });

  test('publishing with a lease sends once the transaction is committed and woken', async () => {
    await harness.endpoint({ url: receiver.url });
    const { db, clock, owner, engine } = harness;
    const message = { owner, subject: null, type: 'plan.created', body: '{}' };
    const ids = [newId('evt', clock.now()), newId('evt', clock.now())];
    const tx = await db.transaction(async (tx) => {
      for (const id of ids) await engine.publishIn(tx, [{ id, ...message }], clock.now());
      return tx;
    });
    engine.wake(tx);
    await engine.idle();
    // Two requests are in flight at once: either may arrive first.
    const received = receiver.received.map(({ headers }) => String(headers['webhook-id']));
    expect(received.toSorted()).toEqual(ids.toSorted());
  });

  test('a publish whose caller never calls wake() is sent a second later, once', async () => {
    await harness.endpoint({ url: receiver.url });
    const { db, clock, owner } = harness;
    const engine = harness.another({ pollMs: 1_000 });
    await engine.start();
    const id = newId('evt', clock.now());
    const message = { id, owner, subject: null, type: 'plan.created', body: '{}' };
    const tx = await db.transaction(async (tx) => {
      await engine.publishIn(tx, [message], clock.now());
      return tx;
    });
    await clock.advance(1_000);
    await receiver.until(1);
    engine.wake(tx);
    await engine.idle();
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([id]);
  });

  test('a second publish with the same id is refused, and nothing is delivered twice', async () => {
    await harness.endpoint({ url: receiver.url });
    const id = await harness.deliver({ body: '{"n":1}' });
    await expect(harness.publish({ id, body: '{"n":2}' })).rejects.toThrow(/duplicate key/);
    harness.engine.wake();
    await harness.engine.idle();
    expect(receiver.received.map(({ body }) => body)).toEqual(['{"n":1}']);
  });

  test('concurrent callers without a transaction share commits; an invalid message fails alone', async () => {
    await harness.endpoint({ url: receiver.url });
    const { clock, owner, engine } = harness;
    const message = (id: string) => ({ id, owner, subject: null, type: 'a.b', body: '{}' });
    const good = Array.from({ length: 20 }, () => message(newId('evt', clock.now())));
    const calls = [...good, message('not an id')].map((one) => engine.publish([one]));
    const settled = await Promise.allSettled(calls);
    await engine.idle();
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set(good.map(({ id }) => id)),
    );
  });

  test('hundreds of concurrent messages are each delivered and recorded once', async () => {
    for (const path of ['/a', '/b', '/c']) await harness.endpoint({ url: receiver.url + path });
    const busy = harness.another({ inFlight: 7, inFlightPerEndpoint: 3 });
    await busy.start();
    const { owner, clock } = harness;
    const publishing = Array.from({ length: 20 }, () => {
      const made = Array.from({ length: 11 }, () => newId('evt', clock.now()));
      const messages = made.map((id) => ({ id, owner, subject: null, type: 'a.b', body: '{}' }));
      return busy.publish(messages).then(() => made);
    });
    const ids = (await Promise.all(publishing)).flat();
    await busy.idle();
    const sent = receiver.received.map(({ path, headers }) => `${path} ${headers['webhook-id']}`);
    const expected = ids.flatMap((id) => ['/a', '/b', '/c'].map((path) => `${path} ${id}`));
    expect(sent.toSorted()).toEqual(expected.toSorted());
    const { left } = await harness.db.one(
      row('left deliveries', { left: bigint }),
      sql`select count(*) as left from webhook_deliveries_open`,
    );
    expect(left).toBe(0);
  });
});
