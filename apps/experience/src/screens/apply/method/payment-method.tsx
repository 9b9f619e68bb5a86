import type { ExperienceState, PaymentMethodOutput, PlanManagement } from '@svc/contract';
import type { ComponentChildren } from 'preact';
import { goToStep, useFlow } from '../../../flow/flow.ts';
import { addPaymentMethod, chosenQuote, openSetup } from '../../../flow/submit.ts';
import { CostLine } from '../../../parts/payments/cost-line.tsx';
import { Screen } from '../../../parts/screen.tsx';
import { SubmitButton } from '../../../parts/submit-button.tsx';
import { useWords } from '../../../words/use-words.ts';
import { lastDay } from '../plan-choice.tsx';
import { MethodFields, useMethod } from './method-fields.tsx';

/** Asks for the first payment method, or for another one before the agreement. */
export function PaymentMethod({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const { words, locale } = useWords();
  const { back, next } = flow.store.methodExit;
  const isChange = state.step === 'plan_choice';
  // The decision waits for the payment method. Regulation B requires this notice: 12 CFR 1002.9(c)(2).
  const isMissing = state.step === 'payment_method';
  return (
    <MethodForm
      state={state}
      currentMethod={isChange ? state.payment_method : null}
      onKeep={() => goToStep(flow, next)}
      {...(isMissing ? { lead: words.account.incomplete(lastDay(state, locale)) } : {})}
      {...(isChange ? { onBack: () => goToStep(flow, back) } : {})}
      cost={<CostLine quote={chosenQuote(flow)} />}
    />
  );
}

interface MethodFormProps {
  state: ExperienceState;
  /** Null if there is none to keep. */
  currentMethod: PaymentMethodOutput | null;
  refusal?: PlanManagement['method_refusal'];
  onKeep: () => void;
  onBack?: () => void;
  /** Replaces the usual lead. */
  lead?: string;
  cost: ComponentChildren;
  children?: ComponentChildren;
}

/** The form for a payment method. */
export function MethodForm(props: MethodFormProps) {
  const { state, currentMethod, refusal = null, onKeep, onBack, lead, cost, children } = props;
  const flow = useFlow();
  const { words } = useWords();
  const copy = words.account;
  const method = useMethod(state, { currentMethod, refusal });

  // A bank is picked by its button in the list, and an open page is reached by its link.
  const continuesElsewhere =
    method.picksBank || (method.page !== null && flow.store.setup.value?.state === 'open');

  function send(): void {
    if (continuesElsewhere) return;
    if (method.page !== null) {
      void openSetup(flow, { type: method.page });
      return;
    }
    if (!method.check()) return;
    const input = method.input();
    if (input === null) onKeep();
    else void addPaymentMethod(flow, input);
  }

  return (
    <Screen
      title={copy.title}
      lead={lead ?? copy.lead}
      {...(onBack === undefined ? {} : { onBack })}
      onSubmit={send}
      footer={
        <>
          {cost}
          {!continuesElsewhere && (
            <SubmitButton>
              {method.page === null ? copy.actions[method.method] : copy.page.continue}
            </SubmitButton>
          )}
        </>
      }
    >
      <MethodFields {...method} />
      {children}
    </Screen>
  );
}
