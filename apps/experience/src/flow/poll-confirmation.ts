import { applyState } from './apply-state.ts';
import type { Flow } from './flow.ts';

/**
 * Polls a payment that waits for the tenant's confirmation, and shows the tenant's state once the
 * payment has an outcome. Returns the page on which to confirm it; null if there is no answer, since
 * the caller polls again.
 */
export async function pollConfirmation(flow: Flow, paymentId: string): Promise<string | null> {
  const { store, api } = flow;
  const isCurrent = () =>
    !store.busy.value && store.state.value?.confirmation?.payment_id === paymentId;
  if (!isCurrent()) return null;
  const check = await api.checkPayment(paymentId);
  if (!check.ok) return null;
  if (check.data.state === 'waiting') return check.data.url;
  const state = await api.state();
  if (state.ok && isCurrent()) applyState(flow, state.data);
  return null;
}
