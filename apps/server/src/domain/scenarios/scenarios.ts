import type { PlanState, Scenario } from '@svc/contract';
import type { Situation, Stage } from './situation.ts';
import {
  accept,
  acceptWithFailure,
  addMethod,
  applyAndWait,
  applyForReview,
  approve,
  awaitFirstOutcome,
  awaitFirstPayment,
  chargeOff,
  decline,
  dispute,
  endLease,
  failNextInstallment,
  fallBehind,
  openWindow,
  payOff,
  refund,
  report,
  type Step,
  settle,
} from './steps.ts';

interface ScenarioPath {
  /** Steps that the tenant has already passed are skipped. */
  readonly steps: readonly Step[];
  /** Returns false if the tenant has already gone beyond the scenario. */
  isReached(now: Situation): boolean;
}

const arriveSteps = [report, openWindow];
const chooseSteps = [...arriveSteps, approve, addMethod];
const split = [...chooseSteps, accept, awaitFirstPayment];

/** The steps to each scenario, from any state before it. */
export const scenarioPaths: Readonly<Record<Scenario, ScenarioPath>> = {
  applied: { steps: [...arriveSteps, applyAndWait], isReached: isAt('applied') },
  in_review: { steps: [...arriveSteps, applyForReview], isReached: isAt('in_review') },
  approved: { steps: [...arriveSteps, approve], isReached: isAt('approved') },
  declined: { steps: [...arriveSteps, decline], isReached: isAt('declined') },
  first_payment_failed: {
    steps: [...chooseSteps, acceptWithFailure, awaitFirstOutcome],
    isReached: ({ failedPlanId }) => failedPlanId !== null,
  },
  split: {
    steps: split,
    isReached: ({ plan }) => plan?.state === 'active' && !plan.parts.some(isLate),
  },
  settled: {
    steps: [...split, settle],
    isReached: ({ settlement }) => settlement?.status === 'verified',
  },
  installment_failed: {
    steps: [...split, failNextInstallment],
    isReached: ({ plan }) => plan?.state === 'active' && plan.parts.some(isLate),
  },
  past_due: { steps: [...split, fallBehind], isReached: hasPlan('past_due') },
  paid_off: { steps: [...split, payOff], isReached: hasPlan('completed') },
  refunded: {
    steps: [...split, settle, refund],
    isReached: ({ settlement }) =>
      settlement !== null && settlement.refunded_in_cents >= settlement.amount_in_cents,
  },
  disputed: { steps: [...split, dispute], isReached: ({ isDisputed }) => isDisputed },
  charged_off: { steps: [...split, fallBehind, chargeOff], isReached: hasPlan('charged_off') },
  moved_out: {
    steps: [report, awaitFirstPayment, payOff, endLease],
    isReached: ({ hasMovedOut, plan }) => hasMovedOut && !isRunning(plan),
  },
};

function isAt(stage: Stage) {
  return (now: Situation) => now.stage === stage;
}

function hasPlan(state: PlanState) {
  return ({ plan }: Situation) => plan?.state === state;
}

function isRunning(plan: Situation['plan']): boolean {
  return plan?.state === 'created' || plan?.state === 'active' || plan?.state === 'past_due';
}

function isLate({ state }: { readonly state: string }): boolean {
  return state === 'failed' || state === 'overdue';
}
