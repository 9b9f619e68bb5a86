import { hostname } from 'node:os';
import { instant, row } from './row.ts';
import { sql } from './sql.ts';
import type { Database } from './types.ts';

/** Wall time and timers. */
interface WallClock {
  now(): Date;
  /** Runs once after `ms`; returns its canceler. */
  after(ms: number, run: () => void): () => void;
}

export interface DatabaseClock extends WallClock {
  /** How far the clock of this process is ahead of the database's; negative if it is behind. */
  skewMs(): number;
  /** Stops measuring. The last correction stays in effect. */
  stop(): void;
}

interface DatabaseClockOptions {
  readonly db: Pick<Database, 'kind' | 'one'>;
  /** The clock of this process. */
  readonly clock: WallClock;
  readonly log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
}

const measureEveryMs = 5_000;
const warnFromMs = 1_000;
const timeRow = row('database time', { at: instant });
// Both clocks are read in whole milliseconds, rounded down.
const roundingMs = 1;

/**
 * Starts a clock that shows the database's time: the clock of this process, corrected by its measured offset.
 * Processes compare times that others wrote (heartbeats, leases, due times), so they need one clock: when one
 * process was 8 s ahead, each of its heartbeats made the others look dead. The offset is measured at the start and
 * then every five seconds. An offset of 1 s or more is logged once. Rejects when the database cannot be reached. An
 * embedded database runs on the clock of this process, so nothing is measured.
 */
export async function startDatabaseClock(options: DatabaseClockOptions): Promise<DatabaseClock> {
  const { db, clock, log } = options;
  const offset = new Offset();
  let logged = 0;
  let stopped = false;
  let cancel = () => {};

  async function measure(): Promise<void> {
    const sent = clock.now().getTime();
    const { at } = await db.one(timeRow, sql`select clock_timestamp() as at`);
    offset.observe(sent, at.getTime(), clock.now().getTime());
    logSkew(skewMs());
  }

  function skewMs(): number {
    // Subtracted from 0, because `-offset.ms()` would be -0 while the clocks agree.
    return 0 - offset.ms();
  }

  function logSkew(skew: number): void {
    const skewed = Math.abs(skew) >= warnFromMs;
    // Logged as settled only below half of the limit, so that a skew near the limit does not alternate.
    const settled = logged !== 0 && Math.abs(skew) < warnFromMs / 2;
    if (skewed ? Math.abs(skew - logged) < warnFromMs : !settled) return;
    logged = skewed ? skew : 0;
    const host = hostname();
    const { pid } = process;
    const name = `the clock of process ${pid} on ${host}`;
    const fields = { skew_ms: skew, host, pid };
    if (!skewed) log.info(fields, `${name} agrees with the database's again`);
    else {
      const direction = skew > 0 ? 'ahead of' : 'behind';
      const seconds = (Math.abs(skew) / 1_000).toFixed(1);
      const what = `${name} is ${seconds} s ${direction} the database's`;
      log.warn(fields, `${what}: the service uses the database's time, set both clocks by NTP`);
    }
  }

  // Not a `Loop` of packages/runtime, because packages/db imports no other workspace.
  function scheduleNext(): void {
    if (stopped) return;
    cancel = clock.after(measureEveryMs, () => {
      // While the database is down the last offset stays. The callers of the database log the outage.
      measure()
        .catch(() => {})
        .finally(scheduleNext);
    });
  }

  if (db.kind === 'server') {
    await measure();
    scheduleNext();
  }
  return {
    now: () => new Date(clock.now().getTime() + offset.ms()),
    after: (ms, run) => clock.after(ms, run),
    skewMs,
    stop() {
      stopped = true;
      cancel();
    },
  };
}

/**
 * Database time minus process time, as the interval that must contain it: the database read its clock
 * after the request was sent and before the response arrived. Overlapping intervals narrow each other.
 */
class Offset {
  private measured = false;
  private least = 0;
  private most = 0;

  /**
   * Returns the offset in milliseconds. It is zero while the interval contains zero: the clocks may be equal, so
   * nothing is corrected.
   */
  ms(): number {
    if (this.least <= 0 && this.most >= 0) return 0;
    return Math.round((this.least + this.most) / 2);
  }

  observe(sentMs: number, databaseMs: number, receivedMs: number): void {
    const least = databaseMs - receivedMs - roundingMs;
    const most = databaseMs - sentMs + roundingMs;
    // No overlap means that one of the clocks was set, so earlier measurements are void.
    const overlaps = this.measured && least <= this.most && most >= this.least;
    this.least = overlaps ? Math.max(least, this.least) : least;
    this.most = overlaps ? Math.min(most, this.most) : most;
    this.measured = true;
  }
}
