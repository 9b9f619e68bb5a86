import type { UnitOfWork } from '../../context.ts';
import { insertMails } from './queue-mails.ts';

/**
 * Writes what a command emitted, in its transaction: one statement for the messages and one for the
 * mails, or none if there are none.
 */
export async function flushOutbox(uow: UnitOfWork): Promise<void> {
  const { tx, now, service, outbox } = uow;
  const { messages, mails } = outbox;
  await Promise.all([
    messages.length > 0 && service.publish(tx, messages, now),
    mails.length > 0 && insertMails(uow, mails),
  ]);
}
