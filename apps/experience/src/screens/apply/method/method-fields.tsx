import type {
  ExperienceState,
  PaymentMethodInput,
  PaymentMethodOutput,
  PlanManagement,
} from '@svc/contract';
import type { AccountDraft } from '../../../flow/drafts.ts';
import { useFlow } from '../../../flow/flow.ts';
import { Option } from '../../../parts/option.tsx';
import { bankSays, methodName } from '../../../words/names.ts';
import { useWords } from '../../../words/use-words.ts';
import { BankAccountFields, firstChoice } from './bank-account.tsx';
import { CardFields } from './card.tsx';
import { readMethod } from './read-method.ts';

interface Current {
  /** The account or card in use, when there is one to keep. */
  kept: PaymentMethodOutput | null;
  /** Why the bank refused it last. */
  refusal: PlanManagement['method_refusal'];
}

type Method = Exclude<AccountDraft['method'], ''>;

/** The payment method as entered so far. */
export interface ChosenMethod extends Current {
  method: Method;
  /** The number of a test account, or `other` for one typed. */
  choice: string;
  isSandbox: boolean;
  change: (part: Partial<AccountDraft>) => void;
  /** The account or card as typed; null to keep the one in use. */
  typed: () => PaymentMethodInput | null;
}

export function useMethod({ environment }: ExperienceState, current: Current): ChosenMethod {
  const { store } = useFlow();
  const { kept, refusal } = current;
  const draft = store.drafts.value.account;
  // Nobody should pay from an account that is closed: another one is the first choice then.
  const isUsable = kept !== null && refusal?.is_final !== true;
  const method = draft.method || (isUsable ? 'keep' : 'bank_account');
  const isSandbox = environment === 'sandbox';
  const choice = draft.choice || firstChoice(isSandbox, kept);
  return {
    ...current,
    method,
    choice,
    isSandbox,
    change: (part) => {
      store.drafts.value = { ...store.drafts.value, account: { ...draft, ...part } };
    },
    typed: () => (method === 'keep' ? null : readMethod(method, { ...draft, choice })),
  };
}

/** As before, from a bank account, or with a card; each with its fields. */
export function MethodFields(props: ChosenMethod) {
  const { kept, refusal, method, choice, isSandbox, change } = props;
  const { store } = useFlow();
  const { words } = useWords();
  const copy = words.account;
  const draft = store.drafts.value.account;
  const option = (value: Method, title: string, note?: string) => (
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
  return (
    <>
      <fieldset class="options">
        <legend class="svc-field__label">{copy.legend}</legend>
        {kept !== null &&
          option(
            'keep',
            copy.keep(methodName(kept, words)),
            refusal === null ? undefined : copy.refused(bankSays(refusal.return_code, words)),
          )}
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
    </>
  );
}
