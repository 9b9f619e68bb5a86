import type { ExperienceState } from '@svc/contract';
import { eventsBetween } from './events-between.ts';
import { emit, type Flow } from './flow.ts';
import { stepAfter } from './step-after.ts';

/** Shows a state that the server returned, and emits the SDK events for what changed. */
export function applyState(flow: Flow, next: ExperienceState): void {
  const { store } = flow;
  const before = store.state.value;
  const events = before === null ? [] : eventsBetween(before, next);
  store.step.value = stepAfter(
    before === null ? null : { step: store.step.value, state: before },
    next,
  );
  store.state.value = next;
  for (const event of events) emit(flow, event);
}
