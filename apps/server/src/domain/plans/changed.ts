import type { PlanChangeOutput } from '@svc/contract';

/** The change that a command made to a plan, for the SDK's events. */
export type Changed = Omit<PlanChangeOutput, 'state'>;

export const nothingChanged: Changed = { change: null, repayment: null, failure: null };
