import type { Claimed } from '../kernel/claimed.ts';
import type { Clock, Log } from '../kernel/engine-deps.ts';

export interface WriteQueueOptions<Entry> {
  /** How many batches may be written at once; a second one starts only when it would be full. */
  readonly atOnce: number;
  /** After a commit the next batch gathers for so long, unless it is full before. */
  readonly gatherMs: number;
  readonly clock: Clock;
  readonly log: Log;
  /** `again`: the batch may have been written already, by a commit that got no answer. */
  readonly write: (batch: readonly Entry[], again: boolean) => Promise<void>;
  readonly written: (batch: readonly Entry[]) => void;
}

export interface WriteQueue<Entry> {
  add(entry: Entry): void;
  /** Not yet committed. */
  size(): number;
}

/** Of one delivery at most one entry is being written, so that no statement meets a row twice. */
interface Keyed {
  readonly claimed: Pick<Claimed, 'messageId' | 'endpointId' | 'lease'>;
}

const batchSize = 256;
const retryMs = 250;

/**
 * While one batch is being committed, and for a moment after it, the next gathers: a statement and
 * its commit cost as much as thirty results. A lone entry waits for nobody. What the database refuses
 * is kept and written again; should the process die first, the attempt is made once more.
 */
export function createWriteQueue<Entry extends Keyed>(
  options: WriteQueueOptions<Entry>,
): WriteQueue<Entry> {
  let waiting: Entry[] = [];
  const keys = new Set<string>();
  const writing = new Set<readonly Entry[]>();
  let planned = false;
  let gathering = false;

  /** After the I/O at hand, which usually brings more than one result. */
  function plan(): void {
    if (planned || !worthStarting()) return;
    planned = true;
    setImmediate(() => {
      planned = false;
      flush();
    });
  }

  function worthStarting(): boolean {
    if (waiting.length >= batchSize) return writing.size < options.atOnce;
    return writing.size === 0 && waiting.length > 0 && !gathering;
  }

  function gather(): void {
    if (options.gatherMs === 0) flush();
    else if (!gathering) {
      gathering = true;
      options.clock.after(options.gatherMs, () => {
        gathering = false;
        flush();
      });
    }
  }

  function flush(): void {
    if (!worthStarting()) return;
    const { batch, later } = takeBatch(waiting, keys);
    waiting = later;
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
        options.written(batch);
      },
      (error: unknown) => {
        options.log.error(
          { err: error, results: batch.length },
          'results could not be written yet',
        );
        options.clock.after(retryMs, () => write(batch, true));
      },
    );
  }

  return {
    add(entry) {
      waiting.push(entry);
      plan();
    },
    size: () => [waiting, ...writing].reduce((sum, entries) => sum + entries.length, 0),
  };
}

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

/** null under a shared lease: then there is no row of its own. */
function keyOf({ claimed: { messageId, endpointId, lease } }: Keyed): string | null {
  return lease === null ? `${messageId} ${endpointId}` : null;
}
