import type { ExperienceState } from '@svc/contract';
import type { Step } from '@svc/contract/frame';

/** The step on the screen, and the state that it was rendered from. */
export interface Place {
  step: Step;
  state: ExperienceState;
}

/**
 * Returns the step to show after the server returned a state. The server knows fewer steps than the tenant
 * sees. While its step stays the same, the tenant stays on the current screen, even if the session
 * was renewed.
 */
export function stepAfter(before: Place | null, next: ExperienceState): Step {
  if (before === null) return next.step;
  const isStarted = next.step === 'manage' && next.plan?.state !== 'created';
  if (before.step === 'consent' && before.state.plan === null && isStarted) {
    return 'done';
  }
  // An account that the decision needed was added, and the application is approved.
  if (before.state.step === 'payment_method' && next.step === 'plan_choice') return next.step;
  const sameTenant = before.state.tenant.external_id === next.tenant.external_id;
  return sameTenant && stepsWithin[next.step].includes(before.step) ? before.step : next.step;
}

/** Returns the step to show after a reload: the saved one, if the server's step still allows it. */
export function stepOnReturn(saved: Step, next: ExperienceState): Step {
  const isAllowed = saved !== 'done' && stepsWithin[next.step].includes(saved);
  return isAllowed ? saved : next.step;
}

/** For each step of the server, the steps on which the tenant may still be. */
const stepsWithin: Record<Step, readonly Step[]> = {
  offer: ['offer', 'application'],
  application: ['offer', 'application'],
  payment_method: ['payment_method'],
  decision: ['decision'],
  plan_choice: ['plan_choice', 'payment_method', 'consent'],
  consent: ['plan_choice', 'payment_method', 'consent'],
  done: ['done', 'manage'],
  declined: ['declined'],
  manage: ['done', 'manage'],
  blocked: ['blocked'],
};
