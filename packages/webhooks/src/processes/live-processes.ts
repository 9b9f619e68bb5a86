import { type Database, instant, type RowOf, row, sql, text } from '@svc/db';
import { type Clock, createLoop, type Log } from '@svc/runtime';
import type { Tuning } from '../kernel/tuning.ts';
import { expireLeasesOfDead } from '../leases/expire-leases.ts';
import { hasEnded } from './process-id.ts';

interface LiveProcessesOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly processId: string;
  readonly tuning: Pick<Tuning, 'heartbeatMs' | 'deadAfterMs'>;
  /** False for a process that does not send, and so needs no wake-ups. Default true. */
  readonly listens?: boolean;
  /** Deliveries may be due: another process published some, or died and left some behind. */
  readonly onDue: () => void;
}

/** The processes that deliver from one database: heartbeats, expiry of dead processes, wake-ups. */
export interface LiveProcesses {
  /** Writes the first heartbeat. From then on, this process listens to the others. */
  join(): Promise<void>;
  leave(): Promise<void>;
  /** False once other processes may have declared this one dead. It must not start attempts then. */
  isAlive(): boolean;
  /** Tells the other processes that deliveries may be due, at most ten times a second. */
  wakeOthers(): void;
}

const channel = 'webhook_wake';
// Each NOTIFY costs every listening process a round trip. A hundred publishes share one.
const notifyEveryMs = 100;

export function createLiveProcesses(options: LiveProcessesOptions): LiveProcesses {
  const { db, clock, log, processId, tuning, listens = true, onDue } = options;
  const { heartbeatMs, deadAfterMs } = tuning;
  let others = 0;
  let lastHeartbeat = clock.now().getTime();
  /** Before this time, silence proves nothing about another process. */
  let judgesSilenceFrom = lastHeartbeat;
  /** When the last NOTIFY was sent. */
  let notifiedAt = Number.NEGATIVE_INFINITY;
  let notifyPlanned = false;
  let hasLeft = false;
  let stopListening = async () => {};

  const heartbeats = createLoop({
    clock,
    log,
    name: 'heartbeat',
    retryMs: heartbeatMs,
    async turn() {
      await heartbeat();
      return heartbeatMs;
    },
  });

  /** Writes our heartbeat, and expires the leases of processes that have died. */
  async function heartbeat(): Promise<void> {
    const now = clock.now();
    const time = now.getTime();
    const found = await writeHeartbeat(db, processId, now);
    // We missed heartbeats ourselves, so the database may have been down for everyone; or our clock
    // was set, and the others have not written a heartbeat by the new time yet. Wait deadAfterMs
    // before declaring other processes dead.
    const sinceLast = Math.abs(time - lastHeartbeat);
    if (sinceLast > deadAfterMs / 2) judgesSilenceFrom = time + deadAfterMs;
    lastHeartbeat = time;
    const silent = found.filter(({ beat_at }) => beat_at.getTime() < time - deadAfterMs);
    others = found.length - silent.length;
    // A process of this machine that has ended is known to be dead without waiting.
    const ended = found.filter(({ id }) => hasEnded(id));
    const dead = idsOf(time >= judgesSilenceFrom ? [...ended, ...silent] : ended);
    if (dead.length === 0) return;
    const freed = await expireLeasesOfDead(db, dead, now);
    log.warn({ dead: dead.length, freed }, 'took over the deliveries of dead processes');
    onDue();
  }

  return {
    async join() {
      if (db.kind === 'embedded') {
        // The data folder is locked, so every lease in it belongs to a process that has ended.
        await expireLeasesOfDead(db, 'all', clock.now());
        return;
      }
      await heartbeat();
      if (listens) stopListening = await db.listen(channel, onDue);
      heartbeats.start(heartbeatMs);
    },
    async leave() {
      hasLeft = true;
      // A heartbeat written after the row is deleted would leave behind a process that has ended.
      await heartbeats.stop();
      if (db.kind === 'embedded') return;
      await stopListening();
      await db.run(sql`delete from webhook_nodes where id = ${processId}`);
    },
    isAlive() {
      // The others wait deadAfterMs; stop a quarter earlier, so that no attempt of ours starts after
      // they expired its lease. A heartbeat in the future was written before our clock was set back,
      // and proves nothing.
      const silentMs = Math.abs(clock.now().getTime() - lastHeartbeat);
      return db.kind === 'embedded' || silentMs < deadAfterMs * 0.75;
    },
    wakeOthers() {
      if (others === 0 || notifyPlanned || hasLeft) return;
      // The first one leaves at once: a process that only publishes depends on it.
      const waitMs = Math.min(notifyEveryMs, notifiedAt + notifyEveryMs - clock.now().getTime());
      if (waitMs <= 0) {
        sendNotify();
        return;
      }
      notifyPlanned = true;
      clock.after(waitMs, () => {
        notifyPlanned = false;
        if (!hasLeft) sendNotify();
      });
    },
  };

  function sendNotify(): void {
    notifiedAt = clock.now().getTime();
    void notifyOthers(db, log);
  }
}

async function notifyOthers(db: Database, log: Log): Promise<void> {
  try {
    await db.run(sql`select pg_notify(${channel}, '')`);
  } catch (error) {
    // Nothing is lost: the others also look for due deliveries every pollMs.
    log.error({ err: error }, 'waking other processes failed');
  }
}

function idsOf(processes: readonly OtherProcess[]): string[] {
  return [...new Set(processes.map(({ id }) => id))];
}

/** Another process and its last heartbeat. */
const processRow = row('process', { id: text, beat_at: instant });
type OtherProcess = RowOf<typeof processRow>;

/** Writes the heartbeat of this process and returns those of all others. */
function writeHeartbeat(db: Database, processId: string, now: Date): Promise<OtherProcess[]> {
  return db.many(
    processRow,
    sql`
    with self as (
      insert into webhook_nodes (id, beat_at) values (${processId}, ${now}::timestamptz)
      on conflict (id) do update set beat_at = excluded.beat_at
    )
    select id, beat_at from webhook_nodes where id <> ${processId}`,
  );
}
