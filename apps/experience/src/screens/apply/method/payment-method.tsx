import type { ExperienceState, PaymentMethodOutput } from '@svc/contract';
import type { ComponentChildren } from 'preact';
import type { AccountDraft } from '../../../flow/drafts.ts';
import { go, useFlow } from '../../../flow/flow.ts';
import { addPaymentMethod } from '../../../flow/submit.ts';
import { Option } from '../../../parts/option.tsx';
import { CostLine } from '../../../parts/payments/cost-line.tsx';
import { Glance } from '../../../parts/payments/glance.tsx';
import { Screen } from '../../../parts/screen.tsx';
import { methodName } from '../../../words/method-name.ts';
import { useWords } from '../../../words/use-words.ts';
import { BankAccountFields, firstChoice } from './bank-account.tsx';
import { CardFields } from './card.tsx';
import { readMethod } from './read-method.ts';

/** What to pay a plan to come from: the first one, or another before the plan is chosen. */
export function PaymentMethod({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const toChoice = () => go(flow, 'plan_choice');
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
  onKeep: () => void;
  onBack?: () => void;
  cost: ComponentChildren;
  children: ComponentChildren;
}

/** How to pay: as before, from a bank account, or with a card. */
export function MethodForm({ state, kept, onKeep, onBack, cost, children }: MethodFormProps) {
  const flow = useFlow();
  const { store } = flow;
  const { words } = useWords();
  const copy = words.account;
  const draft = store.drafts.value.account;
  const method = draft.method || (kept === null ? 'bank_account' : 'keep');
  const isSandbox = state.environment === 'sandbox';
  const choice = draft.choice || firstChoice(isSandbox, kept);
  const change = (part: Partial<AccountDraft>) => {
    store.drafts.value = { ...store.drafts.value, account: { ...draft, ...part } };
  };
  const option = (value: Exclude<AccountDraft['method'], ''>, title: string, note?: string) => (
    <Option
      group="method"
      value={value}
      title={title}
      {...(note === undefined ? {} : { note })}
      checked={method === value}
      onChoose={() => {
        store.fieldErrors.value = {};
        change({ method: value });
      }}
    />
  );

  function send(): void {
    if (method === 'keep') onKeep();
    else void addPaymentMethod(flow, readMethod(method, { ...draft, choice }));
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
          <button type="submit" class="svc-button svc-button--block" aria-busy={store.busy.value}>
            {copy.actions[method]}
          </button>
        </>
      }
    >
      <fieldset class="options">
        <legend class="svc-field__label">{copy.legend}</legend>
        {kept !== null && option('keep', copy.keep(methodName(kept, words)))}
        {option('bank_account', copy.bank, copy.bankNote)}
        {option('card', copy.card, copy.cardNote)}
      </fieldset>
      {method === 'bank_account' && (
        <BankAccountFields draft={draft} choice={choice} isSandbox={isSandbox} onChange={change} />
      )}
      {method === 'card' && (
        <CardFields
          draft={draft.card}
          isSandbox={isSandbox}
          onChange={(card) => change({ card: { ...draft.card, ...card } })}
        />
      )}
      {children}
    </Screen>
  );
}
