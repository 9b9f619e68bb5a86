import { type Database, type MigrationSource, migrationsAtHead, probeWrite } from '@svc/db';
import type { Clock } from '../clock.ts';

/** Whether this process should get traffic. */
export interface Readiness {
  /** Shutdown has begun: not ready from now on, while requests are still answered. */
  drain(): void;
  readonly draining: boolean;
  /** Why it should get none, as a sentence; undefined when it is ready. */
  whyNot(): Promise<string | undefined>;
}

export interface ReadinessDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly migrations: readonly MigrationSource[];
  /** When a statement of this process last failed because the database had no space left. */
  readonly lastDiskFull: () => Date | undefined;
}

// /readyz takes no credentials: however often it is called, the database is asked once a second.
const answerKeptMs = 1_000;
// The probe updates a row in place, which also succeeds on a full disk. So a real statement that
// found the disk full counts for a while: long enough that a load balancer, which takes some answers
// to see a change, does not send traffic back between two such statements.
const diskFullCountsMs = 30_000;

/**
 * Ready is: the schema is one this version can run on, and the database accepts writes. Each check
 * commits a one-row update.
 */
export function createReadiness({ db, clock, migrations, lastDiskFull }: ReadinessDeps): Readiness {
  let draining = false;
  let last: { at: number; answer: Promise<string | undefined> } | undefined;

  async function askDatabase(): Promise<string | undefined> {
    try {
      if (!(await migrationsAtHead(db, migrations))) {
        return 'The database schema is not the one of this version.';
      }
      await probeWrite(db);
      return undefined;
    } catch {
      // Why is in the log; the answer is public.
      return 'The database is unavailable or refuses writes.';
    }
  }

  return {
    drain() {
      draining = true;
    },
    get draining() {
      return draining;
    },
    async whyNot() {
      if (draining) return 'The service is shutting down.';
      const now = clock.now().getTime();
      if (!last || Math.abs(now - last.at) >= answerKeptMs)
        last = { at: now, answer: askDatabase() };
      const failing = await last.answer;
      if (failing !== undefined) return failing;
      const full = lastDiskFull();
      const isRecent = full && clock.now().getTime() - full.getTime() < diskFullCountsMs;
      return isRecent ? 'The disk of the database was full less than 30 seconds ago.' : undefined;
    },
  };
}
