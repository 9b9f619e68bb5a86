import type { PlayScenario } from '@svc/node';

export type Scenario = PlayScenario['scenario'];

/** The sandbox's scenarios in the order of a plan's life, in the chapters of the demo's guide. */
export const chapters = {
  before: ['applied', 'in_review', 'approved', 'declined'],
  plan: ['first_payment_failed', 'split', 'settled', 'paid_off'],
  trouble: ['installment_failed', 'past_due', 'refunded', 'disputed', 'charged_off', 'moved_out'],
} as const satisfies Record<string, readonly Scenario[]>;

export const scenarios: readonly Scenario[] = Object.values(chapters).flat();
