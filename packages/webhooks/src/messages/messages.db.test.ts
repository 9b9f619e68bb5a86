import { type Database, row, sql } from '@svc/db';
import { describe, expect, test } from 'vitest';
import { updateEndpoint } from '../endpoints/update-endpoint.ts';
import { newId } from '../kernel/ids.ts';
import { publish } from '../publishing/publish.ts';
import type { Harness } from '../testing/harness.ts';
import { type Receiver, statuses } from '../testing/receiver.ts';
import { signal } from '../testing/signal.ts';
import { useEngine } from '../testing/use-engine.ts';
import { listEvents } from './list-events.ts';
import { getMessage, listMessages, type MessageQuery } from './list-messages.ts';

let harness: Harness;
let receiver: Receiver;

useEngine((opened) => {
  ({ harness, receiver } = opened);
});

describe('listMessages', () => {
  test('pages through everything once, newest first', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      ids.push(await harness.publish());
      if (index % 3 === 0) await harness.clock.advance(1_000);
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: 3, ...(cursor !== undefined && { cursor }) });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(ids.toReversed());
  });

  test('filters by type, subject and time', async () => {
    const start = harness.clock.now();
    const first = await harness.publish({ subject: 't-1', type: 'plan.created' });
    await harness.clock.advance(60_000);
    const second = await harness.publish({ subject: 't-2', type: 'plan.created' });
    const third = await harness.publish({ subject: 't-1', type: 'plan.updated' });
    expect(await found({ external_id: 't-1' })).toEqual([third, first]);
    expect(await found({ event_types: ['plan.created'] })).toEqual([second, first]);
    expect(await found({ external_id: 't-1', event_types: ['plan.created'] })).toEqual([first]);
    const minute = new Date(start.getTime() + 60_000);
    expect(await found({ since: minute })).toEqual([third, second]);
    expect(await found({ until: minute })).toEqual([first]);
  });

  test('filters by the state of a delivery, failed being retrying or exhausted', async () => {
    await harness.endpoint({ url: receiver.url, event_types: ['a.one'] });
    const off = await harness.endpoint({ url: receiver.url, event_types: ['a.two'] });
    await setState(off, 'disabled');
    receiver.answer = statuses(500);
    const exhausted = await harness.deliver({ type: 'a.one' });
    await harness.advance(28 * 3_600_000);
    const retrying = await harness.deliver({ type: 'a.one' });
    receiver.answer = statuses(200);
    const delivered = await harness.deliver({ type: 'a.one' });
    const held = await harness.deliver({ type: 'a.two' });
    const pending = await harness.publish({ type: 'a.one' });
    const unheard = await harness.publish({ type: 'a.three' });
    expect(await found({ states: ['exhausted'] })).toEqual([exhausted]);
    expect(await found({ states: ['retrying'] })).toEqual([retrying]);
    expect(await found({ states: ['failed'] })).toEqual([retrying, exhausted]);
    expect(await found({ states: ['delivered'] })).toEqual([delivered]);
    expect(await found({ states: ['held'] })).toEqual([held]);
    expect(await found({ states: ['pending'] })).toEqual([pending]);
    expect(await found({ endpoint_id: off })).toEqual([held]);
    expect(await found({ endpoint_id: off, states: ['delivered'] })).toEqual([]);
    expect((await found({})).includes(unheard)).toBe(true);
  });

  test('filters by several states, types and groups at once', async () => {
    await harness.endpoint({ url: receiver.url, event_types: ['a.*'] });
    receiver.answer = statuses(500, 200);
    const retrying = await harness.deliver({ type: 'a.one' });
    const delivered = await harness.deliver({ type: 'a.two' });
    const pending = await harness.publish({ type: 'a.one' });
    const unheard = await harness.publish({ type: 'ab.one' });
    expect(await found({ states: ['pending', 'failed'] })).toEqual([pending, retrying]);
    expect(await found({ states: ['delivered', 'failed'] })).toEqual([delivered, retrying]);
    expect(await found({ event_types: ['a.two', 'ab.one'] })).toEqual([unheard, delivered]);
    expect(await found({ event_types: ['a.*'] })).toEqual([pending, delivered, retrying]);
  });

  test('finds text in id, subject, type and body, in any case and with special characters', async () => {
    const first = await harness.publish({ subject: 'Tenant_7', body: '{"note":"100% Maple\\\\"}' });
    const second = await harness.publish({ subject: 'tenantx7', type: 'a.note' });
    expect(await found({ text: 'maple' })).toEqual([first]);
    expect(await found({ text: '100%' })).toEqual([first]);
    expect(await found({ text: '\\' })).toEqual([first]);
    expect(await found({ text: 'tenant_7' })).toEqual([first]);
    expect(await found({ text: 'NOTE' })).toEqual([second, first]);
    expect(await found({ text: second.toUpperCase() })).toEqual([second]);
    expect(await found({ text: 'note', event_types: ['a.*'] })).toEqual([second]);
    expect(await found({ text: 'elm' })).toEqual([]);
  });

  test('searches page by page through all messages', async () => {
    const { db, owner, clock } = harness;
    const [oldest] = [await harness.publish({ subject: 'needle' })];
    await clock.advance(1_000);
    const many = Array.from({ length: 5_500 }, () => message(newId('evt', clock.now())));
    await db.transaction((tx) => publish(tx, many, clock.now()));
    await clock.advance(1_000);
    const newest = await harness.publish({ subject: 'needle' });
    const first = await list({ text: 'needle' });
    expect(first.items.map(({ id }) => id)).toEqual([newest]);
    expect(first.searched_back_to).toBe(new Date(clock.now().getTime() - 1_000).toISOString());
    const second = await list({ text: 'needle', cursor: first.next_cursor ?? '' });
    expect(second.items.map(({ id }) => id)).toEqual([oldest]);
    expect(second).toMatchObject({ next_cursor: null, searched_back_to: null });
    expect((await listMessages(db, owner, { text: 'needle', limit: 1 })).items).toHaveLength(1);
  });

  test('finds a full id at once, however old, if the other filters match', async () => {
    const { db, clock } = harness;
    const endpoint = await harness.endpoint({ url: receiver.url, event_types: ['a.one'] });
    const oldest = await harness.publish({ type: 'a.one' });
    await clock.advance(1_000);
    const many = Array.from({ length: 5_500 }, () => message(newId('evt', clock.now())));
    await db.transaction((tx) => publish(tx, many, clock.now()));
    const text = ` ${oldest.toUpperCase()} `;
    expect(await list({ text })).toMatchObject({
      items: [{ id: oldest }],
      next_cursor: null,
      searched_back_to: null,
    });
    expect(await found({ text, endpoint_id: endpoint, states: ['pending'] })).toEqual([oldest]);
    expect(await found({ text, states: ['delivered'] })).toEqual([]);
    expect(await found({ text, until: new Date(clock.now().getTime() - 1_000) })).toEqual([]);
    expect(await found({ text: newId('evt', clock.now()) })).toEqual([]);
  });

  test('lists a message once that was sent twice or to several endpoints', async () => {
    const ids: string[] = [];
    const first = await harness.endpoint({ url: receiver.url });
    await harness.endpoint({ url: receiver.url });
    for (let index = 0; index < 4; index += 1) {
      ids.unshift(await harness.deliver());
      await harness.replay(ids[0] ?? '', first);
      await harness.engine.idle();
      await harness.clock.advance(1_000);
    }
    for (const filter of [{ endpoint_id: first }, { states: ['delivered' as const] }]) {
      const page = await list({ ...filter, limit: 3 });
      expect(page.items.map(({ id }) => id)).toEqual(ids.slice(0, 3));
      const rest = await list({ ...filter, limit: 3, cursor: page.next_cursor ?? '' });
      expect(rest.items.map(({ id }) => id)).toEqual(ids.slice(3));
      expect(rest.next_cursor).toBeNull();
    }
  });

  test('shows the state of each delivery', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    receiver.answer = statuses(500);
    const id = await harness.deliver({ subject: 't-1' });
    const [message] = (await list({})).items;
    expect(message).toEqual({
      id,
      event_type: 'plan.created',
      external_id: 't-1',
      channels: null,
      custom: false,
      test: false,
      created_at: harness.clock.now().toISOString(),
      expunged_at: null,
      deliveries: [
        {
          id: expect.stringMatching(/^dlv_/),
          endpoint_id: endpoint,
          endpoint_url: receiver.url,
          state: 'retrying',
          reason: null,
          attempts_made: 1,
          next_attempt_at: new Date(harness.clock.now().getTime() + 5_000).toISOString(),
        },
      ],
    });
  });

  test('lists the messages of one transaction in the order of insertion', async () => {
    const { db, clock } = harness;
    const ids = Array.from({ length: 20 }, () => newId('evt', clock.now()));
    const order = ids.toReversed();
    await db.transaction((tx) => publish(tx, order.map(message), clock.now()));
    expect(await found({})).toEqual(order.toReversed());
  });

  test('refuses an invalid cursor', async () => {
    await expect(list({ cursor: 'abc' })).rejects.toMatchObject({ code: 'invalid_cursor' });
  });

  test('does not show messages of another owner', async () => {
    const id = await harness.publish({ owner: 'partner_b' });
    expect(await found({})).toEqual([]);
    const code = { code: 'message_not_found' };
    await expect(getMessage(harness.db, harness.owner, id)).rejects.toMatchObject(code);
    await expect(harness.attempts(id)).rejects.toMatchObject(code);
  });
});

describe('listEvents', () => {
  test('returns the exact bodies in order from any event, without test sends', async () => {
    const endpoint = await harness.endpoint({ url: receiver.url });
    const ids = [];
    for (const n of [1, 2, 3]) ids.push(await harness.publish({ body: `{"n": ${n}}` }));
    const test = { id: newId('evt', harness.clock.now()), type: 'a.b', body: '{"test":true}' };
    await harness.engine.sendTest(harness.owner, endpoint, test);
    const { db, owner } = harness;
    await feedCaughtUp();
    expect(await listEvents(db, owner, null, 2)).toEqual({
      items: [
        { id: ids[0], body: '{"n": 1}' },
        { id: ids[1], body: '{"n": 2}' },
      ],
      has_more: true,
    });
    expect(await listEvents(db, owner, ids[1] ?? '', 2)).toEqual({
      items: [{ id: ids[2], body: '{"n": 3}' }],
      has_more: false,
    });
    await expect(listEvents(db, 'partner_b', ids[0] ?? '', 2)).rejects.toMatchObject({
      code: 'message_not_found',
    });
  });

  test('messages of one transaction keep their order', async () => {
    const { db, owner, clock } = harness;
    const ids = Array.from({ length: 50 }, () => newId('evt', clock.now())).toReversed();
    await db.transaction((tx) => publish(tx, ids.map(message), clock.now()));
    await feedCaughtUp();
    const { items } = await listEvents(db, owner, null, 100);
    expect(items.map(({ id }) => id)).toEqual(ids);
  });

  test.runIf(process.env.SVC_TEST_DB === 'postgres')(
    'waits for an older transaction that is still open, so that a reader misses nothing',
    async () => {
      const { db, owner, clock } = harness;
      const [early, late] = [newId('evt', clock.now()), newId('evt', clock.now())];
      const [inserted, gate] = [signal(), signal()];
      const slow = db.transaction(async (tx) => {
        await publish(tx, [message(early)], clock.now());
        inserted.fire();
        await gate.heard;
      });
      await inserted.heard;
      await db.transaction((tx) => publish(tx, [message(late)], clock.now()));
      expect((await listEvents(db, owner, null, 10)).items).toEqual([]);
      gate.fire();
      await slow;
      await feedCaughtUp();
      const { items } = await listEvents(db, owner, null, 10);
      expect(items.map(({ id }) => id)).toEqual([early, late]);
    },
  );

  test('a reader that polls during concurrent writes sees each event exactly once', async () => {
    const { db, owner } = harness;
    const writing = Promise.all(Array.from({ length: 4 }, () => writeTwentyFive(db)));
    let done = false;
    void writing.then(() => {
      done = true;
    });
    const seen: string[] = [];
    for (let last = false; !last; ) {
      last = done;
      if (last) await feedCaughtUp();
      const { items } = await listEvents(db, owner, seen.at(-1) ?? null, 7);
      seen.push(...items.map(({ id }) => id));
      if (items.length > 0) last = false;
    }
    const written = (await writing).flat();
    expect(seen).toHaveLength(100);
    expect(new Set(seen)).toEqual(new Set(written));
  });

  // The xmin of a snapshot covers the whole server: writers in other tests' databases delay the feed.
  async function feedCaughtUp(): Promise<void> {
    const behind = sql`
      select from webhook_messages
      where inserted_by >= pg_snapshot_xmin(pg_current_snapshot()) limit 1`;
    while ((await harness.db.many(row('unfinished message', {}), behind)).length > 0);
  }

  async function writeTwentyFive(db: Database): Promise<string[]> {
    const ids = [];
    for (let index = 0; index < 25; index += 1) {
      const id = newId('evt', harness.clock.now());
      ids.push(id);
      await db.transaction(async (tx) => {
        await publish(tx, [message(id)], harness.clock.now());
        await tx.run(sql`select pg_sleep(${Math.random() / 200})`);
      });
    }
    return ids;
  }
});

function message(id: string) {
  return { id, owner: harness.owner, subject: null, type: 'plan.created', body: '{}' };
}

function list(filter: Partial<MessageQuery>) {
  return listMessages(harness.db, harness.owner, { limit: 20, ...filter });
}

async function found(filter: Partial<MessageQuery>): Promise<string[]> {
  const { items } = await list(filter);
  return items.map(({ id }) => id);
}

function setState(endpointId: string, state: 'enabled' | 'disabled') {
  const { db, deps, owner, clock } = harness;
  return db.transaction((tx) =>
    updateEndpoint(tx, deps, owner, endpointId, { state }, clock.now()),
  );
}
