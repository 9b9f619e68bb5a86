import type { ComponentChildren } from 'preact';
import { cancelPlan, setAutopay } from '../../flow/change-plan.ts';
import { openPanel, useFlow } from '../../flow/flow.ts';
import { PlanSchedule } from '../../parts/payments/plan-schedule.tsx';
import { Screen } from '../../parts/screen.tsx';
import { StepsList } from '../../parts/steps-list.tsx';
import { methodName, productOfPlan } from '../../words/names.ts';
import { useWords } from '../../words/use-words.ts';
import type { PlanPageProps } from './plan-page.ts';

/** Turns autopay off or on, and explains the effect first. */
export function AutopaySwitch({ state, plan, management }: PlanPageProps) {
  const flow = useFlow();
  const { words } = useWords();
  const copy = words.autopay;
  const isOn = management.autopay;
  return (
    <ConfirmChange
      title={isOn ? copy.offTitle : copy.onTitle}
      lead={isOn ? copy.offLead : copy.onLead(methodName(management.payment_method, words))}
      keep={isOn ? copy.keep : copy.leave}
      action={isOn ? copy.offAction : copy.onAction}
      onAction={() => void setAutopay(flow, !isOn)}
    >
      <PlanSchedule plan={plan} management={management} today={state.today} />
    </ConfirmChange>
  );
}

/** Cancels a plan whose first payment has not succeeded yet, and explains the effect first. */
export function Cancel({ state, plan, management }: PlanPageProps) {
  const flow = useFlow();
  const { words } = useWords();
  const copy = words.cancel;
  return (
    <ConfirmChange
      title={copy.title}
      lead={copy.lead}
      keep={copy.keep}
      action={copy.action}
      isDanger
      onAction={() => void cancelPlan(flow)}
    >
      <StepsList
        title={copy.next}
        steps={copy.steps(productOfPlan({ plan, management }, words).yours)}
      />
      <PlanSchedule plan={plan} management={management} today={state.today} />
    </ConfirmChange>
  );
}

interface ConfirmChangeProps {
  title: string;
  lead: string;
  keep: string;
  action: string;
  isDanger?: boolean;
  onAction: () => void;
  children?: ComponentChildren;
}

/** Explains a change, with two buttons: to leave everything as it is, and to make it. */
export function ConfirmChange(props: ConfirmChangeProps) {
  const { title, lead, keep, action, isDanger = false, onAction, children } = props;
  const flow = useFlow();
  const goHome = () => openPanel(flow, { kind: 'home' });
  return (
    <Screen
      title={title}
      lead={lead}
      onBack={goHome}
      footer={
        <div class="actions">
          <button
            type="button"
            class="svc-button svc-button--secondary svc-button--block"
            onClick={goHome}
          >
            {keep}
          </button>
          <button
            type="button"
            class={`svc-button svc-button--block${isDanger ? ' svc-button--danger' : ''}`}
            aria-busy={flow.store.busy.value}
            onClick={onAction}
          >
            {action}
          </button>
        </div>
      }
    >
      {children}
    </Screen>
  );
}
