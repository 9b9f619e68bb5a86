import { bigint, boolean, type Database, row, sql } from '@svc/db';
import type { ChaosProcess } from './chaos-process.ts';
import { canFillDisk, type DurableServer } from './durable-server.ts';
import type { Random } from './random.ts';

/** A fault that is injected into the processes, their database or their clocks. */
export type Fault = 'kill' | 'restart' | 'crash' | 'full-disk' | 'clock';

/** Draws faults, mostly kills. An embedded database cannot fail apart from its process. */
export function drawFaults(random: Random, count: number, server: boolean): Fault[] {
  const all: Fault[] = server
    ? ['kill', 'kill', 'kill', 'restart', 'crash', 'full-disk', 'clock']
    : ['kill', 'kill', 'kill', 'clock'];
  return Array.from({ length: count }, () => toPossibleFault(all[random(all.length)] ?? 'kill'));
}

/** Replaces a full disk by a crash of the database on systems without /dev/full. */
export function toPossibleFault(fault: Fault): Fault {
  return fault === 'full-disk' && !canFillDisk ? 'crash' : fault;
}

export interface Kill {
  readonly process: string;
  /** Deliveries leased to it when it was killed; null if its leases had been expired before. */
  readonly inFlight: number | null;
}

/** Freezes a process, counts the deliveries leased to it, and kills it. */
export async function killFrozen(db: Database, victim: ChaosProcess): Promise<Kill> {
  victim.freeze();
  const { alive, inFlight } = await db.one(
    row('victim', { alive: boolean, inFlight: bigint }),
    sql`
    with /* all partners */ victim as (
      select id from webhook_nodes where split_part(id, '.', 2) = ${String(victim.pid)}
    )
    select exists (select from victim) as alive,
      (select count(*) from webhook_deliveries_open o join victim v on v.id = o.node)
        + (select count(*) from webhook_deliveries_leased l join victim v on v.id = l.node) as in_flight`,
  );
  await victim.kill();
  return { process: victim.name, inFlight: alive ? inFlight : null };
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
