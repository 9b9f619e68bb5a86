import { toProcessing } from '../plans/collect.ts';
import { isInFlight, isOpen, type LivePart } from '../plans/live-plan.ts';
import { movePart } from '../plans/save-change.ts';
import type { TenantTime } from '../tenants/time.ts';

interface Credited {
  readonly parts: readonly LivePart[];
  readonly creditedInCents: number;
}

/** Credits an amount to open installments, last one first, so that the next due dates stay. Pure. */
export function creditParts(
  parts: readonly LivePart[],
  amountInCents: number,
  at: TenantTime,
): Credited {
  let left = amountInCents;
  const after = [...parts].reverse().map((part): LivePart => {
    // The amount of a payment that is on its way cannot change.
    if (!isOpen(part) || isInFlight(part) || left === 0) return part;
    const off = Math.min(left, part.amountInCents);
    left -= off;
    const creditedInCents = part.creditedInCents + off;
    if (off < part.amountInCents) {
      return { ...part, amountInCents: part.amountInCents - off, creditedInCents };
    }
    if (part.partPaidInCents === 0) {
      return movePart(part, ['canceled'], { nextAttemptMs: null, creditedInCents });
    }
    // The credit clears what a part payment had left, so the installment is paid.
    return movePart(part, [...toProcessing(part), 'paid'], {
      amountInCents: part.partPaidInCents,
      partPaidInCents: 0,
      creditedInCents,
      nextAttemptMs: null,
      paidMs: at.getTime(),
    });
  });
  return { parts: after.reverse(), creditedInCents: amountInCents - left };
}
