import type { ExperienceState, PlanManagement } from '@svc/contract';
import { daysUntil, type Payment, paymentProgress, paymentsOfPlan } from '../../format/payments.ts';
import type { Plan } from './plan-page.ts';

/** The situations of a plan that have their own sentence or primary action. */
export const situations = [
  'waiting',
  'confirmation',
  'on_track',
  'due_today',
  'processing',
  'paused',
  'pay_by_hand',
  'by_hand_later',
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

/** The action of the primary button on the plan's home page. Null if there is nothing to do. */
type PrimaryActionKind =
  | 'pay'
  | 'pay_another_way'
  | 'pay_earlier_plan'
  | 'change_account'
  | 'write'
  | null;

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
    // The notice has the link to the bank's page.
    case 'confirmation':
    case 'on_track':
    case 'due_today':
    case 'processing':
    case 'paused':
    case 'by_hand_later':
    case 'completed':
    case 'canceled':
    case 'settled':
      return null;
  }
}

interface PlanInState {
  state: ExperienceState;
  plan: Plan;
  management: PlanManagement;
}

export function situationOf(props: PlanInState): Situation {
  const situation = situationOfPlan(props);
  const { state, plan } = props;
  // The bank moves no money until the tenant has confirmed the payment on its page.
  const isUnconfirmed = state.confirmation !== null && plan.id === state.plan?.id;
  return isUnconfirmed && (situation === 'waiting' || situation === 'processing')
    ? 'confirmation'
    : situation;
}

function situationOfPlan({ state, plan, management }: PlanInState): Situation {
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
        : openSituation(plan, management, state.today);
  }
}

/** Without autopay, the button to pay appears this many days before the payment is due. */
const soonDays = 7;

/** Returns the most urgent situation, if several apply. */
function openSituation(plan: Plan, management: PlanManagement, today: string): Situation {
  const { late, next } = paymentProgress(paymentsOfPlan({ plan, management }));
  const isRefused = management.method_refusal?.is_final === true;
  if (late.length > 0) return lateSituation(late, management, isRefused);
  if (isRefused) return 'account_refused';
  if (management.card_ends_before !== null) return 'card_ends';
  if (next?.state === 'processing') return 'processing';
  const days = next === null ? 0 : daysUntil(next.dueDate, today);
  if (!management.autopay) return days <= soonDays ? 'pay_by_hand' : 'by_hand_later';
  if (management.collections_paused) return 'paused';
  return days <= 0 ? 'due_today' : 'on_track';
}

function lateSituation(
  late: readonly Payment[],
  { installments }: PlanManagement,
  isRefused: boolean,
): Situation {
  if (isRefused) return 'late_account_refused';
  const parts = installments.filter(({ id }) => late.some((it) => it.id === id));
  if (parts.some(({ failure }) => failure?.taken_back === true)) return 'taken_back';
  if (parts.every(({ failure }) => failure === null)) return 'unpaid';
  return parts.some((part) => part.next_attempt_on !== null) ? 'retrying' : 'failed';
}
