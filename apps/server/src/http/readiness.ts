import { type Database, probeWrite, readSchemaState, refusesWrites } from '@svc/db';
import type { Clock } from '@svc/runtime';
import { readMoney } from '../domain/controls/money-switch.ts';
import { migrationFiles, version } from '../migrations.ts';

/** Tells load balancers whether to send traffic to this process. */
export interface Readiness {
  /** Called when shutdown begins: not ready from now on, while requests are still answered. */
  drain(): void;
  readonly draining: boolean;
  /** The reason as a sentence; undefined when ready. */
  whyNot(): Promise<string | undefined>;
  /** A remark about a ready process, as of the last `whyNot`. */
  readonly remark: string | undefined;
}

interface ReadinessDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** When a statement of this process last failed because the database had no space left. */
  readonly lastDiskFull: () => Date | undefined;
  /** A sentence about the messages that wait for another system. */
  readonly relayTrouble?: () => Promise<string | undefined>;
  /** A remark while there is no more urgent one. */
  readonly standingRemark?: string | undefined;
}

// /readyz takes no credentials, so anyone can call it; the database is probed at most once a second.
const cacheMs = 1_000;
// The probe updates a row in place, which succeeds even on a full disk. A statement that failed on a
// full disk therefore keeps the process unready for a while. A load balancer needs several answers to
// change its mind, so this is long enough that it does not switch back between two such statements.
const diskFullMs = 30_000;

/**
 * Ready means that this version can run on the database's schema and that the database accepts
 * writes. Each probe commits an update of one row.
 */
export function createReadiness({
  db,
  clock,
  lastDiskFull,
  relayTrouble = async () => undefined,
  standingRemark,
}: ReadinessDeps): Readiness {
  let draining = false;
  let remark: string | undefined;
  let last: { at: number; answer: Promise<string | undefined> } | undefined;

  async function probeDatabase(): Promise<string | undefined> {
    try {
      const { mismatch } = await readSchemaState(db, migrationFiles, version);
      if (mismatch) return mismatch.message;
      await probeWrite(db);
      const { stopped_at } = await readMoney(db);
      remark =
        stopped_at === null
          ? ((await relayTrouble()) ?? standingRemark)
          : 'Money is stopped: no charge, refund or plan begins until "svc-admin money start".';
      return undefined;
    } catch (error) {
      // The answer is public, so it names no host; the error is in the log.
      if (refusesWrites(error)) {
        return 'The database accepts no writes: promote a standby, or correct the hosts in DATABASE_URL.';
      }
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
    get remark() {
      return remark;
    },
    async whyNot() {
      if (draining) return 'The service is shutting down.';
      const now = clock.now().getTime();
      if (!last || Math.abs(now - last.at) >= cacheMs) last = { at: now, answer: probeDatabase() };
      const reason = await last.answer;
      if (reason !== undefined) return reason;
      const fullAt = lastDiskFull();
      const isRecent = fullAt && clock.now().getTime() - fullAt.getTime() < diskFullMs;
      return isRecent ? 'The disk of the database was full less than 30 seconds ago.' : undefined;
    },
  };
}
