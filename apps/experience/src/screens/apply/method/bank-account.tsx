import type { PaymentMethodOutput } from '@svc/contract';
import { testBankAccounts } from '@svc/contract/test-accounts';
import type { AccountDraft } from '../../../flow/drafts.ts';
import { Field } from '../../../parts/field.tsx';
import { Option } from '../../../parts/option.tsx';
import { bankReason } from '../../../words/names.ts';
import { useWords } from '../../../words/use-words.ts';

interface BankAccountProps {
  draft: AccountDraft;
  /** The number of a sandbox test account, or `other` for one that is typed. */
  choice: string;
  isSandbox: boolean;
  onChange: (part: Partial<AccountDraft>) => void;
}

/** The fields of a bank account. In the sandbox, a test account can be chosen instead. */
export function BankAccountFields(props: BankAccountProps) {
  const { draft, choice, isSandbox, onChange } = props;
  const { words } = useWords();
  const copy = words.account;
  const options = [
    ...testBankAccounts.map(({ account_number, outcome, return_code }) => ({
      value: account_number,
      title: copy.testBank(account_number.slice(-4)),
      note: [copy.outcomes[outcome], return_code && bankReason(return_code, words)].join(' '),
    })),
    { value: 'other', title: copy.other, note: copy.otherNote },
  ];
  return (
    <>
      {isSandbox && (
        <fieldset class="options">
          <legend class="svc-field__label">{copy.testLegend}</legend>
          {options.map((option) => (
            <Option
              key={option.value}
              {...option}
              group="account"
              checked={choice === option.value}
              onChoose={() => onChange({ choice: option.value })}
            />
          ))}
        </fieldset>
      )}
      {choice === 'other' && <TypedAccount draft={draft} onChange={onChange} />}
    </>
  );
}

/** The initial choice: in the sandbox, a test account that is not in use. */
export function firstChoice(isSandbox: boolean, currentMethod: PaymentMethodOutput | null): string {
  const other = testBankAccounts.find(
    (it) => !it.account_number.endsWith(currentMethod?.last4 ?? '-'),
  );
  return isSandbox && other ? other.account_number : 'other';
}

function TypedAccount({ draft, onChange }: Pick<BankAccountProps, 'draft' | 'onChange'>) {
  const { words } = useWords();
  const copy = words.account;
  return (
    <>
      <Field
        name="routing_number"
        label={copy.routing}
        hint={copy.routingHint}
        input={{ value: draft.routing, inputMode: 'numeric', autoComplete: 'off', maxLength: 11 }}
        onValue={(routing) => onChange({ routing })}
      />
      <Field
        name="account_number"
        label={copy.number}
        hint={copy.numberHint}
        input={{ value: draft.number, inputMode: 'numeric', autoComplete: 'off', maxLength: 21 }}
        onValue={(number) => onChange({ number })}
      />
      <fieldset class="options options--row">
        <legend class="svc-field__label">{copy.kind}</legend>
        {(['checking', 'savings'] as const).map((type) => (
          <Option
            key={type}
            group="account_type"
            value={type}
            checked={draft.type === type}
            onChoose={() => onChange({ type })}
            title={copy[type]}
            tile
          />
        ))}
      </fieldset>
    </>
  );
}
