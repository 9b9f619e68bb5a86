import type { EligibilityState } from '@svc/contract';
import type { Tone } from '@svc/ui/console/parts/state-mark.tsx';
import type { Plan, Tenant } from '../api/tenants.ts';

interface Mark {
  readonly tone: Tone;
  readonly word: string;
}

/** The mark for each eligibility state. */
export const eligibilityMarks: Record<EligibilityState, Mark> = {
  can_apply: { tone: 'info', word: 'Can apply' },
  approved: { tone: 'info', word: 'Approved' },
  has_plan: { tone: 'good', word: 'Has a plan' },
  declined: { tone: 'warn', word: 'Declined' },
  blocked: { tone: 'warn', word: 'Blocked' },
  cycle_closed: { tone: 'neutral', word: 'Window closed' },
  nothing_due: { tone: 'neutral', word: 'No charges due' },
};

/** Returns a tenant's mark. The debt of a charged-off plan takes precedence over eligibility. */
export function tenantMark({
  eligibility,
  charged_off_plan_id,
}: Pick<Tenant, 'eligibility' | 'charged_off_plan_id'>): Mark {
  return charged_off_plan_id === null ? eligibilityMarks[eligibility.state] : planMarks.charged_off;
}

export const planMarks: Record<Plan['state'], Mark> = {
  created: { tone: 'info', word: 'Created' },
  active: { tone: 'good', word: 'Active' },
  past_due: { tone: 'bad', word: 'Past due' },
  completed: { tone: 'good', word: 'Paid' },
  canceled: { tone: 'neutral', word: 'Canceled' },
  charged_off: { tone: 'bad', word: 'Charged off' },
};

export const installmentMarks: Record<Plan['installments'][number]['state'], Mark> = {
  scheduled: { tone: 'neutral', word: 'Scheduled' },
  processing: { tone: 'info', word: 'Processing' },
  paid: { tone: 'good', word: 'Paid' },
  failed: { tone: 'bad', word: 'Failed' },
  overdue: { tone: 'bad', word: 'Overdue' },
  canceled: { tone: 'neutral', word: 'Canceled' },
};

/** Turns a code into words: "past_due_balance" is "past due balance". */
export function inWords(code: string): string {
  return code.replaceAll('_', ' ');
}
