import {
  type Database,
  instant,
  integer,
  nullable,
  type RowOf,
  recordset,
  row,
  sql,
  text,
} from '@svc/db';
import type { Clock, Log } from '@svc/runtime';
import type { Result } from '../messages/attempt-detail.ts';
import { describeAttempt } from '../sending/describe-attempt.ts';
import { durationClass } from './duration-class.ts';

export interface ActivityRecorder {
  add(result: Result): void;
  /** True while counts are being written. */
  busy(): boolean;
  /** Writes the remaining counts. */
  stop(): Promise<void>;
}

/** Attempts of one endpoint that ended in one minute, beginning `at`, by the class of their duration. */
const tallyRow = row('activity tally', {
  owner: text,
  endpoint_id: text,
  at: instant,
  duration: integer,
  delivered: integer,
  failed: integer,
});
type Tally = RowOf<typeof tallyRow>;

const failureRow = row('last failure', {
  owner: text,
  endpoint_id: text,
  at: instant,
  error_class: text,
  status: nullable(integer),
  hint: text,
});
type Failure = RowOf<typeof failureRow>;

const minuteMs = 60_000;
const flushMs = 1_000;

/**
 * Counts attempts for the charts in memory, and writes the counts once a second. They are not written in
 * the results' commits: everything waits for those, and they would become slower. So a crash loses a
 * second of the charts, and nothing else.
 */
export function createActivityRecorder(options: {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when counts have been written. */
  readonly onIdle: () => void;
}): ActivityRecorder {
  const { db, clock, log, onIdle } = options;
  const tallies = new Map<string, Tally>();
  const failures = new Map<string, Failure>();
  let writing: Promise<void> | undefined;
  let cancelTimer: (() => void) | undefined;

  function scheduleFlush(): void {
    cancelTimer ??= clock.after(flushMs, () => {
      cancelTimer = undefined;
      flush();
    });
  }

  function flush(): void {
    if (writing || tallies.size === 0) return;
    const rows = { counts: [...tallies.values()], failures: [...failures.values()] };
    tallies.clear();
    failures.clear();
    writing = writeActivity(db, rows)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'activity could not be written: the charts lack a second'),
      )
      .then(() => {
        writing = undefined;
        // Attempts that ended during the write found `writing` set and were not written.
        if (tallies.size > 0) scheduleFlush();
        onIdle();
      });
  }

  return {
    add({ claimed, outcome }) {
      addToTally(tallies, claimed, outcome);
      recordFailure(failures, claimed, outcome);
      scheduleFlush();
    },
    busy: () => writing !== undefined,
    async stop() {
      cancelTimer?.();
      await writing;
      flush();
      await writing;
    },
  };
}

function addToTally(
  tallies: Map<string, Tally>,
  { owner, endpointId }: Result['claimed'],
  outcome: Result['outcome'],
): void {
  const minute = Math.floor(outcome.endedAt.getTime() / minuteMs) * minuteMs;
  const duration = durationClass(outcome.times.total);
  const key = `${owner} ${endpointId} ${minute} ${duration}`;
  const succeeded = outcome.errorClass === null;
  const { delivered, failed } = tallies.get(key) ?? { delivered: 0, failed: 0 };
  tallies.set(key, {
    owner,
    endpoint_id: endpointId,
    at: new Date(minute),
    duration,
    delivered: delivered + (succeeded ? 1 : 0),
    failed: failed + (succeeded ? 0 : 1),
  });
}

function recordFailure(
  failures: Map<string, Failure>,
  { owner, endpointId }: Result['claimed'],
  outcome: Result['outcome'],
): void {
  const { endedAt: at, errorClass, status } = outcome;
  if (errorClass === null) return;
  const hint = describeAttempt(outcome, { quote: false }) ?? '';
  const failure = { owner, endpoint_id: endpointId, at, error_class: errorClass, status, hint };
  failures.set(`${owner} ${endpointId}`, failure);
}

/** Inserts in the order of the keys, so that two processes cannot deadlock. */
async function writeActivity(
  db: Database,
  { counts, failures }: { counts: readonly Tally[]; failures: readonly Failure[] },
): Promise<void> {
  await db.run(sql`
    with counted as (
      insert into webhook_activity as a
        (owner, endpoint_id, step_seconds, at, duration, delivered, failed)
      select r.owner, r.endpoint_id, s.seconds, date_bin(make_interval(secs => s.seconds), r.at, 'epoch'),
        r.duration, sum(r.delivered), sum(r.failed)
      from ${recordset(tallyRow, counts, 'r')}
      cross join unnest(array[60, 3600, 86400]) as s(seconds)
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict (owner, endpoint_id, step_seconds, at, duration) do update
        set delivered = a.delivered + excluded.delivered, failed = a.failed + excluded.failed
    )
    insert into webhook_last_failures as f (owner, endpoint_id, at, error_class, status, hint)
    select owner, endpoint_id, at, error_class, status, hint
    from ${recordset(failureRow, failures, 'r')}
    order by owner, endpoint_id
    on conflict (owner, endpoint_id) do update
      set at = excluded.at, error_class = excluded.error_class, status = excluded.status,
        hint = excluded.hint
      where f.at <= excluded.at`);
}
