import { type Database, sql } from '@svc/db';
import type { Clock, Log } from '../kernel/engine-deps.ts';
import type { Tuning } from '../kernel/tuning.ts';
import { takeOver } from '../leases/expire-leases.ts';
import { hasEnded } from './process-id.ts';

export interface FleetOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly node: string;
  readonly tuning: Pick<Tuning, 'heartbeatMs' | 'deadAfterMs'>;
  /** Another process published something, or left something behind. */
  readonly heard: () => void;
}

/** The processes that send from one database: heartbeats, takeover of dead ones, waking each other. */
export interface Fleet {
  join(): Promise<void>;
  leave(): Promise<void>;
  /** False once other processes may consider this one dead. It must not start attempts then. */
  alive(): boolean;
  /** Wakes the others, at most ten times a second. */
  tell(): void;
}

const channel = 'webhook_wake';
// Each NOTIFY costs every listening process a round trip; a hundred publishes share one.
const tellEveryMs = 100;

export function createFleet(options: FleetOptions): Fleet {
  const { db, clock, log, node, tuning, heard } = options;
  let others = 0;
  let lastBeat = clock.now().getTime();
  let judgesFrom = lastBeat;
  let telling = false;
  let left = false;
  let beating: Promise<void> | undefined;
  let cancelBeat = () => {};
  let stopListening = async () => {};

  async function pulse(): Promise<void> {
    const now = clock.now();
    const time = now.getTime();
    const found = await beat(db, node, now);
    // We missed heartbeats, so the database may have been down for everyone; or our clock was set, and
    // others may not have followed yet. Wait deadAfterMs before declaring other processes dead.
    const sinceLast = Math.abs(time - lastBeat);
    if (sinceLast > tuning.deadAfterMs / 2) judgesFrom = time + tuning.deadAfterMs;
    lastBeat = time;
    const silent = found.filter(({ beat_at }) => beat_at.getTime() < time - tuning.deadAfterMs);
    others = found.length - silent.length;
    const ended = found.filter(({ id }) => hasEnded(id));
    const dead = idsOf(time >= judgesFrom ? [...ended, ...silent] : ended);
    if (dead.length === 0) return;
    const freed = await takeOver(db, dead, now);
    log.warn({ dead: dead.length, freed }, 'took over the deliveries of dead processes');
    heard();
  }

  function planBeat(): void {
    if (left) return;
    cancelBeat = clock.after(tuning.heartbeatMs, () => {
      beating = pulse()
        .catch((error: unknown) => log.error({ err: error }, 'heartbeat failed'))
        .finally(planBeat);
    });
  }

  return {
    async join() {
      if (db.kind === 'embedded') {
        // The data folder is locked, so every lease in it belongs to a process that has ended.
        await takeOver(db, null, clock.now());
        return;
      }
      await pulse();
      stopListening = await db.listen(channel, heard);
      planBeat();
    },
    async leave() {
      left = true;
      cancelBeat();
      await beating;
      if (db.kind === 'embedded') return;
      await stopListening();
      await db.run(sql`delete from webhook_nodes where id = ${node}`);
    },
    alive() {
      // A heartbeat in the future was written before our clock was set back: it says nothing.
      const silent = Math.abs(clock.now().getTime() - lastBeat);
      return db.kind === 'embedded' || silent < tuning.deadAfterMs * 0.75;
    },
    tell() {
      if (others === 0 || telling) return;
      telling = true;
      clock.after(tellEveryMs, () => {
        telling = false;
        if (!left) void wakeOthers(db, log);
      });
    },
  };
}

async function wakeOthers(db: Database, log: Log): Promise<void> {
  try {
    await db.run(sql`select pg_notify(${channel}, '')`);
  } catch (error) {
    log.error({ err: error }, 'waking other processes failed');
  }
}

function idsOf(others: readonly Other[]): string[] {
  return [...new Set(others.map(({ id }) => id))];
}

interface Other {
  readonly id: string;
  readonly beat_at: Date;
}

/** Writes this process's heartbeat and returns those of all others. */
function beat(db: Database, node: string, now: Date): Promise<Other[]> {
  return db.many<Other>(sql`
    with self as (
      insert into webhook_nodes (id, beat_at) values (${node}, ${now}::timestamptz)
      on conflict (id) do update set beat_at = excluded.beat_at
    )
    select id, beat_at from webhook_nodes where id <> ${node}`);
}
