import type { FromFrame, Step, SvcEvent } from '@svc/contract/frame';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ExperienceApi } from '../api/experience-api.ts';
import type { Store } from './store.ts';

/** What every action needs; made once in main.tsx. */
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

/** A move inside the frame: nothing is sent to the server. */
export function go({ store }: Flow, step: Step): void {
  store.notice.value = null;
  store.fieldErrors.value = {};
  store.step.value = step;
}

export function emit({ send }: Flow, event: SvcEvent): void {
  send({ svc: 1, type: 'event', event });
}

/** Asks the SDK to close: `completed` once a plan was made here. */
export function close({ store, send }: Flow): void {
  const last_step = store.state.value === null ? null : store.step.value;
  const reason = store.planMade ? 'completed' : 'dismissed';
  send({ svc: 1, type: 'close', reason, last_step });
}
