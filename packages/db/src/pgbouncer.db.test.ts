import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, DatabaseUnreachable, migrate, openDatabase, raw, sql } from './index.ts';
import { oneRowOf, rowsOf } from './testing/read-rows.ts';
import { findPgbouncer, startPgbouncer } from './testing/start-pgbouncer.ts';
import { testDatabaseUrl, testKind } from './testing.ts';

const program = findPgbouncer();
const skipped = testKind() === 'pglite' || program === undefined;
if (testKind() === 'postgres' && program === undefined) {
  console.warn(
    'The PgBouncer tests are skipped: it is not on the PATH, and PGBOUNCER_BIN is not set.',
  );
}

describe.skipIf(skipped)('PgBouncer in transaction mode', () => {
  let directUrl: string;
  let drop: () => Promise<void>;
  let bouncer: Awaited<ReturnType<typeof startPgbouncer>>;
  let folder: string;
  let db: Database;
  beforeAll(async () => {
    ({ url: directUrl, drop } = await testDatabaseUrl());
    bouncer = await startPgbouncer(program ?? '', directUrl);
    folder = await mkdtemp(join(tmpdir(), 'svc-test-'));
    db = await openDatabase({ url: bouncer.url, directUrl });
  });
  afterAll(async () => {
    await db.close();
    await bouncer.stop();
    await drop();
    await rm(folder, { recursive: true, force: true });
  });

  test('migrations are applied on the direct connection', async () => {
    await writeFile(join(folder, '0001_note.sql'), 'create table note (n int);');
    const source = { name: 'test', folder: pathToFileURL(`${folder}/`) };
    expect(await migrate(db, [source])).toEqual(['test/0001_note']);
    expect(await db.run(sql`insert into note values (${1})`)).toBe(1);
  });

  test('without a direct URL migrations are refused with what to set', async () => {
    const pooled = await openDatabase({ url: bouncer.url });
    await expect(pooled.session(async () => undefined)).rejects.toThrow(
      'set DATABASE_DIRECT_URL to the address of the server itself',
    );
    await pooled.close();
  });

  test('notifications arrive that were sent through the pooler', async () => {
    let heard: (payload: string) => void = () => undefined;
    const rung = new Promise<string>((resolve) => {
      heard = resolve;
    });
    const stop = await db.listen('bell', (payload) => heard(payload));
    await db.run(sql`select pg_notify('bell', 'ding')`);
    expect(await rung).toBe('ding');
    await stop();
  });

  test('statements and transactions of more callers than server connections do not mix', async () => {
    const work = Array.from({ length: 40 }, (_, n) =>
      db.transaction(async (tx) => {
        const before = await oneRowOf(tx, sql`select ${n}::int as n, pg_backend_pid() as pid`);
        const after = await oneRowOf(tx, sql`select ${n}::int as n, pg_backend_pid() as pid`);
        expect(after).toEqual(before);
        return oneRowOf(tx, sql`select current_setting('statement_timeout') as value`);
      }),
    );
    expect(new Set((await Promise.all(work)).map((it) => JSON.stringify(it)))).toEqual(
      new Set(['{"value":"5s"}']),
    );
    for (let turn = 0; turn < 10; turn += 1) await oneRowOf(db, sql`select ${turn}::int as n`);
    expect(await rowsOf(db, raw('select name from pg_prepared_statements'))).toEqual([]);
  });

  test('a direct URL that leads nowhere is named without its password', async () => {
    const wrong = await openDatabase({
      url: bouncer.url,
      directUrl: 'postgres://me:hush@127.0.0.1:1/svc',
    });
    for (const use of [
      () => wrong.session(async () => undefined),
      () => wrong.listen('bell', () => undefined),
    ]) {
      const error = await use().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(DatabaseUnreachable);
      expect(String(error)).toContain('The database at 127.0.0.1:1/svc cannot be used');
      expect(String(error)).not.toContain('hush');
    }
    await wrong.close();
  });
});
