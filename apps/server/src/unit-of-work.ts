import type { Database, TransactionOptions } from '@svc/db';
import type { Service, UnitOfWork } from './context.ts';
import { flushOutbox } from './domain/events/outbox.ts';

interface Deps {
  readonly db: Database;
  readonly service: Service;
}

/**
 * Runs a command in one transaction. Its events and mails are written when `work` is done, before
 * the commit; after the commit, the engine sends what was published.
 */
export async function runUnitOfWork<T>(
  { db, service }: Deps,
  now: Date,
  work: (uow: UnitOfWork) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> {
  // A transaction that lost a conflict is run again; only the last run committed.
  let committed: UnitOfWork | undefined;
  const result = await db.transaction(async (tx) => {
    const uow: UnitOfWork = { tx, now, service, outbox: { messages: [], mails: [] } };
    const output = await work(uow);
    await flushOutbox(uow);
    committed = uow;
    return output;
  }, options);
  const { tx, outbox } = committed ?? {};
  if (tx && outbox && outbox.messages.length > 0) service.wake(tx, outbox.messages);
  return result;
}
