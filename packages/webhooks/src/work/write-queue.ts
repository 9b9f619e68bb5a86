import type { Clock, Log } from '../engine.ts';

export interface WriteQueueOptions<Entry> {
  readonly clock: Clock;
  readonly log: Log;
  readonly write: (batch: readonly Entry[]) => Promise<void>;
  readonly written: (batch: readonly Entry[]) => void;
}

export interface WriteQueue<Entry> {
  add(entry: Entry): void;
  /** Not yet committed. */
  size(): number;
}

/** Of one delivery there is at most one entry in a batch, so that a statement meets no row twice. */
interface Keyed {
  readonly row: { readonly message_id: string; readonly endpoint_id: string };
}

const batchSize = 256;
const retryMs = 250;

/**
 * While one batch is being committed the next gathers, so that batches grow with the load and a
 * lone entry waits for nobody. What the database refuses is kept and written again; should the
 * process die first, the attempt is made once more.
 */
export function createWriteQueue<Entry extends Keyed>(
  options: WriteQueueOptions<Entry>,
): WriteQueue<Entry> {
  const waiting: Entry[] = [];
  let writing = 0;
  let planned = false;

  /** After the I/O at hand, which usually brings more than one result. */
  function plan(): void {
    if (planned || writing > 0) return;
    planned = true;
    setImmediate(() => {
      planned = false;
      flush();
    });
  }

  function flush(): void {
    if (writing > 0 || waiting.length === 0) return;
    const batch = takeBatch(waiting);
    writing = batch.length;
    write(batch);
  }

  function write(batch: readonly Entry[]): void {
    options.write(batch).then(
      () => {
        writing = 0;
        flush();
        options.written(batch);
      },
      (error: unknown) => {
        options.log.error({ err: error, results: writing }, 'results could not be written yet');
        options.clock.after(retryMs, () => write(batch));
      },
    );
  }

  return {
    add(entry) {
      waiting.push(entry);
      plan();
    },
    size: () => waiting.length + writing,
  };
}

function takeBatch<Entry extends Keyed>(waiting: Entry[]): Entry[] {
  const batch = new Map<string, Entry>();
  const later: Entry[] = [];
  for (const entry of waiting.splice(0)) {
    const key = `${entry.row.message_id} ${entry.row.endpoint_id}`;
    if (batch.size < batchSize && !batch.has(key)) batch.set(key, entry);
    else later.push(entry);
  }
  waiting.push(...later);
  return [...batch.values()];
}
