import type { ExperienceState, PaymentMethodOutput, PlanManagement } from '@svc/contract';
import type { ComponentChildren } from 'preact';
import { goToStep, useFlow } from '../../../flow/flow.ts';
import { addPaymentMethod } from '../../../flow/submit.ts';
import { CostLine } from '../../../parts/payments/cost-line.tsx';
import { Glance } from '../../../parts/payments/glance.tsx';
import { Screen } from '../../../parts/screen.tsx';
import { useWords } from '../../../words/use-words.ts';
import { MethodFields, useMethod } from './method-fields.tsx';

/** What to pay a plan to come from: the first one, or another before the plan is chosen. */
export function PaymentMethod({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const toChoice = () => goToStep(flow, 'plan_choice');
  const isChange = state.step === 'plan_choice' && state.payment_method !== null;
  return (
    <MethodForm
      state={state}
      kept={isChange ? state.payment_method : null}
      onKeep={toChoice}
      {...(isChange ? { onBack: toChoice } : {})}
      cost={<CostLine />}
    >
      <Glance state={state} />
    </MethodForm>
  );
}

interface MethodFormProps {
  state: ExperienceState;
  /** The one in use, when there is one to keep. */
  kept: PaymentMethodOutput | null;
  refusal?: PlanManagement['method_refusal'];
  onKeep: () => void;
  onBack?: () => void;
  cost: ComponentChildren;
  children: ComponentChildren;
}

/** How to pay: as before, from a bank account, or with a card. */
export function MethodForm(props: MethodFormProps) {
  const { state, kept, refusal = null, onKeep, onBack, cost, children } = props;
  const flow = useFlow();
  const { words } = useWords();
  const copy = words.account;
  const method = useMethod(state, { kept, refusal });

  function send(): void {
    const typed = method.typed();
    if (typed === null) onKeep();
    else void addPaymentMethod(flow, typed);
  }

  return (
    <Screen
      title={copy.title}
      lead={copy.lead}
      {...(onBack === undefined ? {} : { onBack })}
      onSubmit={send}
      footer={
        <>
          {cost}
          <button
            type="submit"
            class="svc-button svc-button--block"
            aria-busy={flow.store.busy.value}
          >
            {copy.actions[method.method]}
          </button>
        </>
      }
    >
      <MethodFields {...method} />
      {children}
    </Screen>
  );
}
