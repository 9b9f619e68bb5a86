import { isRoutingNumber } from '@svc/contract/routing-number';
import type { AccountDraft } from '../../../flow/drafts.ts';
import { useFlow } from '../../../flow/flow.ts';
import { digitsOf } from '../../../format/digits.ts';
import { Field, RequiredNote } from '../../../parts/field.tsx';
import { Option, RadioGroup } from '../../../parts/option.tsx';
import { useWords } from '../../../words/use-words.ts';

interface BankAccountProps {
  draft: AccountDraft;
  onChange: (part: Partial<AccountDraft>) => void;
}

/** The fields of a bank account. Its number has no check digit, so it is typed or pasted twice. */
export function BankAccountFields({ draft, onChange }: BankAccountProps) {
  const { fieldErrors } = useFlow().store;
  const { words } = useWords();
  const copy = words.account;

  /** Stores the routing number, and verifies its check digit as soon as all nine digits are there. */
  function typeRouting(routing: string): void {
    onChange({ routing });
    const { routing_number: shown, ...others } = fieldErrors.value;
    const digits = digitsOf(routing);
    if (digits.length >= 9 && !isRoutingNumber(digits)) {
      fieldErrors.value = { ...others, routing_number: (it) => it.account.routingError };
    } else if (shown !== undefined) fieldErrors.value = others;
  }

  return (
    <>
      <RequiredNote />
      <Field
        name="routing_number"
        label={copy.routing}
        hint={copy.routingHint}
        input={{ ...digits, value: draft.routing, enterKeyHint: 'next', maxLength: 11 }}
        onValue={typeRouting}
      />
      <Field
        name="account_number"
        label={copy.number}
        hint={copy.numberHint}
        input={{ ...digits, value: draft.number, enterKeyHint: 'next', maxLength: 21 }}
        onValue={(number) => onChange({ number })}
      />
      <Field
        name="account_number_again"
        label={copy.again}
        input={{ ...digits, value: draft.again, enterKeyHint: 'go', maxLength: 21 }}
        onValue={(again) => onChange({ again })}
      />
      <RadioGroup legend={copy.kind} layout="options--row">
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
      </RadioGroup>
    </>
  );
}

const digits = { inputMode: 'numeric', autoComplete: 'off' } as const;
