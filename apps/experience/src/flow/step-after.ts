import type { ExperienceState } from '@svc/contract';
import type { Step } from '@svc/contract/frame';

export interface Place {
  step: Step;
  state: ExperienceState;
}

/**
 * Which screen follows from the server's answer. The server knows fewer places than the tenant
 * sees: inside one of its steps the tenant's own place is kept, also over a renewed session.
 */
export function stepAfter(before: Place | null, next: ExperienceState): Step {
  if (before === null) return next.step;
  if (isNewDecision(before, next)) return 'decision';
  const isBegun = next.step === 'manage' && next.plan?.state !== 'created';
  if (before.step === 'consent' && before.state.plan === null && isBegun) {
    return 'done';
  }
  const sameTenant = before.state.tenant.external_id === next.tenant.external_id;
  return sameTenant && placesWithin[next.step].includes(before.step) ? before.step : next.step;
}

/** The place to return to after a reload, when it still belongs to the server's step. */
export function stepOnReturn(saved: Step, next: ExperienceState): Step {
  const isPlace = saved !== 'done' && placesWithin[next.step].includes(saved);
  return isPlace ? saved : next.step;
}

/** The screens that belong to each step of the server's. */
const placesWithin: Record<Step, readonly Step[]> = {
  offer: ['offer', 'application'],
  application: ['offer', 'application'],
  payment_method: ['payment_method'],
  decision: ['decision'],
  plan_choice: ['decision', 'payment_method', 'plan_choice', 'consent'],
  consent: ['decision', 'payment_method', 'plan_choice', 'consent'],
  done: ['done', 'manage'],
  declined: ['declined'],
  manage: ['done', 'manage'],
  blocked: ['blocked'],
};

/** An approval gets its own screen once, when the tenant can first choose a plan. */
function isNewDecision(before: Place, next: ExperienceState): boolean {
  const isOpen = (state: ExperienceState) => ['plan_choice', 'consent'].includes(state.step);
  return (
    isOpen(next) && !isOpen(before.state) && ['application', 'payment_method'].includes(before.step)
  );
}
