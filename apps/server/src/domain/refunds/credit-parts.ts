import { isInFlight, isOpen, type LivePart } from '../plans/live-plan.ts';
import { movePart } from '../plans/save-change.ts';

interface Credited {
  readonly parts: readonly LivePart[];
  readonly creditedInCents: number;
}

/** Credits an amount to open installments, last one first, so that the next due dates stay. Pure. */
export function creditParts(parts: readonly LivePart[], amountInCents: number): Credited {
  let left = amountInCents;
  const after = [...parts].reverse().map((part): LivePart => {
    // The amount of a payment that is on its way cannot change.
    if (!isOpen(part) || isInFlight(part) || left === 0) return part;
    const off = Math.min(left, part.amountInCents);
    left -= off;
    const creditedInCents = part.creditedInCents + off;
    return off === part.amountInCents
      ? movePart(part, ['canceled'], { nextAttemptMs: null, creditedInCents })
      : { ...part, amountInCents: part.amountInCents - off, creditedInCents };
  });
  return { parts: after.reverse(), creditedInCents: amountInCents - left };
}
