import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import {
  DatabaseLost,
  DataFolderLocked,
  DataFolderUnusable,
  openDatabase,
  raw,
  sql,
} from '../index.ts';
import { oneRowOf } from '../testing/read-rows.ts';
import { runFolder, sourceArgs, testKind, testTarget } from '../testing.ts';

const writer = new URL('../testing/write-until-killed.ts', import.meta.url);

describe.skipIf(testKind() === 'postgres')('the embedded database', () => {
  const cleanUp: (() => unknown)[] = [];
  afterEach(async () => {
    for (const step of cleanUp.splice(0).reverse()) await step();
  });

  async function folder(): Promise<string> {
    const { target, drop } = await testTarget([], 'pglite');
    cleanUp.push(drop);
    return 'dataDir' in target ? target.dataDir : '';
  }

  async function open(dataDir: string) {
    const db = await openDatabase({ dataDir });
    cleanUp.push(() => db.close());
    return db;
  }

  test('refuses a pool of two', async () => {
    const dataDir = await folder();
    await expect(openDatabase({ dataDir }, { pool: 2 })).rejects.toThrow('has one session');
  });

  test('persists its rows in files that only this user can read', async () => {
    const dataDir = await folder();
    const first = await openDatabase({ dataDir });
    await first.run(sql`create table kept as select 42 as n`);
    await first.close();
    const again = await open(dataDir);
    expect(await oneRowOf(again, sql`select n from kept`)).toEqual({ n: 42 });
    expect(await modeOf(dataDir)).toBe(0o700);
    expect(await modeOf(join(dataDir, 'postgres'))).toBe(0o700);
    expect(await modeOf(await readFile(join(dataDir, 'socket-folder'), 'utf8'))).toBe(0o700);
    const { oid } = await oneRowOf<{ oid: string }>(
      again,
      sql`select pg_relation_filepath('kept') as oid`,
    );
    expect((await modeOf(join(dataDir, 'postgres', oid))) & 0o077).toBe(0);
  });

  test('a new folder gets a database, and what an interrupted start left behind is removed', async () => {
    const dataDir = await mkdtemp(join(await runFolder(), 'new-'));
    cleanUp.push(() => rm(dataDir, { recursive: true }));
    await mkdir(join(dataDir, 'postgres-new-killed', 'base'), { recursive: true });
    const db = await open(dataDir);
    expect(await oneRowOf(db, sql`select 42 as n`)).toEqual({ n: 42 });
    const names = await readdir(dataDir);
    expect(names.filter((name) => name.startsWith('postgres'))).toEqual(['postgres']);
    expect(await modeOf(join(dataDir, 'postgres'))).toBe(0o700);
    expect(await modeOf(join(dataDir, 'postgres', 'PG_VERSION'))).toBe(0o600);
  });

  test('opening the folder twice in one process is refused', async () => {
    const dataDir = await folder();
    await open(dataDir);
    await expect(openDatabase({ dataDir })).rejects.toThrow(DataFolderLocked);
    await expect(openDatabase({ dataDir })).rejects.toThrow(`in use by process ${process.pid}`);
  });

  test('a second process is refused; after kill -9 every acknowledged row is there', async () => {
    const dataDir = await folder();
    for (let kill = 0; kill < 2; kill += 1) {
      const { child, acknowledged } = await startWriter(dataDir, 50);
      const refused = await openDatabase({ dataDir }).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(DataFolderLocked);
      expect((refused as DataFolderLocked).pid).toBe(child.pid);
      child.kill('SIGKILL');
      const last = await acknowledged;
      const db = await openDatabase({ dataDir });
      const row = await oneRowOf<{ rows: number; last: number }>(
        db,
        sql`select count(*) as rows, max(n) as last from line`,
      );
      await db.close();
      expect(row.rows).toBe(row.last);
      expect(row.last).toBeGreaterThanOrEqual(last);
      expect(row.last).toBeLessThanOrEqual(last + 1);
    }
  });

  test('the next process removes the socket folder of a killed one', async () => {
    const dataDir = await folder();
    const { child, acknowledged } = await startWriter(dataDir, 1);
    const left = await readFile(join(dataDir, 'socket-folder'), 'utf8');
    child.kill('SIGKILL');
    await acknowledged;
    expect(await readdir(left)).toEqual(['.s.PGSQL.5432']);
    await open(dataDir);
    await expect(stat(left)).rejects.toThrow('ENOENT');
  });

  test('when its thread dies, running and later statements fail and onLost is called', async () => {
    const dataDir = await folder();
    const thread = once(process, 'worker') as Promise<[Worker]>;
    const lost = mailbox();
    const db = await openDatabase({ dataDir }, { onLost: lost.put });
    cleanUp.push(() => db.close());
    const running = db.run(sql`select pg_sleep(10)`).catch((error: unknown) => error);
    const [worker] = await thread;
    await worker.terminate();
    expect(String(await lost.taken)).toContain('its thread ended');
    expect(await running).toBeInstanceOf(Error);
    await expect(db.run(sql`select 1`)).rejects.toThrow(DatabaseLost);
    await expect(db.transaction(async () => 1)).rejects.toThrow(DatabaseLost);
  });

  test('a statement that never ends stops the database, not the process', async () => {
    const dataDir = await folder();
    const lost = mailbox();
    const db = await openDatabase({ dataDir }, { limits: { statement: 300 }, onLost: lost.put });
    cleanUp.push(() => db.close());
    const endless = raw('do $$ begin loop end loop; end $$');
    await expect(db.run(endless)).rejects.toThrow('timeout');
    expect(String(await lost.taken)).toContain('its thread ended');
    await expect(db.run(sql`select 1`)).rejects.toThrow(DatabaseLost);
  });

  test('an unusable folder is reported in one sentence', async () => {
    const parent = await mkdtemp(join(await runFolder(), 'odd-'));
    cleanUp.push(() => rm(parent, { recursive: true }));
    const file = join(parent, 'file');
    await writeFile(file, 'not a folder');
    const error = await openDatabase({ dataDir: file }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(DataFolderUnusable);
    expect(String(error)).toContain(`${file} cannot be used: a file is in its place`);
    const deep = join(parent, 'x'.repeat(120));
    await expect(openDatabase({ dataDir: deep })).rejects.toThrow('path is too long for a socket');
  });

  test('damaged files are reported in one sentence, and the folder is unlocked', async () => {
    const dataDir = await folder();
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '3\n');
    for (let turn = 0; turn < 2; turn += 1) {
      await expect(openDatabase({ dataDir })).rejects.toThrow('PostgreSQL does not start in it');
    }
  });
});

async function startWriter(
  dataDir: string,
  rows: number,
): Promise<{ child: ChildProcess; acknowledged: Promise<number> }> {
  const child = spawn(process.execPath, [...sourceArgs(writer, { embedded: true }), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  let last = 0;
  const acknowledged = once(lines, 'close').then(() => last);
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the writer ended early')));
    lines.on('line', (line) => {
      last = Number(line);
      if (last % rows === 0) resolve();
    });
  });
  return { child, acknowledged };
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

function mailbox() {
  let put: (cause: Error) => void = () => {};
  const taken = new Promise<Error>((resolve) => {
    put = resolve;
  });
  return { put, taken };
}
