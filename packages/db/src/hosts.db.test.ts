import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Database, isOutage, openDatabase, raw, refusesWrites, sql } from './index.ts';
import { databaseUrlProblem, describeDatabaseUrl } from './session/hosts.ts';
import { oneRowOf } from './testing/read-rows.ts';
import { startPostgres, type TestServer } from './testing/start-postgres.ts';
import { startTcpProxy, type TcpProxy } from './testing/tcp-proxy.ts';
import { testKind } from './testing.ts';

describe.skipIf(testKind() === 'pglite')('a database with several hosts', () => {
  let primary: TestServer;
  let standby: TestServer;
  const cleanUp: (() => unknown)[] = [];
  beforeAll(async () => {
    primary = await startPostgres();
    standby = await primary.addStandby();
  });
  afterEach(async () => {
    for (const step of cleanUp.splice(0).reverse()) await step();
  });
  afterAll(async () => {
    await primary.stop();
    await standby.stop();
  });

  async function proxyTo(server: TestServer): Promise<TcpProxy & { readonly host: string }> {
    const proxy = await startTcpProxy(server.url('postgres'));
    cleanUp.push(() => proxy.close());
    return { ...proxy, host: new URL(proxy.url).host };
  }

  async function open(hosts: readonly string[], log: string[] = []): Promise<Database> {
    const url = `postgres://me:hush@${hosts.join(',')}/postgres?target_session_attrs=read-write`;
    const db = await openDatabase(
      { url: url.replace('me:hush', 'postgres:hush') },
      {
        log: {
          warn: (fields, text) =>
            void log.push(`${text} ${(fields as { host?: string }).host ?? ''}`),
          error: () => undefined,
        },
      },
    );
    cleanUp.push(() => db.close());
    return db;
  }

  const isStandby = sql`select pg_is_in_recovery() as standby`;

  test('the first host that accepts writes is used, wherever it is in the list', async () => {
    const [a, b] = [await proxyTo(standby), await proxyTo(primary)];
    for (const hosts of [
      [a.host, b.host],
      [b.host, a.host],
    ]) {
      const db = await open(hosts);
      expect(await oneRowOf(db, isStandby)).toEqual({ standby: false });
    }
  });

  test('sockets can be listed, as percent-encoded folders', async () => {
    const db = await open([standby.host, primary.host]);
    expect(await oneRowOf(db, isStandby)).toEqual({ standby: false });
  });

  test('concurrent callers all reach the next host when the first one is gone', async () => {
    const [gone, b] = [await proxyTo(primary), await proxyTo(primary)];
    gone.refuse(true);
    const db = await open([gone.host, b.host]);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => oneRowOf(db, sql`select ${n}::int as n`)),
    );
    expect(answers).toEqual(Array.from({ length: 30 }, (_, n) => ({ n })));
  });

  test('a host that drops everything is given up in time, and the next one answers', async () => {
    const [silent, b] = [await proxyTo(primary), await proxyTo(primary)];
    silent.blackhole(true);
    const db = await open([silent.host, b.host]);
    expect(await oneRowOf(db, isStandby)).toEqual({ standby: false });
  });

  test('the host that worked last is remembered, and a change is logged once', async () => {
    const [a, b] = [await proxyTo(primary), await proxyTo(primary)];
    const log: string[] = [];
    const db = await open([a.host, b.host], log);
    a.refuse(true);
    a.cut();
    // The first call may use a connection that is closed without the client knowing it yet.
    await oneRowOf(db, isStandby).catch(() => undefined);
    await oneRowOf(db, isStandby);
    a.refuse(false);
    await db.session(async () => undefined);
    expect(await oneRowOf(db, isStandby)).toEqual({ standby: false });
    const changes = log.filter((line) => line.startsWith('another database host'));
    expect(changes).toEqual([`another database host is used now ${b.host}`]);
  });

  test('listening moves to the next host', async () => {
    const [a, b] = [await proxyTo(primary), await proxyTo(primary)];
    const db = await open([a.host, b.host]);
    let heard: (payload: string) => void = () => undefined;
    const next = () =>
      new Promise<string>((resolve) => {
        heard = resolve;
      });
    const stop = await db.listen('bell', (payload) => heard(payload));
    const reconnected = next();
    a.refuse(true);
    a.cut();
    expect(await reconnected).toBe('');
    const rung = next();
    await db.run(sql`select pg_notify('bell', 'ding')`).catch(() => undefined);
    await db.run(sql`select pg_notify('bell', 'ding')`).catch(() => undefined);
    expect(await rung).toBe('ding');
    await stop();
  });

  test('without a usable host the error names each one, its reason and what to do', async () => {
    const [a, b] = [await proxyTo(standby), await proxyTo(primary)];
    await b.close();
    const error = await open([a.host, b.host]).catch((reason: Error) => reason as Error);
    const message = (error as Error).message;
    expect(message).toContain(`The database at ${a.host},${b.host}/postgres cannot be used: none`);
    expect(message).toContain(`${a.host}: accepts no writes; ${b.host}: connect ECONNREFUSED`);
    expect(message).toContain('check that one of them is the primary and can be reached');
    expect(message).not.toContain('hush');
    expect(refusesWrites(error)).toBe(true);
  });

  test('an outage of every host is an outage, and ends with it', async () => {
    const [a, b] = [await proxyTo(standby), await proxyTo(primary)];
    const db = await open([a.host, b.host]);
    b.refuse(true);
    b.cut();
    await oneRowOf(db, isStandby).catch(() => undefined);
    const error = await oneRowOf(db, isStandby).catch((reason: unknown) => reason);
    expect(isOutage(error)).toBe(true);
    b.refuse(false);
    expect(await oneRowOf(db, isStandby)).toEqual({ standby: false });
  });

  test('a standby as the only host is refused with the way out', async () => {
    const opening = openDatabase({ url: standby.url('postgres') });
    await expect(opening).rejects.toThrow(
      'cannot be used: the server is a standby, which accepts no writes; DATABASE_URL must name the primary, or all hosts',
    );
  });

  test('when a standby is promoted, the next call reaches it', async () => {
    const first = await startPostgres();
    const second = await first.addStandby();
    cleanUp.push(() => second.stop());
    const db = await open([first.host, second.host]);
    await db.run(raw('create table note (n int)'));
    await db.run(sql`insert into note values (1)`);
    await first.kill();
    await db.run(sql`insert into note values (2)`).catch(() => undefined);
    await expect(db.run(sql`insert into note values (3)`)).rejects.toThrow('accepts no writes');
    await second.program('pg_ctl', ['promote', '-w', '-D', second.dataFolder]);
    await db.run(sql`insert into note values (4)`);
    expect(await oneRowOf(db, raw('select array_agg(n order by n) as n from note'))).toEqual({
      n: [1, 4],
    });
  });
});

test.each([
  ['postgres://u:p@a:5432,b:5433/db?target_session_attrs=read-write', undefined],
  ['postgres://u:p@[::1]:5432,b/db', undefined],
  ['postgres://u:p@a/db', undefined],
  ['mysql://a/db', 'must be a URL such as'],
  ['postgres://u:p@a:5432,/db', 'has an empty host'],
  ['postgres://u:p@a:1,a:1/db', 'lists a host twice'],
  ['postgres://u:p@a:1,b:port/db', 'must have host:port as host 2'],
  ['postgres:///db?host=a,b', 'lists hosts in ?host='],
  ['postgres://u:p@a,b/db?target_session_attrs=standby', 'use target_session_attrs=read-write'],
])('the URL %s', (url, problem) => {
  if (problem === undefined) expect(databaseUrlProblem(url)).toBeUndefined();
  else expect(databaseUrlProblem(url)).toContain(problem);
  expect(describeDatabaseUrl(url)).not.toContain('u:p');
});
