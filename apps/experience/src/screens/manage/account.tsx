import { openPanel, useFlow } from '../../flow/flow.ts';
import { PlanSchedule } from '../../parts/payments/plan-schedule.tsx';
import { MethodForm } from '../apply/method/payment-method.tsx';
import type { PlanPageProps } from './plan-page.ts';

/** Changes the payment method for the remaining payments. */
export function Account({ state, plan, management }: PlanPageProps) {
  const flow = useFlow();
  const home = () => openPanel(flow, { kind: 'home' });
  return (
    <MethodForm
      state={state}
      currentMethod={management.payment_method}
      onKeep={home}
      onBack={home}
      refusal={management.method_refusal}
      cost={null}
    >
      <PlanSchedule plan={plan} management={management} today={state.today} />
    </MethodForm>
  );
}
