// The states of each object and the transitions between them, for the server's guards and for screens.
export const applicationTransitions = {
  started: ['submitted', 'withdrawn', 'expired'],
  submitted: ['in_review', 'approved', 'declined', 'expired', 'withdrawn'],
  in_review: ['approved', 'declined', 'expired', 'withdrawn'],
  approved: ['expired', 'withdrawn'],
  declined: ['withdrawn'],
  expired: [],
  withdrawn: [],
} as const;

/**
 * `active` and `past_due` become `canceled` only through the simulation's reset. `completed` becomes
 * `active` again when a bank reverses a payment.
 */
export const planTransitions = {
  created: ['active', 'canceled'],
  active: ['past_due', 'completed', 'canceled'],
  past_due: ['active', 'completed', 'charged_off', 'canceled'],
  completed: ['active'],
  canceled: [],
  charged_off: [],
} as const;

/** When the tenant pays only a part of an installment, `processing` returns to the state before it. */
export const installmentTransitions = {
  scheduled: ['processing', 'overdue', 'canceled'],
  processing: ['paid', 'scheduled', 'overdue', 'failed', 'canceled'],
  failed: ['scheduled', 'overdue', 'canceled'],
  overdue: ['scheduled', 'processing', 'canceled'],
  paid: ['failed'],
  canceled: [],
} as const;

/** `failed` and `returned` become `unsettled` again only through the operator's command. */
export const settlementTransitions = {
  unsettled: ['unverified', 'verified', 'failed'],
  unverified: ['verified', 'failed'],
  verified: ['returned'],
  failed: ['unsettled'],
  returned: ['unsettled'],
} as const;

/** The lines of `failed` and `returned` payouts are carried forward into the next payout. */
export const payoutTransitions = {
  pending: ['sent', 'paid', 'failed'],
  sent: ['paid', 'failed'],
  paid: ['returned'],
  failed: [],
  returned: [],
} as const;

export const planStates = statesOf(planTransitions);
export const installmentStates = statesOf(installmentTransitions);
export const settlementStatuses = statesOf(settlementTransitions);
export const payoutStatuses = statesOf(payoutTransitions);
export const applicationStates = statesOf(applicationTransitions);

export type ApplicationState = keyof typeof applicationTransitions;
export type PlanState = keyof typeof planTransitions;
export type InstallmentState = keyof typeof installmentTransitions;
export type PayoutStatus = keyof typeof payoutTransitions;
export type SettlementStatus = keyof typeof settlementTransitions;

type Machine = Readonly<Record<string, readonly string[]>>;

/** Returns whether the machine allows this transition. Staying in a state is not a transition. */
export function mayMove<M extends Machine>(machine: M, from: keyof M, to: keyof M): boolean {
  return machine[from]?.includes(to as string) ?? false;
}

function statesOf<M extends Machine>(machine: M): (keyof M & string)[] {
  return Object.keys(machine);
}
