import type { FromFrame, Step, SvcEvent } from '@svc/contract/frame';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ExperienceApi } from '../api/experience-api.ts';
import { type Drafts, emptyDrafts } from './drafts.ts';
import type { MethodExit, Panel, Store } from './store.ts';

/** The dependencies of every action. Created once, in start.tsx. */
export interface Flow {
  store: Store;
  api: ExperienceApi;
  send: (message: FromFrame) => void;
  newKey: () => string;
}

export const FlowContext = createContext<Flow | null>(null);

export function useFlow(): Flow {
  const flow = useContext(FlowContext);
  if (flow === null) throw new Error('useFlow needs a FlowContext above it');
  return flow;
}

/** Shows a step and clears its notices. Sends nothing to the server. */
export function goToStep({ store }: Flow, step: Step): void {
  store.notice.value = null;
  store.fieldErrors.value = {};
  store.panel.value = { kind: 'home' };
  store.step.value = step;
}

/** Opens a page on which the tenant changes the plan or pays, without earlier input. */
export function openPlanPage(
  flow: Flow,
  kind: 'pay' | 'move' | 'account' | 'autopay' | 'cancel',
  drafts: Partial<Drafts> = {},
): void {
  const { pay, part, move, account } = emptyDrafts;
  flow.store.drafts.value = { ...flow.store.drafts.value, pay, part, move, account, ...drafts };
  openPanel(flow, { kind });
}

/** Marks a request of the tenant as in flight, and clears the outcome of the previous one. */
export function startRequest({ store }: Flow): void {
  store.busy.value = true;
  store.notice.value = null;
  store.fieldErrors.value = {};
}

/** Asks for an account or card while a plan is chosen. */
export function openMethod(flow: Flow, exit: MethodExit): void {
  flow.store.methodExit = exit;
  goToStep(flow, 'payment_method');
}

/** Opens a page of the plan. */
export function openPanel(flow: Flow, panel: Panel): void {
  goToStep(flow, 'manage');
  flow.store.panel.value = panel;
}

/** Opens the whole agreement, before it is accepted. */
export function openAgreement({ store }: Flow): void {
  store.panel.value = { kind: 'document', document: { kind: 'agreement' } };
}

export function emit({ send }: Flow, event: SvcEvent): void {
  send({ svc: 1, type: 'event', event });
}

/**
 * Asks the SDK to close the frame, with the reason `completed` if a plan was made in it. Outside a
 * frame, leaves the page.
 */
export function closeExperience(flow: Flow): void {
  const { store, send } = flow;
  if (store.page.isStandalone) {
    void leaveExperience(flow);
    return;
  }
  const last_step = store.state.value === null ? null : store.step.value;
  const reason = store.planMade ? 'completed' : 'dismissed';
  send({ svc: 1, type: 'close', reason, last_step });
}

/**
 * Handles the browser's or the phone's back button: does what the screen's own back button does. A screen
 * without one closes the experience. While a request is in flight, nothing happens.
 */
export function goBack(flow: Flow): void {
  const { back, busy } = flow.store;
  if (busy.value) return;
  if (back === null) closeExperience(flow);
  else back();
}

/**
 * Goes to the portal's `return_url`; after a hosted link, the address contains the result. Without an
 * address, says that the page can be closed.
 */
async function leaveExperience({ store, api }: Flow): Promise<void> {
  const { state, view, step, busy } = store;
  if (busy.value) return;
  const portal = state.value?.tenant.return_url ?? null;
  if (store.isHosted && state.value !== null) {
    busy.value = true;
    const result = await api.leave(step.value);
    busy.value = false;
    // The service has checked the scheme. Without a response, the webhooks tell the portal everything.
    if (result.ok) {
      if (result.data.url === null) view.value = { kind: 'trouble', trouble: { kind: 'left' } };
      else location.assign(result.data.url);
      return;
    }
  }
  if (portal !== null && /^https?:/.test(portal)) location.assign(portal);
  else view.value = { kind: 'trouble', trouble: { kind: 'left' } };
}
