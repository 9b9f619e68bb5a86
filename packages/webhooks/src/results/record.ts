import type { Tx } from '@svc/db';
import type { Claimed, EndpointRef } from '../kernel/claimed.ts';
import type { EngineContext } from '../kernel/engine-deps.ts';
import { advanceLanes } from '../leases/lanes.ts';
import { lockLeases } from '../leases/leases.ts';
import type { Result } from '../messages/attempt-detail.ts';
import { disableFailing, disableGone } from './disable-endpoints.ts';
import { type FailureRow, failureRow, writeFailures } from './write-failures.ts';
import { createWriteQueue } from './write-queue.ts';
import {
  type DeliveryKey,
  type SuccessRow,
  successRow,
  writeSuccesses,
} from './write-successes.ts';

export interface Recorder {
  add(result: Result): void;
  /** The number of results that are not committed. */
  size(): number;
  /** Deliveries that ended since the start. */
  finished(): number;
}

interface RecorderOptions {
  /** Called after each commit, with the times of the retries that it scheduled. */
  readonly onCommitted: (recorded: readonly Claimed[], retries: readonly Date[]) => void;
  /** The next deliveries of lanes are due. */
  readonly onDue: () => void;
}

/** The part of a result that is written. Thousands may wait, so the rest is dropped. */
interface Entry<Row> {
  readonly claimed: Claimed;
  /** Made once, so that a batch which is written twice has the same attempt ids. */
  readonly row: Row;
}

interface FailureEntry extends Entry<FailureRow> {
  /** The receiver answered 410. */
  readonly gone: boolean;
}

/** Writes results in batches. Failures have their own queue, because they cost more to write. */
export function createRecorder(context: EngineContext, options: RecorderOptions): Recorder {
  const { clock, log, tuning } = context;
  const { gatherMs } = tuning;
  let finished = 0;

  const successes = createWriteQueue<Entry<SuccessRow>>({
    atOnce: 2,
    gatherMs,
    clock,
    log,
    async write(batch, again) {
      await recordSuccesses(context, batch, again);
      await advance(batch);
    },
    onWritten(batch) {
      finished += batch.length;
      options.onCommitted(claimedOf(batch), []);
    },
  });
  const failures = createWriteQueue<FailureEntry>({
    atOnce: 1,
    gatherMs,
    clock,
    log,
    async write(batch) {
      await recordFailures(context, batch);
      await advance(batch);
    },
    onWritten(batch) {
      const retries = batch.flatMap(({ row }) => row.next_at ?? []);
      finished += batch.length - retries.length;
      options.onCommitted(claimedOf(batch), retries);
    },
  });

  /**
   * Makes the next deliveries of the batch's lanes due. If this fails, the batch is written again, which
   * changes nothing that it has written already.
   */
  async function advance(batch: readonly Entry<unknown>[]): Promise<void> {
    const lanes = batch.flatMap(({ claimed: { owner, endpointId, lane } }) =>
      lane === null ? [] : { owner, endpointId, lane },
    );
    if ((await advanceLanes(context.db, lanes, clock.now())) > 0) options.onDue();
  }

  return {
    add(result) {
      const { claimed, outcome } = result;
      if (outcome.errorClass === null) successes.add({ claimed, row: successRow(result) });
      else {
        const gone = outcome.status === 410;
        failures.add({ claimed, row: failureRow(result, tuning.retrySchedule), gone });
      }
    },
    size: () => successes.size() + failures.size(),
    finished: () => finished,
  };
}

function claimedOf(batch: readonly Entry<unknown>[]): Claimed[] {
  return batch.map(({ claimed }) => claimed);
}

async function recordSuccesses(
  context: EngineContext,
  batch: readonly Entry<SuccessRow>[],
  again: boolean,
): Promise<void> {
  const { db } = context;
  const rows = batch.map(({ row }) => row);
  // Only an extra attempt can recover a delivery that was given up. Without one there is no event to
  // publish and no lease to lock, so the statement needs no transaction around it.
  if (rows.every(({ trigger }) => trigger === 'schedule')) {
    await writeSuccesses(db, rows, again);
    return;
  }
  await db.transaction(async (tx) => {
    await lockLeases(tx, claimedOf(batch));
    const recovered = await writeSuccesses(tx, rows, again);
    await publishOutcome(tx, context, batch, 'message.recovered', recovered);
  });
}

async function recordFailures(
  context: EngineContext,
  batch: readonly FailureEntry[],
): Promise<void> {
  const { db, clock, tuning } = context;
  const rows = batch.map(({ row }) => row);
  const cutoff = new Date(clock.now().getTime() - tuning.disableAfterMs);
  const gone = batch.filter((entry) => entry.gone).map(({ claimed }) => claimed);
  const underPublishLease = batch.some(({ claimed }) => claimed.lease !== null);
  const exhausting = rows.some(({ verdict }) => verdict === 'exhausted');
  if (!underPublishLease && gone.length === 0 && !exhausting) {
    // The usual retry: one statement without a transaction around it.
    const { failing } = await writeFailures(db, rows, cutoff);
    // In a separate commit: if the process dies here, the next failure reports the endpoint again.
    if (failing.length > 0) {
      await db.transaction((tx) =>
        disableInTransaction(tx, context, batch, { failing, gone, cutoff }),
      );
    }
    return;
  }
  await db.transaction(async (tx) => {
    await lockLeases(tx, claimedOf(batch));
    const { exhausted, failing } = await writeFailures(tx, rows, cutoff);
    await publishOutcome(tx, context, batch, 'message.attempt_exhausted', exhausted);
    await disableInTransaction(tx, context, batch, { failing, gone, cutoff });
  });
}

/** Publishes an operational event for each of these deliveries, except about operational messages. */
async function publishOutcome(
  tx: Tx,
  context: EngineContext,
  batch: readonly Entry<SuccessRow | FailureRow>[],
  type: 'message.recovered' | 'message.attempt_exhausted',
  deliveries: readonly DeliveryKey[],
): Promise<void> {
  for (const { owner, message_id, endpoint_id } of deliveries) {
    const entry = batch.find(
      ({ row }) =>
        row.owner === owner && row.message_id === message_id && row.endpoint_id === endpoint_id,
    );
    const claimed = entry?.claimed;
    if (!claimed || claimed.operational) continue;
    const data = { endpoint_id, message_id, event_type: claimed.type };
    await context.operational(tx, { owner, type, endpointId: endpoint_id, data });
  }
}

async function disableInTransaction(
  tx: Tx,
  context: EngineContext,
  batch: readonly Entry<FailureRow>[],
  found: { failing: readonly EndpointRef[]; gone: readonly EndpointRef[]; cutoff: Date },
): Promise<void> {
  const { clock, log } = context;
  const now = clock.now();
  const disabled = [
    ...(await disableGone(tx, found.gone, now)),
    ...(await disableFailing(tx, found.failing, found.cutoff, now)),
  ];
  for (const { id, owner, reason } of disabled) {
    log.warn({ endpoint_id: id, owner, reason }, 'endpoint disabled');
    // A delivery of an operational message raises no operational event itself.
    const isReported = batch.some(
      ({ claimed }) => claimed.owner === owner && claimed.endpointId === id && !claimed.operational,
    );
    if (!isReported) continue;
    const data = { endpoint_id: id, reason };
    await context.operational(tx, { owner, type: 'endpoint.disabled', endpointId: id, data });
  }
}
