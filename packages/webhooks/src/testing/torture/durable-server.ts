import { existsSync } from 'node:fs';
import { symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, type DatabaseTarget, migrate, openDatabase, raw, row, text } from '@svc/db';
import { startPostgres } from '@svc/db/testing';
import { migrations } from '../harness.ts';

export interface DurableServer {
  readonly target: DatabaseTarget;
  readonly restart: (how: 'orderly' | 'crash') => Promise<void>;
  /** Makes the write-ahead log run out of space, so that the server crashes. A restart frees the space. */
  readonly fillDisk: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const full = '/dev/full';

/** Linux has /dev/full, a device without space. */
export const canFillDisk = existsSync(full);

/** Starts a separate PostgreSQL server with fsync and the engine's tables, to inject faults into. */
export async function openDurableServer(): Promise<DurableServer> {
  const { url, dataFolder, restart, stop } = await startPostgres({ durable: true });
  const admin = await openDatabase({ url: url('postgres') });
  await admin.run(raw('create database torture'));
  await admin.close();
  const target = { url: url('torture') };
  const db = await openDatabase(target);
  await migrate(db, [migrations]);
  await db.close();
  let link: string | undefined;
  return {
    target,
    async restart(how) {
      if (link !== undefined) await unlink(link);
      link = undefined;
      await restart(how);
    },
    async fillDisk() {
      link = await writeUntilFull(target, join(dataFolder, 'pg_wal'));
    },
    stop,
  };
}

/** Links the next segment of the log to the full device. Returns its path. */
async function writeUntilFull(target: DatabaseTarget, log: string): Promise<string> {
  const db = await openDatabase(target);
  const link = await linkNextSegment(db, log);
  try {
    for (;;) {
      await db.run(raw(`select pg_logical_emit_message(true, 'torture', 'so that it may switch')`));
      await db.run(raw('select pg_switch_wal()'));
    }
  } catch {
    await db.close();
    return link;
  }
}

async function linkNextSegment(db: Database, log: string): Promise<string> {
  const { name } = await db.one(
    row('segment', { name: text }),
    raw('select pg_walfile_name(pg_current_wal_insert_lsn()) as name'),
  );
  for (let next = nextSegment(name); ; next = nextSegment(next)) {
    const link = join(log, next);
    try {
      await symlink(full, link);
      return link;
    } catch (error) {
      // The segment was created in advance, or is in use by now.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/**
 * Returns the name of the segment after this one. A name has eight hex digits each for the timeline, the
 * log, and one of its 256 segments of 16 MiB.
 */
function nextSegment(name: string): string {
  const [log, segment] = [name.slice(8, 16), name.slice(16)].map((hex) => Number.parseInt(hex, 16));
  const next = (log ?? 0) * 256 + (segment ?? 0) + 1;
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0');
  return name.slice(0, 8) + hex(Math.floor(next / 256)) + hex(next % 256);
}
