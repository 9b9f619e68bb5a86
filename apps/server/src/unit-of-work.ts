import type { Database, TransactionOptions } from '@svc/db';
import type { Service, UnitOfWork } from './context.ts';
import { insertMails } from './domain/mail/insert-mails.ts';
import { queueTexts } from './domain/texts/queue-texts.ts';

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

/**
 * Writes what a command emitted, in its transaction: one statement each for the messages, the mails and
 * the text messages, or none if there are none.
 */
async function flushOutbox(uow: UnitOfWork): Promise<void> {
  const { tx, now, service, outbox } = uow;
  const { messages, mails } = outbox;
  if (mails.length > 0) insertMails(uow, mails);
  if (mails.length > 0 && service.texts) queueTexts(uow, mails);
  if (messages.length > 0) await service.publish(tx, messages, now);
}
