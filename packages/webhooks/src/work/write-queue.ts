import type { Clock, Log } from '../engine.ts';

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
  readonly row: { readonly message_id: string; readonly endpoint_id: string };
}

interface Waiting<Entry> {
  readonly key: string;
  readonly entry: Entry;
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
  let waiting: Waiting<Entry>[] = [];
  const writing = new Set<string>();
  let batches = 0;
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
    if (waiting.length >= batchSize) return batches < options.atOnce;
    return batches === 0 && waiting.length > 0 && !gathering;
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
    const { batch, later } = takeBatch(waiting, writing);
    waiting = later;
    if (batch.size === 0) return;
    for (const key of batch.keys()) writing.add(key);
    batches += 1;
    write(batch, false);
  }

  function write(batch: ReadonlyMap<string, Entry>, again: boolean): void {
    const entries = [...batch.values()];
    options.write(entries, again).then(
      () => {
        for (const key of batch.keys()) writing.delete(key);
        batches -= 1;
        gather();
        options.written(entries);
      },
      (error: unknown) => {
        options.log.error({ err: error, results: batch.size }, 'results could not be written yet');
        options.clock.after(retryMs, () => write(batch, true));
      },
    );
  }

  return {
    add(entry) {
      waiting.push({ key: `${entry.row.message_id} ${entry.row.endpoint_id}`, entry });
      plan();
    },
    size: () => waiting.length + writing.size,
  };
}

function takeBatch<Entry>(
  waiting: readonly Waiting<Entry>[],
  writing: ReadonlySet<string>,
): { batch: Map<string, Entry>; later: Waiting<Entry>[] } {
  const batch = new Map<string, Entry>();
  const later: Waiting<Entry>[] = [];
  for (const item of waiting) {
    const { key, entry } = item;
    if (batch.size < batchSize && !batch.has(key) && !writing.has(key)) batch.set(key, entry);
    else later.push(item);
  }
  return { batch, later };
}
