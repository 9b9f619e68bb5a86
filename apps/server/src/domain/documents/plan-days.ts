import type { PlanManagement } from '@svc/contract';

/** The day at the home on which the agreement was accepted. In the evening, the day in UTC is a day later. */
export function signedOn({ history, agreement }: PlanManagement): string {
  const entry = history.find(({ kind }) => kind === 'accepted');
  return entry?.on ?? agreement.accepted_at.slice(0, 10);
}

/** The instant that a file has as its date. */
export function dayOf(day: string): Date {
  return new Date(`${day}T12:00:00Z`);
}
