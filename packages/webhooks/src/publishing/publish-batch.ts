import type { Database } from '@svc/db';
import type { Clock } from '@svc/runtime';
import type { Claimed } from '../kernel/claimed.ts';
import { type LeaseTerms, publish, publishLeased } from './publish.ts';
import type { NewMessage } from './store-messages.ts';

interface PublisherOptions {
  readonly db: Database;
  readonly clock: Clock;
  /** Null when this process cannot send what is published now; then it is left to be claimed. */
  readonly leaseTerms: () => LeaseTerms | null;
  /** Called after each commit with the deliveries leased to this process. There may be others to claim. */
  readonly send: (claimed: readonly Claimed[]) => void;
}

/** Resolves once the messages are committed. */
export type Publisher = (messages: readonly NewMessage[]) => Promise<void>;

interface Call {
  readonly messages: readonly NewMessage[];
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

const mostPerBatch = 500;
// A statement and its commit cost as much as twenty messages, so a few large batches are better than
// many small ones. But while one batch waits for the disk a second one can work, if each has this many.
const writers = 2;
const leastPerWriter = 64;

/**
 * Publishes for callers without their own transaction. Concurrent calls share one statement and
 * one commit: while one batch is being committed, the next one fills. A call that is alone is written
 * at once.
 */
export function createPublisher(options: PublisherOptions): Publisher {
  const { db, clock, leaseTerms, send } = options;
  const calls: Call[] = [];
  /** Messages in `calls`. */
  let waiting = 0;
  let writing = 0;
  let scheduled = false;

  /** Waits for the current callbacks: callers that have just heard of a commit often publish again. */
  function schedule(): void {
    if (scheduled || !isWorthStarting()) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      while (isWorthStarting()) void writeBatch();
    });
  }

  function isWorthStarting(): boolean {
    if (writing === 0) return calls.length > 0;
    return writing < writers && waiting >= leastPerWriter;
  }

  async function writeBatch(): Promise<void> {
    const share = Math.max(leastPerWriter, Math.ceil(waiting / (writers - writing)));
    writing += 1;
    const batch = takeBatch(calls, Math.min(share, mostPerBatch));
    const messages = batch.flatMap((call) => call.messages);
    waiting -= messages.length;
    try {
      await write(messages);
      for (const { done } of batch) done();
    } catch (error) {
      await writeSeparately(batch, error);
    }
    writing -= 1;
    schedule();
  }

  async function write(messages: readonly NewMessage[]): Promise<void> {
    const now = clock.now();
    const terms = leaseTerms();
    if (terms) return send(await publishLeased(db, messages, now, terms));
    await db.transaction((tx) => publish(tx, messages, now));
    send([]);
  }

  /** One caller's invalid message must not fail the calls of the others. */
  async function writeSeparately(batch: readonly Call[], error: unknown): Promise<void> {
    const [only] = batch;
    if (batch.length === 1) return only?.failed(error);
    for (const call of batch) await write(call.messages).then(call.done, call.failed);
  }

  return (messages) =>
    new Promise((done, failed) => {
      calls.push({ messages, done, failed });
      waiting += messages.length;
      schedule();
    });
}

/** Removes whole calls from the front, up to `most` messages, and always at least one call. */
function takeBatch(calls: Call[], most: number): Call[] {
  let size = 0;
  let count = 0;
  for (const { messages } of calls) {
    if (count > 0 && size + messages.length > most) break;
    size += messages.length;
    count += 1;
  }
  return calls.splice(0, count);
}
