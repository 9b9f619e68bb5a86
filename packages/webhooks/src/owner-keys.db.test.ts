import { cp, mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Database,
  instant,
  migrate,
  nullable,
  type Queryable,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import { openTestDatabase, runFolder } from '@svc/db/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listEndpointHealth } from './activity/endpoint-health.ts';
import { listActivity } from './activity/list-activity.ts';
import { deleteEndpoint } from './endpoints/delete-endpoint.ts';
import { revealSecret, secretContext } from './endpoints/secrets.ts';
import { updateEndpoint } from './endpoints/update-endpoint.ts';
import { getEndpoint, listEndpoints } from './endpoints/view-endpoint.ts';
import { newId } from './kernel/ids.ts';
import { newSecret } from './kernel/signature.ts';
import { expungeMessage } from './messages/expunge-message.ts';
import { findAttempts } from './messages/find-attempts.ts';
import { listAttempts } from './messages/list-attempts.ts';
import { listEvents } from './messages/list-events.ts';
import { getMessage, listMessages } from './messages/list-messages.ts';
import { createPartitions } from './partitions/create-partitions.ts';
import { dropExpired } from './partitions/drop-partitions.ts';
import { createReplay } from './replay/create-replay.ts';
import { getReplay, listReplays } from './replay/view-replay.ts';
import { endFirstPartition } from './testing/end-first-partition.ts';
import { Harness, migrations, testVault } from './testing/harness.ts';
import { openReceiver, type Receiver, statuses } from './testing/receiver.ts';
import { useEngine } from './testing/use-engine.ts';

const owners = ['partner_a', 'partner_b'] as const;
const [first, second] = owners;
const now = new Date('2026-01-15T12:00:00.000Z');
const day = 86_400_000;
const detail = JSON.stringify({
  url: 'http://x',
  agent: 'svc',
  signature: 'v1,',
  ms: { total: 1 },
});

let harness: Harness;
let receiver: Receiver;

describe('a database from before the owner was in the keys', () => {
  beforeEach(async () => {
    receiver = await openReceiver();
  });

  afterEach(async () => {
    await harness.close();
    await receiver.close();
  });

  test('the upgraded database keeps its lists and its feed, and sends each due delivery once', async () => {
    const database = await openTestDatabase([await migrationsUpTo('0006')]);
    const { db } = database;
    harness = new Harness(database, {});
    for (const owner of owners) await store(db, owner);
    // One lease covers deliveries of both owners, in turn.
    await db.run(sql`
      insert into webhook_leases (node, lease_until, due_at, message_ids, endpoint_ids)
      values ('dead', ${now}, ${now}, ${[idOf(first, 'evt', 4), idOf(second, 'evt', 4)]},
        ${[idOf(first, 'ep', 1), idOf(second, 'ep', 1)]})`);
    await db.run(
      sql`insert into webhook_nodes values ('dead', ${new Date(now.getTime() - 1_000 * day)})`,
    );
    const before = await Promise.all(owners.map((owner) => readTables(db, owner)));

    expect(await migrate(db, [migrations])).toContain('webhooks/0007_owner_keys');

    expect(await Promise.all(owners.map((owner) => readTables(db, owner)))).toEqual(before);
    for (const [index, owner] of owners.entries()) {
      // The feed waits for every open transaction of the server, and other tests share it.
      await expect.poll(() => readLists(db, owner)).toEqual(before[index]);
      await expectSettings(db, owner);
    }

    await harness.engine.start();
    await harness.engine.idle();
    await harness.advance(3_000);
    const due = owners.flatMap((owner) => [2, 3, 4, 5].map((number) => idOf(owner, 'evt', number)));
    expect(receiver.received.map(({ headers }) => headers['webhook-id'] ?? '').toSorted()).toEqual(
      due,
    );
    expect(receiver.received.map(({ path, body }) => path === `/${body}`)).not.toContain(false);
    for (const owner of owners) {
      const { items } = await listMessages(db, owner, { states: ['delivered'], limit: 50 });
      expect(items.map(({ id }) => id)).toEqual(
        [5, 4, 3, 2, 1].map((number) => idOf(owner, 'evt', number)),
      );
      expect(await getReplay(db, owner, idOf(owner, 'rpl', 1))).toMatchObject({
        state: 'completed',
        replayed: 1,
        delivered: 1,
      });
    }
  }, 300_000);
});

describe('two owners with the same ids', () => {
  let endpoint: string;

  useEngine((opened) => {
    ({ harness, receiver } = opened);
  });

  beforeEach(async () => {
    endpoint = await harness.endpoint({ url: `${receiver.url}/${first}` });
    await copyEndpoint(harness.db, endpoint);
  });

  test('each owner gets only their messages, attempts, counts and states', async () => {
    const id = await publishForBoth();
    failFor(second);
    harness.engine.wake();
    await harness.engine.idle();
    await harness.advance(1_500);
    expect(receiver.received.map(({ path, body }) => `${path} ${body}`).toSorted()).toEqual(
      owners.map((owner) => `/${owner} ${owner}`),
    );
    const { db, clock } = harness;
    expect(await summary(first, id)).toEqual({ body: first, state: 'delivered', attempts: [204] });
    expect(await summary(second, id)).toEqual({ body: second, state: 'retrying', attempts: [500] });
    const [good] = await listEndpointHealth(db, first, clock.now());
    const [bad] = await listEndpointHealth(db, second, clock.now());
    expect(good?.hours.at(-1)).toMatchObject({ delivered: 1, failed: 0 });
    expect(bad?.hours.at(-1)).toMatchObject({ delivered: 0, failed: 1 });
    expect([good?.last_failure, bad?.last_failure?.status]).toEqual([null, 500]);
    expect(await getEndpoint(db, first, endpoint)).toMatchObject({ failing_since: null });
    expect((await getEndpoint(db, second, endpoint)).failing_since).not.toBeNull();
  });

  test('replaying, disabling and expunging one owner’s rows leaves the other’s alone', async () => {
    const id = await publishForBoth();
    failFor(second);
    harness.engine.wake();
    await harness.engine.idle();
    receiver.received.length = 0;
    receiver.answer = statuses(204);
    const { db, deps, clock } = harness;
    await clock.advance(1);
    const replay = await db.transaction((tx) =>
      createReplay(
        tx,
        second,
        { endpoint_id: endpoint, since: new Date(now.getTime() - day) },
        clock.now(),
      ),
    );
    harness.engine.wake();
    await harness.engine.idle();
    await harness.advance(1_000);
    expect(receiver.received.map(({ path }) => path)).toEqual([`/${second}`]);
    expect(await getReplay(db, second, replay.id ?? '')).toMatchObject({ delivered: 1 });
    expect(await summary(first, id)).toMatchObject({ attempts: [204] });

    await db.transaction((tx) => expungeMessage(tx, first, id, {}, clock.now()));
    expect([
      (await getMessage(db, first, id)).body,
      (await getMessage(db, second, id)).body,
    ]).toEqual([null, second]);
    await db.transaction((tx) =>
      updateEndpoint(tx, deps, first, endpoint, { state: 'disabled' }, clock.now()),
    );
    const next = await publishForBoth();
    harness.engine.wake();
    await harness.engine.idle();
    expect(await summary(first, next)).toMatchObject({ state: 'held', attempts: [] });
    expect(await summary(second, next)).toMatchObject({ state: 'delivered', attempts: [204] });
  });

  test('deleting an endpoint skips its deliveries, and not those of the other owner', async () => {
    const off = { state: 'disabled' } as const;
    const { db, deps, clock } = harness;
    for (const owner of owners) {
      await db.transaction((tx) => updateEndpoint(tx, deps, owner, endpoint, off, clock.now()));
    }
    const id = await publishForBoth();
    await db.transaction((tx) => deleteEndpoint(tx, first, endpoint, clock.now()));
    const keeper = harness.another({ upkeepMs: 60_000 });
    await keeper.start();
    while ((await openOf(first)) > 0) await clock.advance(60_000, () => keeper.idle());
    expect(await openOf(second)).toBe(1);
    expect(await summary(second, id)).toMatchObject({ state: 'held' });
    expect(await revealSecret(db, deps, second, endpoint, clock.now())).toMatchObject({
      previous: [],
    });
  });

  test('messages of one owner expire without the other’s if they are in different partitions', async () => {
    const { db, deps, clock } = harness;
    await endFirstPartition(db, new Date('2026-02-01T00:00:00.000Z'));
    const id = await publishForBoth();
    harness.engine.wake();
    await harness.engine.idle();
    await createPartitions(db, deps.log, clock.now());
    // The second owner's message with this id gets a newer id, which moves it to another partition.
    const newerId = newId('evt', new Date('2026-03-05T12:00:00.000Z'));
    await db.run(sql`
      update webhook_messages set id = ${newerId} where owner = ${second} and id = ${id}`);
    await db.run(sql`
      update webhook_attempts set message_id = ${newerId} where owner = ${second}`);
    // The empty publish lease lists the old id, of which the second owner no longer has an attempt.
    await db.run(sql`delete from webhook_leases`);
    while ((await dropExpired(db, deps.log, new Date('2026-03-05T12:00:00.000Z'))) === 'more');
    expect(await listMessages(db, first, { limit: 1 })).toMatchObject({ items: [] });
    expect(await summary(second, newerId)).toMatchObject({ state: 'delivered', attempts: [204] });
  });

  /** Publishes a message to each owner, in one transaction and with the same id. */
  async function publishForBoth(): Promise<string> {
    const { db, engine, clock } = harness;
    const id = newId('evt', clock.now());
    const messages = owners.map((owner) => ({
      id,
      owner,
      subject: null,
      type: 'plan.created',
      body: owner,
    }));
    const committed = await db.transaction(async (tx) => {
      await engine.publishIn(tx, messages, clock.now());
      return tx;
    });
    engine.wake(committed);
    return id;
  }

  function failFor(owner: string): void {
    receiver.answer = ({ path }, response) =>
      response.writeHead(path === `/${owner}` ? 500 : 204).end();
  }

  async function summary(owner: string, id: string) {
    const { body, deliveries } = await getMessage(harness.db, owner, id);
    const attempts = await listAttempts(harness.db, owner, id);
    expect(deliveries).toHaveLength(1);
    const [delivery] = deliveries;
    expect(delivery?.endpoint_url).toBe(`${receiver.url}/${owner}`);
    return { body, state: delivery?.state, attempts: attempts.map(({ status }) => status) };
  }

  async function openOf(owner: string): Promise<number> {
    const found = await harness.db.many(
      row('open delivery', { message_id: text }),
      sql`select message_id from webhook_deliveries_open where owner = ${owner}`,
    );
    return found.length;
  }
});

/** Gives the second owner an endpoint with the id and the secret of the first one's. */
async function copyEndpoint(db: Database, id: string): Promise<void> {
  await db.run(sql`
    insert into webhook_endpoints (id, owner, url, created_at, updated_at)
    select id, ${second}, replace(url, ${first}, ${second}), created_at, updated_at
    from webhook_endpoints where owner = ${first} and id = ${id}`);
  await db.run(sql`
    insert into webhook_secrets (owner, endpoint_id, ordinal, sealed, created_at)
    select ${second}, endpoint_id, ordinal, sealed, created_at from webhook_secrets
    where owner = ${first} and endpoint_id = ${id}`);
}

/** The migrations up to one of them, which a database of an earlier version has. */
async function migrationsUpTo(number: string) {
  const folder = await mkdtemp(join(await runFolder(), 'migrations-'));
  for (const name of await readdir(migrations.folder)) {
    if (name.slice(0, 4) <= number) await cp(join(migrations.folder, name), join(folder, name));
  }
  return { name: migrations.name, folder };
}

function idOf(owner: string, prefix: 'ep' | 'evt' | 'att' | 'rpl', number: number): string {
  const made = newId('evt', now).slice('evt_'.length, 'evt_'.length + 10);
  return `${prefix}_${made}${owner.at(-1)}${String(number).padStart(15, '0')}`;
}

/** Rows of one owner in every table, as they were at 0006. */
async function store(db: Database, owner: string): Promise<void> {
  const [ok, off, deleted] = [1, 2, 3].map((number) => idOf(owner, 'ep', number)) as [
    string,
    string,
    string,
  ];
  const message = (number: number) => idOf(owner, 'evt', number);
  const attempt = (number: number) => idOf(owner, 'att', number);
  const seal = (endpoint: string) => testVault.seal(secretOf(owner), secretContext(endpoint));
  const statements: Sql[] = [
    sql`insert into webhook_endpoints (id, owner, uid, url, state, disabled_reason, created_at, updated_at)
      values (${ok}, ${owner}, 'main', ${`${receiver.url}/${owner}`}, 'enabled', null, ${now}, ${now}),
        (${off}, ${owner}, null, 'http://127.0.0.1:9/', 'disabled', 'by_owner', ${now}, ${now}),
        (${deleted}, ${owner}, null, 'http://127.0.0.1:9/', 'deleted', null, ${now}, ${now})`,
    sql`insert into webhook_secrets (endpoint_id, ordinal, sealed, created_at, expires_at)
      values (${ok}, 1, ${seal(ok)}::bytea, ${now}, ${new Date(now.getTime() + day)}),
        (${ok}, 2, ${seal(ok)}::bytea, ${now}, null), (${off}, 1, ${seal(off)}::bytea, ${now}, null)`,
    // Inserted in another order than that of the ids, which the feed keeps.
    ...[7, 1, 2, 3, 4, 5, 6, 8].map(
      (number) => sql`
        insert into webhook_messages (id, owner, subject, type, body, test, created_at)
        values (${message(number)}, ${owner}, 't-1', 'plan.created', ${owner}, ${number === 8}, ${now})`,
    ),
    // 1 is delivered, 2 waits for a retry, 5 is exhausted, 8 is a test send.
    sql`insert into webhook_attempts
        (id, message_id, endpoint_id, trigger, started_at, status, error_class, next_attempt_at, detail)
      select a.id, a.message_id, ${ok}, a.trigger, ${now}, a.status,
        case when a.status > 299 then 'status' end, a.next_at, ${detail}::json
      from (values
        (${attempt(1)}, ${message(1)}, 'schedule', 204, null::timestamptz),
        (${attempt(2)}, ${message(2)}, 'schedule', 500, ${now}::timestamptz),
        (${attempt(3)}, ${message(5)}, 'schedule', 500, null),
        (${attempt(4)}, ${message(8)}, 'test', 204, null)
      ) as a(id, message_id, trigger, status, next_at)`,
    // 3 is leased by a process that died; 6 is held.
    sql`insert into webhook_deliveries_open
        (message_id, endpoint_id, due_at, step, epoch, node, lease_until)
      values (${message(2)}, ${ok}, ${now}, 1, 1, null, null),
        (${message(3)}, ${ok}, ${now}, 0, 1, 'dead', ${now}),
        (${message(6)}, ${off}, ${now}, 0, 0, null, null)`,
    sql`insert into webhook_deliveries_undelivered (message_id, endpoint_id, state, reason, ended_at)
      values (${message(5)}, ${ok}, 'exhausted', null, ${now}),
        (${message(7)}, ${off}, 'skipped', 'held_and_skipped', ${now}),
        (${message(7)}, ${deleted}, 'skipped', 'endpoint_deleted', ${now})`,
    sql`insert into webhook_activity (endpoint_id, step_seconds, at, duration, delivered, failed)
      select ${ok}, step, date_bin(make_interval(secs => step), ${now}::timestamptz, 'epoch'), 5, 1, 2
      from unnest(array[60, 3600, 86400]) step`,
    sql`insert into webhook_last_failures (endpoint_id, at, error_class, status, hint)
      values (${ok}, ${now}, 'status', 500, 'hint')`,
    sql`insert into webhook_replays
        (id, owner, endpoint_id, since, until, states, reached, paced_until, total, created_at)
      values (${idOf(owner, 'rpl', 1)}, ${owner}, ${ok}, ${new Date(now.getTime() - day)}, ${now},
        ${['failed']}, 'all', ${now}, 1, ${now})`,
    sql`insert into webhook_replay_messages (replay_id, message_id)
      values (${idOf(owner, 'rpl', 1)}, ${message(5)})`,
  ];
  for (const statement of statements) await db.run(statement);
}

const secrets = new Map<string, string>(owners.map((owner) => [owner, newSecret()]));

function secretOf(owner: string): string {
  return secrets.get(owner) ?? '';
}

interface Contents {
  readonly deliveries: readonly object[];
  readonly feed: readonly string[];
  readonly attempts: readonly string[];
  readonly replays: readonly string[];
}

const deliveryRow = row('delivery', {
  message_id: text,
  endpoint_id: text,
  state: text,
  reason: nullable(text),
  next_attempt_at: nullable(instant),
});
const idRow = row('id', { id: text });

/** The rows of an owner, by statements that run on both versions of the schema. */
async function readTables(q: Queryable, owner: string): Promise<Contents> {
  const ids = async (statement: Sql) => (await q.many(idRow, statement)).map(({ id }) => id);
  return {
    deliveries: await q.many(
      deliveryRow,
      sql`
        select d.message_id, d.endpoint_id, d.state, d.reason, d.next_attempt_at
        from webhook_deliveries d join webhook_messages m on m.id = d.message_id and not m.test
        where m.owner = ${owner} order by m.sequence desc, d.endpoint_id`,
    ),
    feed: await ids(sql`
      select id from webhook_messages where owner = ${owner} and not test
      order by inserted_by, sequence`),
    attempts: await ids(sql`
      select a.id from webhook_attempts a join webhook_messages m on m.id = a.message_id
      where m.owner = ${owner} and a.trigger <> 'test' order by a.message_id desc, a.id desc`),
    replays: await ids(sql`select id from webhook_replays where owner = ${owner}`),
  };
}

/** The data of an owner that the API and the portal show. */
async function readLists(q: Queryable, owner: string): Promise<Contents> {
  const messages = await listMessages(q, owner, { limit: 50 });
  const attempts = await findAttempts(q, owner, { limit: 50 });
  return {
    deliveries: messages.items.flatMap(({ id, deliveries }) =>
      deliveries.map(({ endpoint_id, state, reason, next_attempt_at }) => ({
        message_id: id,
        endpoint_id,
        state,
        reason,
        next_attempt_at: next_attempt_at === null ? null : new Date(next_attempt_at),
      })),
    ),
    feed: (await listEvents(q, owner, null, 50)).items.map(({ id }) => id),
    attempts: attempts.items.map(({ id }) => id),
    replays: (await listReplays(q, owner, { limit: 50 })).items.map(({ id }) => id ?? ''),
  };
}

async function expectSettings(q: Queryable, owner: string): Promise<void> {
  const ok = idOf(owner, 'ep', 1);
  const [main, off, ...more] = await listEndpoints(q, owner);
  expect([main?.id, off?.held_count, more]).toEqual([ok, 1, []]);
  const { secret, previous } = await revealSecret(q, { vault: testVault }, owner, ok, now);
  expect([secret, previous.length]).toEqual([secretOf(owner), 1]);
  const since = new Date(now.getTime() - 60_000);
  const until = new Date(now.getTime() + 60_000);
  const { buckets } = await listActivity(q, owner, { since, until }, until);
  const counted = buckets.filter(({ delivered }) => delivered > 0);
  expect(counted).toMatchObject([{ at: now.toISOString(), delivered: 1, failed: 2 }]);
  const [health] = await listEndpointHealth(q, owner, now);
  expect(health?.last_failure).toMatchObject({ status: 500, hint: 'hint' });
  const tested = await listAttempts(q, owner, idOf(owner, 'evt', 8));
  expect(tested.map(({ trigger }) => trigger)).toEqual(['test']);
}
