import type {
  ExperienceState,
  PaymentMethodInput,
  PaymentMethodOutput,
  PlanManagement,
} from '@svc/contract';
import type { AccountDraft } from '../../../flow/drafts.ts';
import { useFlow } from '../../../flow/flow.ts';
import { Option, RadioGroup } from '../../../parts/option.tsx';
import { bankReason, methodName } from '../../../words/names.ts';
import { useWords } from '../../../words/use-words.ts';
import { BankAccountFields } from './bank-account.tsx';
import { BankPicker } from './bank-picker.tsx';
import { CardFields } from './card.tsx';
import { PaymentPage } from './payment-page.tsx';
import { readMethod, typingErrors } from './read-method.ts';

interface MethodInUse {
  /** Null if there is none to keep. */
  currentMethod: PaymentMethodOutput | null;
  /** The bank's last refusal of it. */
  refusal: PlanManagement['method_refusal'];
}

type Method = Exclude<AccountDraft['method'], ''>;

/** The payment method as entered so far. */
export interface ChosenMethod extends MethodInUse {
  method: Method;
  isSandbox: boolean;
  takesCards: boolean;
  /** True if the tenant picks a bank, whose page returns an account. */
  picksBank: boolean;
  /** The kind of method to add on a page of the processor or bank; null if the tenant enters it here. */
  page: Exclude<Method, 'keep'> | null;
  change: (part: Partial<AccountDraft>) => void;
  /** Shows the errors in the typed values. Returns whether there are none. */
  check: () => boolean;
  /** Returns the account or card as entered. Null to keep the current one. */
  input: () => PaymentMethodInput | null;
}

export function useMethod(state: ExperienceState, current: MethodInUse): ChosenMethod {
  const { store } = useFlow();
  const draft = store.drafts.value.account;
  const usual = mayKeep(current) ? 'keep' : 'bank_account';
  // The draft can be older than the refusal.
  const method = draft.method === 'keep' ? usual : draft.method || usual;
  const isSandbox = state.environment === 'sandbox';
  const isBank = method === 'bank_account';
  const picksBank = isBank && state.account_entry === 'banks' && !draft.typesNumbers;
  return {
    ...current,
    method,
    isSandbox,
    takesCards: state.takes_cards,
    picksBank,
    page: method !== 'keep' && (picksBank || state.account_entry === 'page') ? method : null,
    change: (part) => {
      store.drafts.value = { ...store.drafts.value, account: { ...draft, ...part } };
    },
    check: () => {
      const errors = isBank ? typingErrors(draft) : {};
      store.fieldErrors.value = errors;
      return Object.keys(errors).length === 0;
    },
    input: () => (method === 'keep' ? null : readMethod(method, draft)),
  };
}

/** Returns whether the current method can be kept, unlike an account that the bank has refused for good. */
function mayKeep({ currentMethod, refusal }: MethodInUse): boolean {
  return currentMethod !== null && refusal?.is_final !== true;
}

/** A choice between the current method, a bank account and a card, with the fields of each. */
export function MethodFields(props: ChosenMethod) {
  const { page, picksBank, currentMethod, refusal, method, isSandbox, takesCards, change } = props;
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
      {currentMethod !== null && refusal !== null && !mayKeep(props) && (
        <div class="svc-notice svc-tone-warn">
          <p class="svc-notice__title">
            {words.manage.titles.refused(methodName(currentMethod, words))}
          </p>
          <p>{bankReason(refusal.return_code, words)}</p>
        </div>
      )}
      <RadioGroup legend={copy.legend}>
        {currentMethod !== null &&
          mayKeep(props) &&
          option(
            'keep',
            copy.keep(methodName(currentMethod, words)),
            refusal === null ? undefined : copy.refused(bankReason(refusal.return_code, words)),
          )}
        {option('bank_account', copy.bank, copy.bankNote)}
        {takesCards && option('card', copy.card, copy.cardNote)}
      </RadioGroup>
      {picksBank && <BankPicker onType={() => change({ typesNumbers: true })} />}
      {page !== null && !picksBank && <PaymentPage />}
      {method === 'bank_account' && page === null && (
        <>
          <BankAccountFields draft={draft} onChange={change} />
          {draft.typesNumbers && (
            <button
              type="button"
              class="svc-button svc-button--quiet"
              onClick={() => {
                store.fieldErrors.value = {};
                change({ typesNumbers: false });
              }}
            >
              {copy.banks.find}
            </button>
          )}
        </>
      )}
      {method === 'card' && page === null && (
        <CardFields
          draft={draft.card}
          isSandbox={isSandbox}
          onChange={(card) => change({ card: { ...draft.card, ...card } })}
        />
      )}
    </>
  );
}
