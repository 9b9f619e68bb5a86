import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@svc/db';
import type { Backup, CitusServer } from '@svc/db/testing';
import { ada, callAt } from '../../apps/server/test/harness.ts';
import { findLost } from '../failover/start-traffic.ts';
import { verify } from './check-all.ts';
import { mergeAcknowledged } from './merge-acknowledged.ts';
import { type Pace, startLoad } from './run-step.ts';
import { startClockedService } from './start-clocked-service.ts';
import type { Stage } from './start-stage.ts';

export interface RestoreResult {
  readonly backUpMs: number;
  /** How long writes of several servers waited for the restore point. */
  readonly pointMs: number;
  /** From the stop of the last lost server until the service answered. */
  readonly restoreMs: number;
  /** The number of writes that were acknowledged before the restore point. Each missing one is a fault. */
  readonly kept: number;
  /** The number of writes that were acknowledged after the restore point, and are gone. */
  readonly gone: number;
  readonly faults: readonly string[];
}

const point = 'game_day';

/**
 * Backs up every server under traffic, marks a point in time, lets traffic continue, and loses all servers. Then
 * restores all of them to that point, and starts the service on them.
 */
export async function restoreAll(stage: Stage, pace: Pace): Promise<RestoreResult> {
  const servers = [...stage.workers, stage.coordinator];
  const traffic = await startLoad(stage, 'restore', pace);
  await sleep(pace.pauseMs);
  const backUpBegan = performance.now();
  const backups: Backup[] = [];
  for (const server of servers) backups.push(await server.backUp());
  const backUpMs = performance.now() - backUpBegan;
  const before = mergeAcknowledged(traffic.traffics);
  const pointBegan = performance.now();
  await stage.coordinator.query(`select citus_create_restore_point('${point}')`, 'svc');
  const pointMs = performance.now() - pointBegan;
  await sleep(10 * pace.pauseMs);
  await traffic.stop();
  const after = mergeAcknowledged(traffic.traffics);

  await stage.service.stop();
  for (const server of servers) await server.archive();
  for (const server of servers) await server.stop('SIGQUIT');
  const restoreBegan = performance.now();
  // The coordinator is the last one, because it asks the workers for the transactions that it had prepared there.
  const restored: CitusServer[] = [];
  for (const backup of backups) restored.push(await backup.restore(point));
  const faults = await endPrepared(restored);
  const { settings, aheadMs, logFile } = stage;
  stage.service = await startClockedService({ settings, aheadMs, logFile });
  const ready = await fetch(`${stage.service.url}/readyz`);
  const restoreMs = performance.now() - restoreBegan;

  if (!ready.ok) faults.push(`/readyz is ${ready.status} after the restore.`);
  faults.push(...(await findUnserved(stage)));
  const db = await openDatabase({ url: settings.DATABASE_URL ?? '' });
  try {
    for (const id of await findLost(db, before)) {
      faults.push(`${id} was acknowledged before the restore point and is lost.`);
    }
    // Calls in flight at the point may be on either side of it.
    const gone = (await findLost(db, after)).length;
    if (gone === 0) faults.push('Nothing is gone, so the servers were not restored to the point.');
    faults.push(
      ...verify(stage, ['ledger', 'verify', '--full']),
      ...verify(stage, ['audit', 'verify']),
    );
    const { tenants, plans, paid, messages } = before;
    const kept = tenants.size + plans.size + paid.size + messages.size;
    return { backUpMs, pointMs, restoreMs, kept, gone, faults };
  } finally {
    await db.close();
    for (const server of restored) await server.stop('SIGQUIT');
  }
}

/**
 * Ends the transactions that were prepared at the restore point. Each server ends those that it began, because a
 * trigger on a worker may have begun one. Returns a sentence for each server that still has some.
 */
async function endPrepared(servers: readonly CitusServer[]): Promise<string[]> {
  for (const server of servers) await server.query('select recover_prepared_transactions()', 'svc');
  const faults: string[] = [];
  for (const server of servers) {
    const open = await server.query('select count(*) from pg_prepared_xacts');
    if (open !== '0') faults.push(`${open} prepared transactions are left on ${server.url}.`);
  }
  return faults;
}

/** Calls the restored service as each partner. Returns one message per partner whose call fails. */
async function findUnserved({ service, partners }: Stage): Promise<string[]> {
  const faults: string[] = [];
  for (const { key, pms } of partners) {
    const path = '/v1/tenant/portal_info/after-restore';
    const answer = await callAt(service.url + path, 'POST', { key, body: ada });
    if (answer.status !== 200) faults.push(`${pms} gets ${answer.status} after the restore.`);
  }
  return faults;
}
