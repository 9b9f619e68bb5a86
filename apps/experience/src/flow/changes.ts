import type { ExperienceState } from '@svc/contract';
import type { SvcEvent } from '@svc/contract/frame';

const submitted = ['submitted', 'in_review', 'approved', 'declined'];

/** The SDK events that lie between two states of one tenant, in order. Never the reasons. */
export function changesBetween(before: ExperienceState, after: ExperienceState): SvcEvent[] {
  if (before.tenant.external_id !== after.tenant.external_id) return [];
  return [...ofApplication(before.application, after.application), ...ofAccount(before, after)];
}

type Application = ExperienceState['application'];

function ofApplication(old: Application, now: Application): SvcEvent[] {
  if (now === null) return [];
  const events: SvcEvent[] = [];
  const isAnother = old?.id !== now.id;
  const became = (state: string) => now.state === state && (isAnother || old?.state !== state);
  const wasSubmitted = !isAnother && old !== null && submitted.includes(old.state);

  if (submitted.includes(now.state) && !wasSubmitted) {
    events.push({ type: 'APPLICATION_SUBMITTED', data: { application_id: now.id } });
  }
  if (became('approved')) events.push({ type: 'USER_APPROVED', data: {} });
  if (became('declined')) events.push({ type: 'USER_DECLINED', data: {} });
  return events;
}

/** Events of one plan that follow from comparing its two states. */
function ofAccount(before: ExperienceState, after: ExperienceState): SvcEvent[] {
  const [old, now] = [before.management?.payment_method, after.management?.payment_method];
  if (old === undefined || now === undefined || after.plan === null) return [];
  if (old.id === now.id || before.plan?.id !== after.plan.id) return [];
  return [{ type: 'PLAN_UPDATED', data: { plan_id: after.plan.id, change: 'payment_method' } }];
}
