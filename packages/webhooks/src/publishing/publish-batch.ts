import type { Database } from '@svc/db';
import type { Claimed } from '../kernel/claimed.ts';
import type { Clock } from '../kernel/engine-deps.ts';
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
// A statement and its commit cost as much as twenty messages, so that few large ones go further; but
// while one waits for the disk a second one can work, if there is this much for each.
const writers = 2;
const worthwhile = 64;

/**
 * For callers without a transaction of their own: concurrent calls share one statement and one
 * commit. While one is being committed the next gathers, so that a lone call waits for nobody.
 */
export function createPublisher({ db, clock, lease, send }: PublisherOptions): Publisher {
  const waiting: Call[] = [];
  let gathered = 0;
  let writing = 0;
  let planned = false;

  /** After the callers at hand: those that just heard of a commit usually publish again. */
  function plan(): void {
    if (planned || !worthStarting()) return;
    planned = true;
    setImmediate(() => {
      planned = false;
      while (worthStarting()) void flush();
    });
  }

  function worthStarting(): boolean {
    if (writing === 0) return waiting.length > 0;
    return writing < writers && gathered >= worthwhile;
  }

  async function flush(): Promise<void> {
    const share = Math.max(worthwhile, Math.ceil(gathered / (writers - writing)));
    writing += 1;
    const batch = takeBatch(waiting, Math.min(share, batchMessages));
    const messages = batch.flatMap((call) => call.messages);
    gathered -= messages.length;
    try {
      await write(messages);
      for (const { done } of batch) done();
    } catch (error) {
      await separately(batch, error);
    }
    writing -= 1;
    plan();
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
      gathered += messages.length;
      plan();
    });
}

function takeBatch(waiting: Call[], most: number): Call[] {
  let size = 0;
  let count = 0;
  for (const { messages } of waiting) {
    if (count > 0 && size + messages.length > most) break;
    size += messages.length;
    count += 1;
  }
  return waiting.splice(0, count);
}
