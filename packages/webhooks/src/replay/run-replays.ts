import { type Database, sql } from '@svc/db';
import type { Clock, Log } from '../kernel/engine-deps.ts';
import { type Step, stepReplay } from './step-replay.ts';

export interface ReplayerOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Between two steps of what is running. */
  readonly stepMs: number;
  /** Between two looks for replays that another process was asked for. */
  readonly pollMs: number;
  /** Deliveries became due. */
  readonly freed: () => void;
  /** A round ended. */
  readonly rested: () => void;
}

/** Works off the replays of all owners, beside whatever else is sent. */
export interface Replayer {
  start(): void;
  /** Resolves when the step at hand is committed; the rest waits in the database. */
  stop(): Promise<void>;
  /** A replay may have been made or changed. */
  want(): void;
  busy(): boolean;
}

// Handed over at once. It doubles while the endpoint keeps up, and follows its pace when it does
// not, so that new messages never have more than about two steps' worth before them.
const smallestWindow = 64;
const largestWindow = 512;

export function createReplayer(options: ReplayerOptions): Replayer {
  const { db, clock, log, stepMs, pollMs } = options;
  const windows = new Map<string, number>();
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = true;
  let cancel = () => {};

  async function round(): Promise<boolean> {
    const ids = await unfinished(db);
    for (const id of windows.keys()) if (!ids.includes(id)) windows.delete(id);
    let sent = 0;
    for (const id of ids) {
      if (stopped) break;
      const window = windows.get(id) ?? smallestWindow;
      const step = await db.transaction((tx) => stepReplay(tx, id, window, clock.now()));
      if (!step) continue;
      windows.set(id, nextWindow(window, step));
      sent += step.sent;
      if (step.over) log.info({ replay_id: id }, 'replay over');
    }
    if (sent > 0) options.freed();
    return ids.length > 0;
  }

  function run(): void {
    cancel();
    again = false;
    running = round()
      .catch((error: unknown) => {
        log.error({ err: error }, 'replaying failed');
        return true;
      })
      .then((active) => {
        running = undefined;
        if (stopped) return;
        if (again) run();
        else cancel = clock.after(active ? stepMs : pollMs, run);
      })
      .finally(options.rested);
  }

  return {
    start() {
      stopped = false;
      run();
    },
    async stop() {
      stopped = true;
      cancel();
      await running;
    },
    want() {
      if (stopped) return;
      if (running) again = true;
      else run();
    },
    busy: () => running !== undefined,
  };
}

function nextWindow(window: number, { settled, underWay, sent }: Step): number {
  const keptUp = settled > 0 && underWay === sent;
  const next = keptUp ? window * 2 : Math.ceil(settled * 1.25);
  return Math.min(largestWindow, Math.max(smallestWindow, next));
}

/** Replays with something to do; one that is paused only until its last attempt has ended. */
async function unfinished(db: Database): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select r.id from webhook_replays r
    where r.finished_at is null and (
      r.state = 'canceled'
      or exists (select from webhook_replay_messages i
        where i.replay_id = r.id and i.sent_at is not null)
      or r.state = 'running' and not exists (
        select from webhook_replays o where o.endpoint_id = r.endpoint_id
          and o.finished_at is null and o.state = 'running' and o.id < r.id))
    order by r.id limit 1000`);
  return rows.map(({ id }) => id);
}
