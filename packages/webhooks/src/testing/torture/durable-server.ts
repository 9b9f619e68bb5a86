import { type DatabaseTarget, migrate, openDatabase, raw } from '@svc/db';
import { startPostgres } from '@svc/db/testing';
import { migrations } from '../harness.ts';

export interface DurableServer {
  readonly target: DatabaseTarget;
  readonly restart: (how: 'orderly' | 'crash') => Promise<void>;
  /** A full disk, until the restart. */
  readonly refuseWrites: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** A PostgreSQL of its own with fsync on and the engine's tables, to be broken. */
export async function openDurableServer(): Promise<DurableServer> {
  const { url, restart, refuseWrites, stop } = await startPostgres({ durable: true });
  const admin = await openDatabase({ url: url('postgres') });
  await admin.run(raw('create database torture'));
  await admin.close();
  const target = { url: url('torture') };
  const db = await openDatabase(target);
  await migrate(db, [migrations]);
  await db.close();
  return { target, restart, refuseWrites, stop };
}
