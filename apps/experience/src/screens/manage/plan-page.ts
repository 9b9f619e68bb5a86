import type { ExperienceState, PlanManagement } from '@svc/contract';

export type Plan = NonNullable<ExperienceState['plan']>;

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
