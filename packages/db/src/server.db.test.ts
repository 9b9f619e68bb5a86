import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  createServerDatabase,
  type Database,
  DatabaseUnreachable,
  isOutage,
  type OpenOptions,
  openDatabase,
  raw,
  sql,
  sqlState,
} from './index.ts';
import { oneRowOf, rowsOf } from './testing/read-rows.ts';
import { startTcpProxy } from './testing/tcp-proxy.ts';
import { testDatabaseUrl, testKind } from './testing.ts';

describe.skipIf(testKind() === 'pglite')('a PostgreSQL server', () => {
  let url: string;
  let drop: () => Promise<void>;
  const cleanUp: (() => unknown)[] = [];
  beforeAll(async () => {
    ({ url, drop } = await testDatabaseUrl());
  });
  afterEach(async () => {
    for (const step of cleanUp.splice(0).reverse()) await step();
  });
  afterAll(() => drop());

  async function open(target: string, options?: OpenOptions): Promise<Database> {
    const db = await openDatabase({ url: target }, options);
    cleanUp.push(() => db.close());
    return db;
  }

  async function proxy(rewrite?: (answer: Buffer) => Buffer) {
    const started = await startTcpProxy(url, rewrite);
    cleanUp.push(() => started.close());
    return started;
  }

  const shown = (name: string) => sql`select current_setting(${name}) as value`;

  test('a database that is missing is created once, also by two processes at the same time', async () => {
    const log = { warn() {}, error() {} };
    for (const suffix of ['', '-with "quotes" and spaces']) {
      const name = `created_${randomBytes(4).toString('hex')}${suffix}`;
      const missing = url.replace(/\/[^/?]+(?=\?|$)/, `/${encodeURIComponent(name)}`);
      await expect(openDatabase({ url: missing })).rejects.toThrow('does not exist');
      await Promise.all([
        createServerDatabase(missing, { log }),
        createServerDatabase(missing, { log }),
      ]);
      const db = await openDatabase({ url: missing });
      const shownName = await oneRowOf(db, sql`select current_database() as name`);
      await db.close();
      expect(shownName).toEqual({ name });
      await createServerDatabase(missing, { log });
      const server = await open(url);
      await server.run(raw(`drop database "${name.replaceAll('"', '""')}"`));
    }
    // A server that does not answer is reported when the database is opened.
    await createServerDatabase('postgres://127.0.0.1:1/x', { log });
  });

  test('a user who may not create databases is told how to', async () => {
    const server = await open(url);
    const role = `poor_${randomBytes(4).toString('hex')}`;
    await server.run(raw(`create role ${role} login password 'x'`));
    const theirs = url
      .replace('postgres://postgres@', `postgres://${role}:x@`)
      .replace(/\/[^/?]+(?=\?|$)/, '/not_there');
    await expect(createServerDatabase(theirs, { log: { warn() {}, error() {} } })).rejects.toThrow(
      /not_there does not exist and cannot be created: its user may not create databases\. As a superuser, run: create database "not_there" owner/,
    );
    await server.run(raw(`drop role ${role}`));
  });

  test('limits and the time zone are set on each connection', async () => {
    const db = await open(url, { limits: { statement: 1_234 } });
    expect(await oneRowOf(db, shown('statement_timeout'))).toEqual({ value: '1234ms' });
    expect(await oneRowOf(db, shown('lock_timeout'))).toEqual({ value: '2s' });
    expect(await oneRowOf(db, shown('idle_in_transaction_session_timeout'))).toEqual({
      value: '10s',
    });
    expect(await oneRowOf(db, shown('timezone'))).toEqual({ value: 'UTC' });
  });

  test('a transaction can set a longer limit, for itself only', async () => {
    const db = await open(url, { pool: 1, limits: { statement: 50 } });
    expect(sqlState(await db.run(sql`select pg_sleep(1)`).catch((e: unknown) => e))).toBe('57014');
    const inside = await db.transaction((tx) => oneRowOf(tx, shown('statement_timeout')), {
      timeoutMs: 60_000,
    });
    expect(inside).toEqual({ value: '1min' });
    expect(await oneRowOf(db, shown('statement_timeout'))).toEqual({ value: '50ms' });
  });

  test('a separate session has no limits, and leaves none of its settings behind', async () => {
    const db = await open(url, { pool: 1, limits: { statement: 50 } });
    await db.session(async (session) => {
      await session.run(raw(`set application_name = 'migration'`));
      await session.run(sql`select pg_sleep(0.1)`);
      expect(await oneRowOf(session, shown('lock_timeout'))).toEqual({ value: '0' });
    });
    expect(await oneRowOf(db, shown('statement_timeout'))).toEqual({ value: '50ms' });
    expect(await oneRowOf(db, shown('application_name'))).toEqual({ value: 'svc' });
  });

  test('behind a pooler there is no separate session, and the error says what to do', async () => {
    const pooler = await proxy(withInventedProcessId);
    const db = await open(pooler.url);
    await expect(db.session(async () => undefined)).rejects.toThrow(
      'Migrations need a direct connection to PostgreSQL, and this one leads to a pooler: set DATABASE_DIRECT_URL to the address of the server itself.',
    );
  });

  test('behind a pooler each transaction sets the limits, and one warning says so', async () => {
    const warnings: string[] = [];
    const log = { warn: (_: object, text: string) => warnings.push(text), error: () => {} };
    const pooler = await proxy(withInventedProcessId);
    const db = await open(pooler.url, { log });
    const read = () => oneRowOf(db, shown('statement_timeout'));
    await Promise.all([read(), read(), read()]);
    expect(await read()).toEqual({ value: '0' });
    expect(await db.transaction((tx) => oneRowOf(tx, shown('statement_timeout')))).toEqual({
      value: '5s',
    });
    expect(await db.transaction((tx) => oneRowOf(tx, shown('timezone')))).toEqual({ value: 'UTC' });
    for (let turn = 0; turn < 5; turn += 1) await read();
    expect(await rowsOf(db, raw('select name from pg_prepared_statements'))).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('set these limits on the role')]);
  });

  test('a network that drops everything leads to a timeout, and the first call after it works', async () => {
    const network = await proxy();
    const db = await open(network.url, { pool: 1, limits: { statement: 100 } });
    network.blackhole(true);
    await expect(oneRowOf(db, sql`select 1 as n`)).rejects.toThrow('timeout');
    network.blackhole(false);
    expect(await oneRowOf(db, sql`select 1 as n`)).toEqual({ n: 1 });
  });

  test('after losing every connection, idle and busy, the database works', async () => {
    const network = await proxy();
    const warnings = asyncQueue();
    const log = { warn: (_: object, text: string) => warnings.put(text), error: () => {} };
    const db = await open(network.url, { log });
    const sleeping = [1, 2].map(() => {
      let begun = () => {};
      const asleep = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const work = db.transaction(async (tx) => {
        await oneRowOf(tx, sql`select 1 as n`);
        begun();
        await tx.run(sql`select pg_sleep(4)`);
      });
      return { asleep, ended: work.catch((e: Error) => e) };
    });
    // A connection that is not open yet when the network fails is not reported as lost.
    await Promise.all(sleeping.map(({ asleep }) => asleep));
    await oneRowOf(db, sql`select 1 as n`);
    network.cut();
    for (const { ended } of sleeping) expect(await ended).toBeInstanceOf(Error);
    for (let connection = 0; connection < 3; connection += 1) {
      expect(await warnings.take()).toBe('database connection lost');
    }
    expect(await oneRowOf(db, sql`select 1 as n`)).toEqual({ n: 1 });
  });

  test('a session that became read-only is replaced after it refused a write', async () => {
    const db = await open(url, { pool: 1 });
    await db.run(raw('create table if not exists note (n int)'));
    await db.run(raw('set default_transaction_read_only = on'));
    const error = await db.run(sql`insert into note values (${1})`).catch((e: unknown) => e);
    expect(sqlState(error)).toBe('25006');
    expect(isOutage(error)).toBe(true);
    expect(await db.run(sql`insert into note values (${2})`)).toBe(1);
  });

  test('a read-only database is refused by each new connection until it accepts writes', async () => {
    const admin = await open(url.replace(/svc_test_\w+/, 'postgres'));
    const name = /svc_test_\w+/.exec(url)?.[0] ?? '';
    const heard: string[] = [];
    const observer = {
      succeeded: () => heard.push('succeeded'),
      failed: (error: unknown) => heard.push(String(error)),
    };
    const db = await open(url, { observer });
    await db.run(raw('create table if not exists note (n int)'));
    heard.length = 0;
    await admin.run(raw(`alter database ${name} set default_transaction_read_only = on`));
    await rowsOf(
      admin,
      sql`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = ${name}`,
    );

    const write = () => db.run(sql`insert into note values (${1})`);
    // The first call may use a connection that is closed without the client knowing it yet.
    await write().catch(() => undefined);
    const refused = await write().catch((error: unknown) => error);
    expect(String(refused)).toBe('ConnectionFailed: the database is read-only');
    expect(isOutage(refused)).toBe(true);
    await expect(openDatabase({ url })).rejects.toThrow(
      'cannot be used: the database is read-only.',
    );
    expect(heard).toContain(String(refused));

    await admin.run(raw(`alter database ${name} reset default_transaction_read_only`));
    heard.length = 0;
    expect(await write()).toBe(1);
    expect(heard).toEqual(['succeeded']);
  });

  test('an unreachable or unknown database is reported in one sentence without the password', async () => {
    const nowhere = await proxy();
    await nowhere.close();
    const closed = nowhere.url.replace('postgres@', 'me:hush@');
    const error = await openDatabase({ url: closed }).catch((e: Error) => e);
    expect(error).toBeInstanceOf(DatabaseUnreachable);
    expect(String(error)).toMatch(/127\.0\.0\.1:\d+\/svc_test_\w+ cannot be used: .*ECONNREFUSED/);
    expect(String(error)).not.toContain('hush');
    const unknown = url.replace(/svc_test_\w+/, 'no_such_database');
    await expect(openDatabase({ url: unknown })).rejects.toThrow(
      '"no_such_database" does not exist',
    );
  });

  test('listen receives notifications of other connections, reconnects, and stops', async () => {
    const network = await proxy();
    const db = await open(network.url);
    const queue = asyncQueue();
    const stop = await db.listen('Bell', queue.put);
    const ring = (text: string) => db.run(sql`select pg_notify('Bell', ${text})`);
    await ring('one');
    expect(await queue.take()).toBe('one');
    network.cut();
    expect(await queue.take()).toBe('');
    await ring('two');
    expect(await queue.take()).toBe('two');
    await stop();
    await ring('three');
    const { listeners } = await oneRowOf<{ listeners: number }>(
      db,
      raw(`select count(*) as listeners from pg_stat_activity
           where query ilike 'listen %' and datname = current_database()`),
    );
    expect(listeners).toBe(0);
    expect(queue.rest()).toEqual([]);
  });
});

/** BackendKeyData ('K', length 12, process id, secret), as a pooler sends it. */
function withInventedProcessId(answer: Buffer): Buffer {
  const at = answer.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
  if (at >= 0) answer.writeInt32BE(77, at + 5);
  return answer;
}

function asyncQueue() {
  const items: string[] = [];
  let arrived = () => {};
  return {
    put(item: string) {
      items.push(item);
      arrived();
    },
    async take(): Promise<string | undefined> {
      if (items.length === 0) {
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
      }
      return items.shift();
    },
    rest: () => items,
  };
}
