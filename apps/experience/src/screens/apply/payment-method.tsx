import type { ExperienceState } from '@svc/contract';
import { testBankAccounts, testRoutingNumber } from '@svc/contract/test-accounts';
import type { ComponentChildren } from 'preact';
import type { BankAccount } from '../../api/experience-api.ts';
import type { Drafts } from '../../flow/drafts.ts';
import { go, useFlow } from '../../flow/flow.ts';
import type { FieldErrors } from '../../flow/store.ts';
import { addPaymentMethod } from '../../flow/submit.ts';
import { Field } from '../../parts/field.tsx';
import { Option } from '../../parts/option.tsx';
import { CostLine } from '../../parts/payments/cost-line.tsx';
import { Glance } from '../../parts/payments/glance.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useWords } from '../../words/use-words.ts';

type Account = Drafts['account'];

/** The account for a plan to come: the first one, or another before the plan is chosen. */
export function PaymentMethod({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const toChoice = () => go(flow, 'plan_choice');
  const isChange = state.step === 'plan_choice' && state.payment_method !== null;
  return (
    <AccountForm
      state={state}
      kept={isChange ? (state.payment_method?.label ?? '') : null}
      onKeep={toChoice}
      {...(isChange ? { onBack: toChoice } : {})}
      cost={<CostLine />}
    >
      <Glance state={state} />
    </AccountForm>
  );
}

interface AccountFormProps {
  state: ExperienceState;
  /** The label of the account in use, when there is one to keep. */
  kept: string | null;
  onKeep: () => void;
  onBack?: () => void;
  cost: ComponentChildren;
  children: ComponentChildren;
}

/** Which account to pay from: the one in use, one of the test bank's, or one typed. */
export function AccountForm({ state, kept, onKeep, onBack, cost, children }: AccountFormProps) {
  const flow = useFlow();
  const { store } = flow;
  const { words } = useWords();
  const copy = words.account;
  const accounts = (state.environment === 'sandbox' ? testBankAccounts : []).filter(
    ({ account_number }) => kept === null || !kept.endsWith(account_number.slice(-4)),
  );
  const another = accounts[0]?.account_number ?? 'other';
  const account = store.drafts.value.account;
  const choice = chosen(account.choice, kept === null ? another : 'keep', another);
  const change = (part: Partial<Account>) => {
    store.drafts.value = { ...store.drafts.value, account: { ...account, ...part } };
  };

  function send(): void {
    if (choice === 'keep') {
      onKeep();
      return;
    }
    if (choice !== 'other') {
      void addPaymentMethod(flow, {
        routingNumber: testRoutingNumber,
        accountNumber: choice,
        accountType: 'checking',
      });
      return;
    }
    const typed = readAccount(account);
    const errors: FieldErrors = {};
    if (!/^\d{9}$/.test(typed.routingNumber))
      errors.routing_number = (it) => it.account.routingError;
    if (!/^\d{4,17}$/.test(typed.accountNumber))
      errors.account_number = (it) => it.account.numberError;
    store.fieldErrors.value = errors;
    if (Object.keys(errors).length === 0) void addPaymentMethod(flow, typed);
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
            {copy.action}
          </button>
        </>
      }
    >
      {(kept !== null || accounts.length > 0) && (
        <Accounts
          kept={kept}
          accounts={accounts}
          choice={choice}
          onChoose={(value) => change({ choice: value })}
        />
      )}
      {choice === 'other' && <AccountFields account={account} onChange={change} />}
      {children}
    </Screen>
  );
}

interface AccountsProps {
  /** The label of the account in use, when there is one to keep. */
  kept: string | null;
  accounts: typeof testBankAccounts;
  choice: string;
  onChoose: (value: string) => void;
}

function Accounts({ kept, accounts, choice, onChoose }: AccountsProps) {
  const { words } = useWords();
  const copy = words.account;
  const options = [
    ...(kept === null ? [] : [{ value: 'keep', title: copy.keep(kept), note: copy.keepNote }]),
    ...accounts.map(({ account_number, outcome }) => ({
      value: account_number,
      title: copy.testBank(account_number.slice(-4)),
      note: copy.outcomes[account_number] ?? outcome,
    })),
    { value: 'other', title: copy.other, note: copy.otherNote },
  ];
  return (
    <fieldset class="options">
      <legend class="svc-field__label">
        {accounts.length > 0 ? copy.testLegend : copy.legend}
      </legend>
      {options.map((option) => (
        <Option
          key={option.value}
          {...option}
          group="account"
          checked={choice === option.value}
          onChoose={() => onChoose(option.value)}
        />
      ))}
    </fieldset>
  );
}

/** Before the first tap: the account in use, or after it failed another one. */
function chosen(draft: string, first: string, another: string): string {
  if (draft === 'another') return another;
  return draft === '' ? first : draft;
}

function AccountFields(props: { account: Account; onChange: (part: Partial<Account>) => void }) {
  const { account, onChange } = props;
  const { words } = useWords();
  const copy = words.account;
  return (
    <>
      <Field
        name="routing_number"
        label={copy.routing}
        hint={copy.routingHint}
        input={{ value: account.routing, inputMode: 'numeric', autoComplete: 'off', maxLength: 11 }}
        onValue={(routing) => onChange({ routing })}
      />
      <Field
        name="account_number"
        label={copy.number}
        hint={copy.numberHint}
        input={{ value: account.number, inputMode: 'numeric', autoComplete: 'off', maxLength: 21 }}
        onValue={(number) => onChange({ number })}
      />
      <fieldset class="options options--row">
        <legend class="svc-field__label">{copy.kind}</legend>
        {(['checking', 'savings'] as const).map((type) => (
          <Option
            key={type}
            group="account_type"
            value={type}
            checked={account.type === type}
            onChoose={() => onChange({ type })}
            title={copy[type]}
            tile
          />
        ))}
      </fieldset>
    </>
  );
}

/** As typed, without the spaces and dashes that people copy along. */
function readAccount(account: Account): BankAccount {
  const digits = (text: string) => text.replaceAll(/[\s-]/g, '');
  return {
    routingNumber: digits(account.routing),
    accountNumber: digits(account.number),
    accountType: account.type,
  };
}
