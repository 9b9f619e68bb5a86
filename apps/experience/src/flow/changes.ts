import type { ExperienceState } from '@svc/contract';
import type { SvcEvent } from '@svc/contract/frame';

const submitted = ['submitted', 'in_review', 'approved', 'declined'];

/** The SDK events that lie between two states of one tenant, in order. Never the reasons. */
export function changesBetween(before: ExperienceState, after: ExperienceState): SvcEvent[] {
  const old = before.application;
  const now = after.application;
  if (now === null || before.tenant.external_id !== after.tenant.external_id) return [];
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
