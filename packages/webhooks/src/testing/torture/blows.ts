import { type Database, sql } from '@svc/db';
import type { ChaosProcess } from './chaos-process.ts';
import { canFillDisk, type DurableServer } from './durable-server.ts';
import type { Random } from './random.ts';

/** What is done to the processes, their database or their clocks. */
export type Blow = 'kill' | 'restart' | 'crash' | 'full-disk' | 'clock';

/** Kills mostly; an embedded database falls with its process. */
export function drawBlows(random: Random, count: number, server: boolean): Blow[] {
  const all: Blow[] = server
    ? ['kill', 'kill', 'kill', 'restart', 'crash', 'full-disk', 'clock']
    : ['kill', 'kill', 'kill', 'clock'];
  return Array.from({ length: count }, () => possible(all[random(all.length)] ?? 'kill'));
}

/** Where no disk can be filled, the database crashes instead. */
export function possible(blow: Blow): Blow {
  return blow === 'full-disk' && !canFillDisk ? 'crash' : blow;
}

export interface Kill {
  readonly process: string;
  /** Deliveries under its lease just then; null when its leases had been taken away before. */
  readonly held: number | null;
}

/** Counts what a process has in flight while it stands still, and ends it. */
export async function killFrozen(db: Database, victim: ChaosProcess): Promise<Kill> {
  victim.freeze();
  const { alive, held } = await db.one<{ alive: boolean; held: number }>(sql`
    with victim as (
      select id from webhook_nodes where split_part(id, '.', 2) = ${String(victim.pid)}
    )
    select exists (select from victim) as alive,
      (select count(*) from webhook_deliveries_open o join victim v on v.id = o.node)
        + (select count(*) from webhook_deliveries_leased l join victim v on v.id = l.node) as held`);
  await victim.kill();
  return { process: victim.name, held: alive ? held : null };
}

export async function breakServer(
  server: DurableServer,
  how: 'restart' | 'crash' | 'full-disk',
  witness: ChaosProcess,
): Promise<void> {
  if (how === 'full-disk') {
    await server.fillDisk();
    await witness.refused();
  }
  await server.restart(how === 'restart' ? 'orderly' : 'crash');
}
