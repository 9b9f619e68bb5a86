import type { Payment } from '../../format/payments.ts';
import type { Segment } from './split-bar.tsx';

/** Returns the segments of a plan's bar. A credit that leaves nothing to pay, and a new date, have their own shapes. */
export function segmentsOf(payments: readonly Payment[], nextId: string | null): Segment[] {
  return payments.map(({ id, state, amountInCents, originally }) => {
    if (state === 'canceled' && amountInCents === 0) return 'credited';
    if (state !== 'scheduled') return state;
    const isMoved = Boolean(originally?.dueDate);
    if (id === nextId) return isMoved ? 'next-moved' : 'next';
    return isMoved ? 'moved' : 'scheduled';
  });
}
