import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../open.ts';
import { raw } from '../sql.ts';
import type { Database } from '../types.ts';
import { packSnapshot } from './snapshot.ts';

const SHRINK = [
  // These databases exist only to be copied by `create database`, and are half of the files.
  "update pg_database set datistemplate = false where datname like 'template%'",
  'drop database template0',
  'drop database template1',
  'vacuum full',
  // Begins an empty segment of the WAL. Those before it, 20 MB, can then be deleted instead of recycled.
  'set wal_recycle = off',
  'select pg_switch_wal()',
  'checkpoint',
];

/** Creates an embedded database, lets `prepare` fill it, and packs it for `FolderTarget.snapshot`. */
export async function createSnapshot(
  file: string,
  prepare: (db: Database) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-snapshot-'));
  try {
    const db = await openDatabase({ dataDir });
    try {
      await prepare(db);
      await db.session(async (session) => {
        for (const statement of SHRINK) await session.run(raw(statement));
      });
    } finally {
      await db.close();
    }
    await packSnapshot(join(dataDir, 'postgres'), file);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
