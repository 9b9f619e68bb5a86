import type { Log } from '@svc/runtime';
import type { UnitOfWork } from '../context.ts';
import { newId } from '../ids.ts';
import type { TransactionContext } from './command.ts';
import { type Operator, recordByOperator } from './record-by-operator.ts';

/** The context of an operator's command in a unit of work. */
export function transactionContext(uow: UnitOfWork, by: Operator, log: Log): TransactionContext {
  const ctx = {
    ...uow,
    actor: { kind: 'system' },
    requestId: newId('req', uow.now),
    address: null,
  } as const;
  return {
    ...ctx,
    log,
    by: { user: by.user, reason: by.reason ?? '' },
    record: (partnerId, entry) => recordByOperator(ctx, { ...by, partnerId }, entry),
  };
}
