import type { ExperienceState } from '@svc/contract';
import type { Step } from '@svc/contract/frame';

/** The step on the screen, and the state that it was rendered from. */
export interface Place {
  step: Step;
  state: ExperienceState;
}

/**
 * The step to show after the server returned a state. The server knows fewer steps than the tenant
 * sees. While its step stays the same, the tenant stays on the current screen, even if the session
 * was renewed.
 */
export function stepAfter(before: Place | null, next: ExperienceState): Step {
  if (before === null) return next.step;
  if (isNewDecision(before, next)) return 'decision';
  const isStarted = next.step === 'manage' && next.plan?.state !== 'created';
  if (before.step === 'consent' && before.state.plan === null && isStarted) {
    return 'done';
  }
  const sameTenant = before.state.tenant.external_id === next.tenant.external_id;
  return sameTenant && stepsWithin[next.step].includes(before.step) ? before.step : next.step;
}

/** The step to show after a reload: the saved one, if the server's step still allows it. */
export function stepOnReturn(saved: Step, next: ExperienceState): Step {
  const isAllowed = saved !== 'done' && stepsWithin[next.step].includes(saved);
  return isAllowed ? saved : next.step;
}

/** For each step of the server, the steps that the tenant may be on meanwhile. */
const stepsWithin: Record<Step, readonly Step[]> = {
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

/** Whether the tenant can choose a plan for the first time: the approval has its own screen. */
function isNewDecision(before: Place, next: ExperienceState): boolean {
  const canChoose = (state: ExperienceState) => ['plan_choice', 'consent'].includes(state.step);
  return (
    canChoose(next) &&
    !canChoose(before.state) &&
    ['application', 'payment_method'].includes(before.step)
  );
}
