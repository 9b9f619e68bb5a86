import type { Database, TransactionOptions, Tx } from '@svc/db';
import { storeMessages } from '@svc/webhooks';
import { commitInTwoPhases } from './cluster.ts';
import type { OutgoingMessage, Service, UnitOfWork } from './context.ts';
import { insertMails } from './domain/mail/insert-mails.ts';
import { queueTexts } from './domain/texts/queue-texts.ts';
import { isQuietFork } from './fork-names.ts';

interface Deps {
  readonly db: Database;
  readonly service: Service;
}

interface UnitOptions extends TransactionOptions {
  /** True if the work writes nothing, so that its transaction may refuse writes. */
  readonly onlyReads?: boolean;
}

/**
 * Runs a command in one transaction. Its events and mails are written when `work` is done, before
 * the commit; after the commit, the engine sends what was published.
 */
export async function runUnitOfWork<T>(
  { db, service }: Deps,
  now: Date,
  work: (uow: UnitOfWork) => Promise<T>,
  options?: UnitOptions,
): Promise<T> {
  // A transaction that lost a conflict is run again; only the last run committed.
  let committed: { readonly tx: Tx; readonly published: readonly OutgoingMessage[] } | undefined;
  const result = await db.transaction(async (tx) => {
    const uow: UnitOfWork = { tx, now, service, outbox: { messages: [], mails: [] } };
    const output = await work(uow);
    committed = { tx, published: await flushOutbox(uow) };
    if (!options?.onlyReads) commitInTwoPhases(tx);
    return output;
  }, options);
  if (committed && committed.published.length > 0) service.wake(committed.tx, committed.published);
  return result;
}

/**
 * Writes what a command emitted, in its transaction: one statement each for the messages, the mails and
 * the text messages, or none if there are none. Returns the messages that were published; those about a copy of a
 * sandbox tenant are only stored.
 */
async function flushOutbox(uow: UnitOfWork): Promise<readonly OutgoingMessage[]> {
  const { tx, now, service, outbox } = uow;
  const { mails } = outbox;
  const isQuiet = ({ subject }: OutgoingMessage) =>
    service.environment === 'sandbox' && isQuietFork(subject);
  const messages = outbox.messages.filter((it) => !isQuiet(it));
  const quiet = outbox.messages.filter(isQuiet);
  if (mails.length > 0) insertMails(uow, mails);
  if (mails.length > 0 && service.texts) queueTexts(uow, mails);
  if (quiet.length > 0) await storeMessages(tx, quiet, now);
  if (messages.length > 0) await service.publish(tx, messages, now);
  return messages;
}
