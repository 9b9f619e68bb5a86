import type { Clock, Log } from '@svc/runtime';
import type { Claimed } from '../kernel/claimed.ts';

interface WriteQueueOptions<Entry> {
  /** The most batches written at once. A second one starts only when it is full. */
  readonly atOnce: number;
  /** How long the next batch collects entries after a commit, unless it is full before. */
  readonly gatherMs: number;
  readonly clock: Clock;
  readonly log: Log;
  /** `again`: an earlier try may have committed this batch, although it was reported as failed. */
  readonly write: (batch: readonly Entry[], again: boolean) => Promise<void>;
  readonly onWritten: (batch: readonly Entry[]) => void;
}

interface WriteQueue<Entry> {
  add(entry: Entry): void;
  /** The number of entries that are not committed. */
  size(): number;
}

interface Keyed {
  readonly claimed: Pick<Claimed, 'owner' | 'messageId' | 'endpointId' | 'lease'>;
}

const batchSize = 256;
const retryMs = 250;

/**
 * Writes entries in batches. While one batch is being committed, and for a moment after it, the next
 * one fills: a statement and its commit cost as much as thirty results. An entry that is alone is
 * written at once.
 *
 * A batch that the database refuses is kept and written again until it succeeds. If the process dies
 * first, its leases expire and another process makes the attempts again.
 *
 * Of one delivery, at most one entry is being written at a time: two in one statement would update the
 * same row twice, and two in concurrent statements could be committed in the wrong order.
 */
export function createWriteQueue<Entry extends Keyed>(
  options: WriteQueueOptions<Entry>,
): WriteQueue<Entry> {
  let waiting: Entry[] = [];
  /** Deliveries with an entry in a batch that is being written. */
  const keys = new Set<string>();
  const writing = new Set<readonly Entry[]>();
  let scheduled = false;
  let gathering = false;

  /** Waits for the current I/O callbacks, which usually bring more than one result. */
  function schedule(): void {
    if (scheduled || !isWorthStarting()) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      startBatch();
    });
  }

  function isWorthStarting(): boolean {
    if (waiting.length >= batchSize) return writing.size < options.atOnce;
    return writing.size === 0 && waiting.length > 0 && !gathering;
  }

  /** Lets the next batch fill for `gatherMs` after a commit. */
  function gather(): void {
    if (options.gatherMs === 0) startBatch();
    else if (!gathering) {
      gathering = true;
      options.clock.after(options.gatherMs, () => {
        gathering = false;
        startBatch();
      });
    }
  }

  function startBatch(): void {
    if (!isWorthStarting()) return;
    const { batch, later } = takeBatch(waiting, keys);
    waiting = later;
    // Every waiting delivery has an entry in the batch being written, whose commit calls gather().
    if (batch.length === 0) return;
    writing.add(batch);
    write(batch, false);
  }

  function write(batch: readonly Entry[], again: boolean): void {
    options.write(batch, again).then(
      () => {
        for (const entry of batch) keys.delete(keyOf(entry) ?? '');
        writing.delete(batch);
        gather();
        options.onWritten(batch);
      },
      (error: unknown) => {
        options.log.error(
          { err: error, results: batch.length },
          'results could not be written; trying again',
        );
        options.clock.after(retryMs, () => write(batch, true));
      },
    );
  }

  return {
    add(entry) {
      waiting.push(entry);
      schedule();
    },
    size: () => [waiting, ...writing].reduce((sum, entries) => sum + entries.length, 0),
  };
}

/** Fills a batch from the front, skipping deliveries that are being written or already in the batch. */
function takeBatch<Entry extends Keyed>(
  waiting: readonly Entry[],
  keys: Set<string>,
): { batch: Entry[]; later: Entry[] } {
  const batch: Entry[] = [];
  const later: Entry[] = [];
  for (const entry of waiting) {
    const key = keyOf(entry);
    if (batch.length === batchSize || (key !== null && keys.has(key))) later.push(entry);
    else {
      batch.push(entry);
      if (key !== null) keys.add(key);
    }
  }
  return { batch, later };
}

/** Null under a publish lease: the delivery has no row that two entries could update. */
function keyOf({ claimed: { owner, messageId, endpointId, lease } }: Keyed): string | null {
  return lease === null ? `${owner} ${messageId} ${endpointId}` : null;
}
