import type { CardDraft } from '../../../flow/drafts.ts';
import { groupExpiry, groupNumber } from '../../../format/digits.ts';
import { Field, RequiredNote } from '../../../parts/field.tsx';
import { useWords } from '../../../words/use-words.ts';

interface CardProps {
  draft: CardDraft;
  isSandbox: boolean;
  onChange: (part: Partial<CardDraft>) => void;
}

/** The fields of a card, which browsers can fill in. */
export function CardFields({ draft, isSandbox, onChange }: CardProps) {
  const copy = useWords().words.card;
  return (
    <>
      <RequiredNote />
      <Field
        name="number"
        label={copy.number}
        hint={isSandbox ? copy.testHint : copy.numberHint}
        input={{
          ...digits,
          value: draft.number,
          autoComplete: 'cc-number',
          enterKeyHint: 'next',
          maxLength: 19,
        }}
        group={groupNumber}
        onValue={(number) => onChange({ number })}
      />
      <div class="field-row">
        <Field
          name="expires"
          label={copy.expires}
          hint={copy.expiresHint}
          input={{
            ...digits,
            value: draft.expires,
            autoComplete: 'cc-exp',
            enterKeyHint: 'next',
            maxLength: 7,
          }}
          group={groupExpiry}
          onValue={(expires) => onChange({ expires })}
        />
        <Field
          name="cvc"
          label={copy.cvc}
          hint={copy.cvcHint}
          input={{
            ...digits,
            value: draft.cvc,
            autoComplete: 'cc-csc',
            enterKeyHint: 'go',
            maxLength: 3,
          }}
          onValue={(cvc) => onChange({ cvc })}
        />
      </div>
    </>
  );
}

const digits = { inputMode: 'numeric' } as const;
