import type { PlanChangeOutput } from '@svc/contract';

/** What a command about a plan has done, for the SDK's events. */
export type Changed = Omit<PlanChangeOutput, 'state'>;

export const unchanged: Changed = { change: null, repayment: null, failure: null };
