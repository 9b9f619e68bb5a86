import type { UnitOfWork } from '../context.ts';
import type { AuditEntry } from '../domain/audit/record.ts';
import { newId } from '../ids.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import type { StepsContext } from './command.ts';
import { recordByOperator } from './record-by-operator.ts';

interface Step<R> {
  readonly partnerId: string;
  readonly entry: AuditEntry;
  readonly result: R;
}

/** Runs a step of a command that opens its own transactions, together with the command's audit entry. */
export function recordSteps<R>(
  { commands, by }: StepsContext,
  run: (uow: UnitOfWork) => Promise<Step<R>>,
  limits?: { readonly timeoutMs: number },
): Promise<R> {
  // Read again, because earlier steps may have taken minutes.
  const now = commands.clock.now();
  const work = async (uow: UnitOfWork): Promise<R> => {
    const { partnerId, entry, result } = await run(uow);
    const ctx = { ...uow, requestId: newId('req', now), address: null };
    await recordByOperator(ctx, { ...by, partnerId }, entry);
    return result;
  };
  return runUnitOfWork(commands, now, work, limits);
}
