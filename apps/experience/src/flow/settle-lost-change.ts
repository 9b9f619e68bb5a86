import type { ExperienceState } from '@svc/contract';
import { emptyDrafts } from './drafts.ts';
import type { Store } from './store.ts';

/**
 * When the response to a change is lost, a fresh state shows whether the change was made. If it was, closes the
 * page: we told the tenant to press the button again, and it would now pay the next payment.
 */
export function settleLostChange(
  store: Store,
  before: ExperienceState,
  next: ExperienceState,
): void {
  if (!store.pendingKey?.wasLost || before.plan === null || before.plan.id !== next.plan?.id)
    return;
  const paidInCents = newlyPaid(before, next);
  if (paidInCents === 0 && planFingerprint(before) === planFingerprint(next)) return;
  store.pendingKey = null;
  const { pay, part, move } = emptyDrafts;
  store.drafts.value = { ...store.drafts.value, pay, part, move };
  store.panel.value = { kind: 'home' };
  const wasLate = (before.management?.amounts.late_in_cents ?? 0) > 0;
  const isProcessing = next.plan.installments.some(({ state }) => state === 'processing');
  if (paidInCents > 0) store.notice.value = { kind: 'paid', amountInCents: paidInCents, wasLate };
  else store.notice.value = isProcessing ? null : { kind: 'plan_changed' };
}

/** Returns the cents that were paid since `before`. The history's newest entries come first. */
function newlyPaid(before: ExperienceState, next: ExperienceState): number {
  const history = next.management?.history ?? [];
  const known = before.management?.history.length ?? 0;
  const repaid = next.reopened_plan === null ? (before.reopened_plan?.left_in_cents ?? 0) : 0;
  return history
    .slice(0, Math.max(0, history.length - known))
    .reduce((sum, it) => sum + (it.kind === 'paid' ? (it.amount_in_cents ?? 0) : 0), repaid);
}

function planFingerprint({ plan, management }: ExperienceState): string {
  return JSON.stringify([plan?.installments, management?.autopay, management?.payment_method]);
}
