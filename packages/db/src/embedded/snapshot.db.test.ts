import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSnapshot, isFolderLocked, openDatabase, sql } from '../index.ts';
import { oneRowOf } from '../testing/read-rows.ts';
import { runFolder, testKind } from '../testing.ts';

describe.skipIf(testKind() === 'postgres')('a snapshot', () => {
  let folder: string;
  let snapshot: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(await runFolder(), 'snapshot-'));
    snapshot = join(folder, 'file');
    await createSnapshot(snapshot, async (db) => {
      await db.run(sql`create table kept as select 42 as n`);
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function readKept(dataDir: string): Promise<number> {
    const db = await openDatabase({ dataDir, snapshot });
    try {
      return (await oneRowOf<{ n: number }>(db, sql`select n from kept`)).n;
    } finally {
      await db.close();
    }
  }

  test('is where a new folder starts, in files that only this user can read', async () => {
    const dataDir = join(folder, 'new');
    expect(await readKept(dataDir)).toBe(42);
    expect((await stat(join(dataDir, 'postgres/PG_VERSION'))).mode & 0o777).toBe(0o600);
    expect((await readdir(dataDir)).filter((name) => name.includes('partial'))).toEqual([]);
    expect((await stat(snapshot)).size).toBeLessThan(1_500_000);
  });

  test('does not replace a database that is there', async () => {
    const dataDir = join(folder, 'again');
    const db = await openDatabase({ dataDir, snapshot });
    expect(await isFolderLocked(dataDir)).toBe(true);
    await db.run(sql`update kept set n = 43`);
    await db.close();
    expect(await isFolderLocked(dataDir)).toBe(false);
    expect(await readKept(dataDir)).toBe(43);
  });

  test('is unpacked again after a start that was interrupted', async () => {
    const dataDir = join(folder, 'interrupted');
    await mkdir(join(dataDir, 'postgres.partial'), { recursive: true });
    await writeFile(join(dataDir, 'postgres.partial/PG_VERSION'), 'half');
    expect(await readKept(dataDir)).toBe(42);
    expect(await readFile(join(dataDir, 'postgres/PG_VERSION'), 'utf8')).toMatch(/^\d+\n$/);
  });
});
