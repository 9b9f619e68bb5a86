import type { FromFrame, Step, SvcEvent } from '@svc/contract/frame';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ExperienceApi } from '../api/experience-api.ts';
import type { Panel, Store } from './store.ts';

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

/** Navigates inside the frame. Nothing is sent to the server. */
export function go({ store }: Flow, step: Step): void {
  store.notice.value = null;
  store.fieldErrors.value = {};
  store.panel.value = { kind: 'home' };
  store.step.value = step;
}

/** Opens a page of the plan, also from the receipt of the split. */
export function open(flow: Flow, panel: Panel): void {
  go(flow, 'manage');
  flow.store.panel.value = panel;
}

export function emit({ send }: Flow, event: SvcEvent): void {
  send({ svc: 1, type: 'event', event });
}

/** Asks the SDK to close: `completed` once a plan was made here. A page of our own leaves. */
export function close({ store, send }: Flow): void {
  if (store.page.isOwn) {
    leave(store);
    return;
  }
  const last_step = store.state.value === null ? null : store.step.value;
  const reason = store.planMade ? 'completed' : 'dismissed';
  send({ svc: 1, type: 'close', reason, last_step });
}

/** Goes to the portal's `return_url`, if it has one. */
function leave({ state, view }: Store): void {
  const portal = state.value?.tenant.return_url ?? null;
  if (portal !== null && /^https?:/.test(portal)) location.assign(portal);
  else view.value = { kind: 'trouble', trouble: { kind: 'left' } };
}
