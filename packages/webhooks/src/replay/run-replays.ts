import { type Database, type RowOf, row, sql, text } from '@svc/db';
import { type Clock, createLoop, type Log } from '@svc/runtime';
import type { Tuning } from '../kernel/tuning.ts';
import { type StepResult, stepReplay } from './step-replay.ts';

interface ReplayerOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly tuning: Pick<Tuning, 'replayStepMs'>;
  /** A step has opened deliveries. */
  readonly onDue: () => void;
  /** Called when the replayer may have become idle. */
  readonly onIdle: () => void;
}

/** Runs the replays of all owners, a step at a time, while other deliveries continue. */
export interface Replayer {
  start(): void;
  /** Resolves when the running step is committed. The rest stays in the database. */
  stop(): Promise<void>;
  /** A replay may have been created or changed. The first turn and the claimer's poll find the others. */
  wake(): void;
  busy(): boolean;
}

// How many messages of a replay are in delivery at once. The window doubles while the endpoint keeps
// up and otherwise follows its pace, so a new message waits behind about two steps' worth at most.
const smallestWindow = 64;
const largestWindow = 512;

export function createReplayer(options: ReplayerOptions): Replayer {
  const { db, clock, log, tuning, onDue, onIdle } = options;
  const windows = new Map<string, number>();
  let stopping = false;

  /** Runs one step of each unfinished replay. Returns the wait until the next round; null without one. */
  async function turn(): Promise<number | null> {
    const replays = await unfinishedReplays(db);
    const unfinished = new Set(replays.map(({ id }) => id));
    for (const id of windows.keys()) if (!unfinished.has(id)) windows.delete(id);
    let sent = 0;
    for (const { owner, id } of replays) {
      if (stopping) break;
      const window = windows.get(id) ?? smallestWindow;
      const step = await db.transaction((tx) => stepReplay(tx, owner, id, window, clock.now()));
      // Null: another process is stepping this replay, or has finished it.
      if (!step) continue;
      windows.set(id, nextWindow(window, step));
      sent += step.sent;
      if (step.finished) log.info({ replay_id: id }, 'replay finished');
    }
    if (sent > 0) onDue();
    return replays.length > 0 ? tuning.replayStepMs : null;
  }

  const loop = createLoop({
    clock,
    log,
    name: 'replaying',
    turn,
    retryMs: tuning.replayStepMs,
    onIdle,
  });
  return {
    start() {
      stopping = false;
      loop.start();
    },
    stop() {
      stopping = true;
      return loop.stop();
    },
    wake: () => loop.wake(),
    busy: () => loop.busy(),
  };
}

function nextWindow(window: number, { settled, inDelivery, sent }: StepResult): number {
  const keptUp = settled > 0 && inDelivery === sent;
  const next = keptUp ? window * 2 : Math.ceil(settled * 1.25);
  return Math.min(largestWindow, Math.max(smallestWindow, next));
}

const unfinishedRow = row('unfinished replay', { owner: text, id: text });

/**
 * Lists the replays with something to do: canceled ones that are not finished, those with messages in
 * delivery, and the first running one of each endpoint, because they run one after the other.
 */
function unfinishedReplays(db: Database): Promise<RowOf<typeof unfinishedRow>[]> {
  return db.many(
    unfinishedRow,
    sql`
    select /* all partners */ r.owner, r.id from webhook_replays r
    where r.finished_at is null and (
      r.state = 'canceled'
      or exists (select from webhook_replay_messages i
        where i.owner = r.owner and i.replay_id = r.id and i.sent_at is not null)
      or r.state = 'running' and not exists (
        select from webhook_replays o
        where o.owner = r.owner and o.endpoint_id = r.endpoint_id
          and o.finished_at is null and o.state = 'running' and o.id < r.id))
    order by r.id limit 1000`,
  );
}
