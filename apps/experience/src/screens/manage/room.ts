import type { ExperienceState, PlanManagement } from '@svc/contract';

export type Plan = NonNullable<ExperienceState['plan']>;

/** What each room of the plan's home gets. */
export interface RoomProps {
  state: ExperienceState;
  plan: Plan;
  management: PlanManagement;
}

export interface PaperProps extends RoomProps {
  onBack: () => void;
}

export function isPayable({ installments }: PlanManagement, id: string): boolean {
  return installments.some((part) => part.id === id && part.may_pay);
}
