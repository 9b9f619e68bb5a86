import type { ExperienceState } from '@svc/contract';
import type { SvcEvent } from '@svc/contract/frame';

const submittedStates = ['submitted', 'in_review', 'approved', 'declined'];

/**
 * Returns the SDK events that follow from the difference between two states of a tenant, in order. They never
 * contain decline reasons.
 */
export function eventsBetween(before: ExperienceState, after: ExperienceState): SvcEvent[] {
  if (before.tenant.external_id !== after.tenant.external_id) return [];
  return [
    ...applicationEvents(before.application, after.application),
    ...paymentMethodEvents(before, after),
  ];
}

type Application = ExperienceState['application'];

function applicationEvents(old: Application, now: Application): SvcEvent[] {
  if (now === null) return [];
  const events: SvcEvent[] = [];
  const isNew = old?.id !== now.id;
  const became = (state: string) => now.state === state && (isNew || old?.state !== state);
  const wasSubmitted = !isNew && old !== null && submittedStates.includes(old.state);

  if (submittedStates.includes(now.state) && !wasSubmitted) {
    events.push({ type: 'APPLICATION_SUBMITTED', data: { application_id: now.id } });
  }
  if (became('approved')) events.push({ type: 'USER_APPROVED', data: {} });
  if (became('declined')) events.push({ type: 'USER_DECLINED', data: {} });
  return events;
}

function paymentMethodEvents(before: ExperienceState, after: ExperienceState): SvcEvent[] {
  const [old, now] = [before.management?.payment_method, after.management?.payment_method];
  if (old === undefined || now === undefined || after.plan === null) return [];
  if (old.id === now.id || before.plan?.id !== after.plan.id) return [];
  return [{ type: 'PLAN_UPDATED', data: { plan_id: after.plan.id, change: 'payment_method' } }];
}
