import type { Database } from '@svc/db';
import type { Claimed } from './claim.ts';
import type { Clock } from './engine.ts';
import { type NewMessage, type PublisherLease, publish, publishLeased } from './publish.ts';

export interface PublisherOptions {
  readonly db: Database;
  readonly clock: Clock;
  /** null: others shall send it, or this process later. */
  readonly lease: () => PublisherLease | null;
  /** Something was committed: these are leased to this process, anything else is still to claim. */
  readonly send: (claimed: readonly Claimed[]) => void;
}

/** Resolves once the messages are committed. */
export type Publisher = (messages: readonly NewMessage[]) => Promise<void>;

interface Call {
  readonly messages: readonly NewMessage[];
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

const batchMessages = 500;

/**
 * For callers without a transaction of their own: concurrent calls share one statement and one
 * commit. While one is being committed the next gathers, so that a lone call waits for nobody.
 */
export function createPublisher({ db, clock, lease, send }: PublisherOptions): Publisher {
  const waiting: Call[] = [];
  let writing = false;

  async function flush(): Promise<void> {
    writing = true;
    for (let batch = takeBatch(waiting); batch.length > 0; batch = takeBatch(waiting)) {
      try {
        await write(batch.flatMap(({ messages }) => messages));
        for (const { done } of batch) done();
      } catch (error) {
        await separately(batch, error);
      }
    }
    writing = false;
  }

  async function write(messages: readonly NewMessage[]): Promise<void> {
    const now = clock.now();
    const terms = lease();
    if (terms) return send(await publishLeased(db, messages, now, terms));
    await db.transaction((tx) => publish(tx, messages, now));
    send([]);
  }

  /** One caller's bad message must not fail the others'. */
  async function separately(batch: readonly Call[], error: unknown): Promise<void> {
    const [only] = batch;
    if (batch.length === 1) return only?.failed(error);
    for (const call of batch) await write(call.messages).then(call.done, call.failed);
  }

  return (messages) =>
    new Promise((done, failed) => {
      waiting.push({ messages, done, failed });
      if (!writing) void flush();
    });
}

function takeBatch(waiting: Call[]): Call[] {
  let size = 0;
  let count = 0;
  for (const { messages } of waiting) {
    if (count > 0 && size + messages.length > batchMessages) break;
    size += messages.length;
    count += 1;
  }
  return waiting.splice(0, count);
}
