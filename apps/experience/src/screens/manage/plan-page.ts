import type { ExperienceState, PlanManagement } from '@svc/contract';

export type Plan = NonNullable<ExperienceState['plan']>;

/** Props of each page of a plan. */
export interface PlanPageProps {
  state: ExperienceState;
  plan: Plan;
  management: PlanManagement;
}

export interface PaperProps extends PlanPageProps {
  onBack: () => void;
}

export function isPayable({ installments }: PlanManagement, id: string): boolean {
  return installments.some((part) => part.id === id && part.may_pay);
}
