import type { ExperienceState, PlanManagement } from '@svc/contract';
import { type Payment, paymentProgress, paymentsOfPlan } from '../../format/payments.ts';

export type Plan = NonNullable<ExperienceState['plan']>;
export type Installment = PlanManagement['installments'][number];

/** The props of every page of a plan. */
export interface PlanPageProps {
  state: ExperienceState;
  plan: Plan;
  management: PlanManagement;
}

export interface DocumentPageProps extends PlanPageProps {
  onBack: () => void;
}

export function isPayable({ installments }: PlanManagement, id: string): boolean {
  return installments.some((part) => part.id === id && part.may_pay);
}

/** Returns the first late payment, or else the next one, if it can still be paid or moved; null otherwise. */
export function paymentInQuestion({
  plan,
  management,
}: Omit<PlanPageProps, 'state'>): { payment: Payment; part: Installment } | null {
  const { open } = paymentProgress(paymentsOfPlan({ plan, management }));
  const payment = open.find(({ id }) => isPayable(management, id));
  const part = management.installments.find(({ id }) => id === payment?.id);
  return payment === undefined || part === undefined ? null : { payment, part };
}

export function canAskForHelp(props: Omit<PlanPageProps, 'state'>): boolean {
  return props.plan.state !== 'charged_off' && paymentInQuestion(props) !== null;
}
