import type { Database, Tx } from '@svc/db';
import type { Claimed } from './claim.ts';
import type { EngineDeps } from './deps.ts';
import { nextAttemptAt } from './schedule.ts';
import type { Outcome } from './send.ts';
import { disableFailing, disableGone } from './work/disable-endpoints.ts';
import {
  type RecordedEvent,
  type ResultRow,
  resultRow,
  writeResults,
} from './work/write-results.ts';

/** One finished attempt, to be written down. */
export interface Result {
  readonly claimed: Claimed;
  readonly outcome: Outcome;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly svixHeaders: boolean;
  /** The endpoint wants to be disabled by a 410. */
  readonly disableOnGone: boolean;
}

export interface Recorder {
  add(result: Result): void;
  /** Results not yet committed. */
  size(): number;
  /** Finished deliveries since the start. */
  closed(): number;
}

export interface RecorderOptions {
  readonly deps: Pick<EngineDeps, 'db' | 'clock' | 'log' | 'operational'>;
  readonly disableAfterMs: number;
  /** After each commit, with the retries that it scheduled. */
  readonly committed: (retriesDue: readonly Date[]) => void;
}

interface Batch {
  readonly results: readonly Result[];
  readonly rows: readonly ResultRow[];
}

const batchSize = 256;
const retryMs = 250;

/**
 * Writes results in batches: while one is being committed the next gathers, so that a batch grows
 * with the load and a lone result waits for nobody. What the database refuses is kept and written
 * again; should the process die first, the attempt is made once more.
 */
export function createRecorder(options: RecorderOptions): Recorder {
  const { db, clock, log } = options.deps;
  const waiting: Result[] = [];
  let writing = 0;
  let closed = 0;

  function flush(): void {
    if (writing > 0 || waiting.length === 0) return;
    const results = takeBatch(waiting);
    writing = results.length;
    // Ids are made once: a batch written twice, after a commit without an answer, is one batch.
    const rows = results.map((result) => resultRow(result, verdictOf(result)));
    write({ results, rows });
  }

  function write(batch: Batch): void {
    writeBatch(db, options, batch).then(
      () => written(batch.rows),
      (error: unknown) => {
        log.error({ err: error, results: writing }, 'results could not be written yet');
        clock.after(retryMs, () => write(batch));
      },
    );
  }

  function written(rows: readonly ResultRow[]): void {
    writing = 0;
    closed += rows.filter(({ verdict }) => verdict !== 'retry').length;
    flush();
    options.committed(rows.flatMap(({ next_at }) => next_at ?? []));
  }

  return {
    add(result) {
      waiting.push(result);
      flush();
    },
    size: () => waiting.length + writing,
    closed: () => closed,
  };
}

/** At most one result of each delivery, so that one statement never meets a row twice. */
function takeBatch(waiting: Result[]): Result[] {
  const seen = new Set<string>();
  const later: Result[] = [];
  const batch: Result[] = [];
  for (const result of waiting.splice(0)) {
    const key = `${result.claimed.messageId} ${result.claimed.endpointId}`;
    if (batch.length === batchSize || seen.has(key)) later.push(result);
    else batch.push(result);
    seen.add(key);
  }
  waiting.push(...later);
  return batch;
}

async function writeBatch(db: Database, options: RecorderOptions, batch: Batch): Promise<void> {
  const cutoff = new Date(options.deps.clock.now().getTime() - options.disableAfterMs);
  const eventful = batch.rows.some(
    ({ verdict, trigger }) =>
      verdict === 'exhausted' || (verdict === 'delivered' && trigger !== 'schedule'),
  );
  const events = eventful
    ? await db.transaction(async (tx) => {
        const found = await writeResults(tx, batch.rows, cutoff);
        await tellOfMessages(tx, options, batch.results, found);
        return found;
      })
    : await writeResults(db, batch.rows, cutoff);
  await disable(db, options, batch.results, events, cutoff);
}

export interface Verdict {
  readonly verdict: 'delivered' | 'retry' | 'exhausted' | 'dropped';
  readonly nextAt: Date | null;
}

/** What an outcome means for the delivery; extra attempts never touch the schedule. */
function verdictOf({ claimed, outcome }: Result): Verdict {
  if (outcome.errorClass === null) return { verdict: 'delivered', nextAt: null };
  if (claimed.trigger !== 'schedule') return { verdict: 'dropped', nextAt: null };
  const nextAt = nextAttemptAt(claimed.step + 1, outcome.endedAt);
  return { verdict: nextAt ? 'retry' : 'exhausted', nextAt };
}

async function tellOfMessages(
  tx: Tx,
  options: RecorderOptions,
  results: readonly Result[],
  events: readonly RecordedEvent[],
): Promise<void> {
  const types = { exhausted: 'message.attempt_exhausted', recovered: 'message.recovered' } as const;
  for (const event of events) {
    if (event.kind === 'failing') continue;
    const { kind, message_id, endpoint_id } = event;
    const claimed = results.find(
      ({ claimed }) => claimed.messageId === message_id && claimed.endpointId === endpoint_id,
    )?.claimed;
    if (!claimed || claimed.operational) continue;
    await options.deps.operational(tx, {
      owner: claimed.owner,
      type: types[kind],
      endpointId: endpoint_id,
      data: { endpoint_id, message_id, event_type: claimed.type },
    });
  }
}

/** Apart from the results' own commit: the rows say again what is failing when this is lost. */
async function disable(
  db: Database,
  options: RecorderOptions,
  results: readonly Result[],
  events: readonly RecordedEvent[],
  cutoff: Date,
): Promise<void> {
  const failing = events.flatMap((event) => (event.kind === 'failing' ? [event.endpoint_id] : []));
  const gone = results
    .filter(({ outcome, disableOnGone }) => disableOnGone && outcome.status === 410)
    .map(({ claimed }) => claimed.endpointId);
  if (failing.length === 0 && gone.length === 0) return;
  const now = options.deps.clock.now();
  await db.transaction(async (tx) => {
    const disabled = [
      ...(await disableGone(tx, gone, now)),
      ...(await disableFailing(tx, failing, cutoff, now)),
    ];
    for (const { id, owner, reason } of disabled) {
      options.deps.log.warn({ endpoint_id: id, owner, reason }, 'endpoint disabled');
      const loud = results.some(({ claimed }) => claimed.endpointId === id && !claimed.operational);
      if (!loud) continue;
      const data = { endpoint_id: id, reason };
      await options.deps.operational(tx, {
        owner,
        type: 'endpoint.disabled',
        endpointId: id,
        data,
      });
    }
  });
}
