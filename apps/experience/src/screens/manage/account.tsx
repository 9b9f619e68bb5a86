import { open, useFlow } from '../../flow/flow.ts';
import { PlanCost } from '../../parts/payments/plan-cost.tsx';
import { PlanSchedule } from '../../parts/payments/plan-schedule.tsx';
import { AccountForm } from '../apply/payment-method.tsx';
import type { RoomProps } from './manage.tsx';

/** Another account for the payments that are left. */
export function Account({ state, plan, management }: RoomProps) {
  const flow = useFlow();
  const home = () => open(flow, { kind: 'home' });
  return (
    <AccountForm
      state={state}
      kept={management.payment_method.label}
      onKeep={home}
      onBack={home}
      cost={<PlanCost plan={plan} />}
    >
      <PlanSchedule plan={plan} today={state.today} />
    </AccountForm>
  );
}
