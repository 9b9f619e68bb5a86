import type { Tx } from '@svc/db';
import type { Claimed } from '../kernel/claimed.ts';
import type { EngineDeps } from '../kernel/engine-deps.ts';
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
  /** Results not yet committed. */
  size(): number;
  /** Deliveries that ended, since the start. */
  ended(): number;
}

export interface RecorderOptions {
  readonly deps: Pick<EngineDeps, 'db' | 'clock' | 'log' | 'operational' | 'tuning'>;
  readonly disableAfterMs: number;
  readonly gatherMs: number;
  /** After each commit, with the retries that it scheduled. */
  readonly committed: (retriesDue: readonly Date[]) => void;
  /** An attempt of theirs is stored. */
  readonly leave: (stored: readonly Claimed[]) => void;
}

/** Of a result only what is written: thousands may wait. */
interface Entry<Row> {
  readonly claimed: Claimed;
  /** Made once: a batch written twice, after a commit without an answer, is one batch. */
  readonly row: Row;
}

interface FailureEntry extends Entry<FailureRow> {
  /** It answered that it is gone for good. */
  readonly gone: boolean;
}

/** Writes results in batches, successes apart from failures, which cost more. */
export function createRecorder(options: RecorderOptions): Recorder {
  const { clock, log, tuning } = options.deps;
  const { gatherMs } = options;
  let ended = 0;

  const successes = createWriteQueue<Entry<SuccessRow>>({
    atOnce: 2,
    gatherMs,
    clock,
    log,
    write: (batch, again) => recordSuccesses(options, batch, again),
    written(batch) {
      ended += batch.length;
      leave(options, batch);
      options.committed([]);
    },
  });
  const failures = createWriteQueue<FailureEntry>({
    atOnce: 1,
    gatherMs,
    clock,
    log,
    write: (batch) => recordFailures(options, batch),
    written(batch) {
      const retries = batch.flatMap(({ row }) => row.next_at ?? []);
      ended += batch.length - retries.length;
      leave(options, batch);
      options.committed(retries);
    },
  });

  return {
    add(result) {
      const { claimed, outcome } = result;
      if (outcome.errorClass === null) successes.add({ claimed, row: successRow(result) });
      else {
        const gone = outcome.status === 410;
        failures.add({ claimed, row: failureRow(result, tuning?.retrySchedule), gone });
      }
    },
    size: () => successes.size() + failures.size(),
    ended: () => ended,
  };
}

function leave(options: RecorderOptions, batch: readonly Entry<unknown>[]): void {
  options.leave(claimedOf(batch));
}

function claimedOf(batch: readonly Entry<unknown>[]): Claimed[] {
  return batch.map(({ claimed }) => claimed);
}

async function recordSuccesses(
  options: RecorderOptions,
  batch: readonly Entry<SuccessRow>[],
  again: boolean,
): Promise<void> {
  const { db } = options.deps;
  const rows = batch.map(({ row }) => row);
  // Only an extra attempt can make up for a delivery that had been given up.
  if (rows.every(({ trigger }) => trigger === 'schedule')) await writeSuccesses(db, rows, again);
  else {
    await db.transaction(async (tx) => {
      await lockLeases(tx, claimedOf(batch));
      const recovered = await writeSuccesses(tx, rows, again);
      await tell(tx, options, batch, 'message.recovered', recovered);
    });
  }
}

async function recordFailures(
  options: RecorderOptions,
  batch: readonly FailureEntry[],
): Promise<void> {
  const { db, clock } = options.deps;
  const rows = batch.map(({ row }) => row);
  const cutoff = new Date(clock.now().getTime() - options.disableAfterMs);
  const gone = batch.filter((entry) => entry.gone).map(({ row }) => row.endpoint_id);
  const shared = batch.some(({ claimed }) => claimed.lease !== null);
  if (!shared && gone.length === 0 && rows.every(({ verdict }) => verdict !== 'exhausted')) {
    const { failing } = await writeFailures(db, rows, cutoff);
    // Apart from the results' commit: should this be lost, the next failure says it again.
    if (failing.length > 0) {
      await db.transaction((tx) => disable(tx, options, batch, { failing, gone, cutoff }));
    }
    return;
  }
  await db.transaction(async (tx) => {
    await lockLeases(tx, claimedOf(batch));
    const { exhausted, failing } = await writeFailures(tx, rows, cutoff);
    await tell(tx, options, batch, 'message.attempt_exhausted', exhausted);
    await disable(tx, options, batch, { failing, gone, cutoff });
  });
}

async function tell(
  tx: Tx,
  options: RecorderOptions,
  batch: readonly Entry<SuccessRow | FailureRow>[],
  type: 'message.recovered' | 'message.attempt_exhausted',
  deliveries: readonly DeliveryKey[],
): Promise<void> {
  for (const { message_id, endpoint_id } of deliveries) {
    const entry = batch.find(
      ({ row }) => row.message_id === message_id && row.endpoint_id === endpoint_id,
    );
    const claimed = entry?.claimed;
    if (!claimed || claimed.operational) continue;
    const data = { endpoint_id, message_id, event_type: claimed.type };
    await options.deps.operational(tx, {
      owner: claimed.owner,
      type,
      endpointId: endpoint_id,
      data,
    });
  }
}

async function disable(
  tx: Tx,
  options: RecorderOptions,
  batch: readonly Entry<FailureRow>[],
  found: { failing: readonly string[]; gone: readonly string[]; cutoff: Date },
): Promise<void> {
  const { clock, log, operational } = options.deps;
  const now = clock.now();
  const disabled = [
    ...(await disableGone(tx, found.gone, now)),
    ...(await disableFailing(tx, found.failing, found.cutoff, now)),
  ];
  for (const { id, owner, reason } of disabled) {
    log.warn({ endpoint_id: id, owner, reason }, 'endpoint disabled');
    const loud = batch.some(({ claimed, row }) => row.endpoint_id === id && !claimed.operational);
    if (!loud) continue;
    const data = { endpoint_id: id, reason };
    await operational(tx, { owner, type: 'endpoint.disabled', endpointId: id, data });
  }
}
