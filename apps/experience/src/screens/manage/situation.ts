import type { ExperienceState, PlanManagement } from '@svc/contract';
import { paymentProgress, paymentsOfPlan } from '../../format/payments.ts';
import type { Plan } from './plan-page.ts';

/** The situations of a plan that have their own text or primary action. */
export const situations = [
  'waiting',
  'on_track',
  'pay_by_hand',
  'card_ends',
  'account_refused',
  'unpaid',
  'retrying',
  'failed',
  'taken_back',
  'late_account_refused',
  'earlier_plan',
  'completed',
  'canceled',
  'charged_off',
  'settled',
] as const;
export type Situation = (typeof situations)[number];

/** The action of the primary button on the plan's home page. */
export type PrimaryActionKind =
  | 'pay'
  | 'pay_another_way'
  | 'pay_earlier_plan'
  | 'change_account'
  | 'write'
  | 'leave';

export function primaryActionOf(situation: Situation): PrimaryActionKind {
  switch (situation) {
    case 'pay_by_hand':
    case 'unpaid':
    case 'retrying':
    case 'failed':
    case 'taken_back':
      return 'pay';
    case 'late_account_refused':
      return 'pay_another_way';
    case 'earlier_plan':
      return 'pay_earlier_plan';
    case 'card_ends':
    case 'account_refused':
      return 'change_account';
    // A plan that was charged off can't be paid here. The tenant writes to us.
    case 'charged_off':
      return 'write';
    case 'waiting':
    case 'on_track':
    case 'completed':
    case 'canceled':
    case 'settled':
      return 'leave';
  }
}

interface PlanInState {
  state: ExperienceState;
  plan: Plan;
  management: PlanManagement;
}

export function situationOf({ state, plan, management }: PlanInState): Situation {
  switch (plan.state) {
    case 'created':
      return 'waiting';
    case 'completed':
    case 'canceled':
      return plan.state;
    case 'charged_off':
      return management.amounts.left_in_cents > 0 ? 'charged_off' : 'settled';
    case 'active':
    case 'past_due':
      // The older debt comes first.
      return plan.id === state.plan?.id && state.reopened_plan !== null
        ? 'earlier_plan'
        : openSituation(plan, management);
  }
}

/** The most urgent situation, if several apply. */
function openSituation(plan: Plan, management: PlanManagement): Situation {
  const { late } = paymentProgress(paymentsOfPlan({ plan, management }));
  const isRefused = management.method_refusal?.is_final === true;
  if (late.length === 0) {
    if (isRefused) return 'account_refused';
    if (management.card_ends_before !== null) return 'card_ends';
    return management.autopay ? 'on_track' : 'pay_by_hand';
  }
  if (isRefused) return 'late_account_refused';
  const parts = management.installments.filter(({ id }) => late.some((it) => it.id === id));
  if (parts.some(({ failure }) => failure?.taken_back === true)) return 'taken_back';
  if (parts.every(({ failure }) => failure === null)) return 'unpaid';
  return parts.some((part) => part.next_attempt_on !== null) ? 'retrying' : 'failed';
}
