import type { ExperienceState } from '@svc/contract';
import { isAdult } from '@svc/contract/adult';
import type { Drafts } from '../../flow/drafts.ts';
import { goToStep, useFlow } from '../../flow/flow.ts';
import type { FieldErrors } from '../../flow/store.ts';
import { apply } from '../../flow/submit.ts';
import { isoDateOf } from '../../format/dates.ts';
import { parseMoney } from '../../format/money.ts';
import { Checkbox, describedBy, Field, FieldError, useFieldError } from '../../parts/field.tsx';
import { CostLine } from '../../parts/payments/cost-line.tsx';
import { SplitPreview } from '../../parts/payments/split-preview.tsx';
import { Screen } from '../../parts/screen.tsx';
import { payeeOf } from '../../words/names.ts';
import { useWords } from '../../words/use-words.ts';

export function Application({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const { store } = flow;
  const { words } = useWords();
  const copy = words.application;
  const drafts = store.drafts.value;
  const change = (part: Partial<Drafts>) => {
    store.drafts.value = { ...drafts, ...part };
  };

  function send(): void {
    const { birth, income, consent } = drafts;
    const dateOfBirth = isoDateOf(birth.year.trim(), birth.month.trim(), birth.day.trim());
    const monthlyIncomeInCents = parseMoney(income);
    const errors: FieldErrors = {};
    if (dateOfBirth === null) errors.date_of_birth = (it) => it.application.birthError;
    else if (dateOfBirth >= state.today) errors.date_of_birth = (it) => it.application.birthFuture;
    else if (!isAdult(dateOfBirth, state.today))
      errors.date_of_birth = (it) => it.application.birthTooYoung;
    if (monthlyIncomeInCents === null)
      errors.monthly_income_in_cents = (it) => it.application.incomeError;
    if (!consent) errors.consent = (it) => it.application.consentError;
    store.fieldErrors.value = errors;
    if (dateOfBirth === null || monthlyIncomeInCents === null) return;
    if (Object.keys(errors).length === 0) void apply(flow, { dateOfBirth, monthlyIncomeInCents });
  }

  return (
    <Screen
      title={copy.title}
      lead={copy.lead(state.tenant.first_name)}
      onBack={() => goToStep(flow, 'offer')}
      onSubmit={send}
      footer={
        <>
          <CostLine />
          <button type="submit" class="svc-button svc-button--block" aria-busy={store.busy.value}>
            {copy.action}
          </button>
        </>
      }
    >
      <BirthDate value={drafts.birth} onValue={(birth) => change({ birth })} />
      <Field
        name="monthly_income_in_cents"
        label={copy.income}
        hint={copy.incomeHint}
        prefix="$"
        input={{ value: drafts.income, inputMode: 'decimal', autoComplete: 'off', maxLength: 14 }}
        onValue={(income) => change({ income })}
      />
      <Checkbox
        name="consent"
        checked={drafts.consent}
        note={copy.privacy(payeeOf(state, words))}
        onValue={(consent) => change({ consent })}
      >
        {copy.consent(state.terms.lender_name)}
      </Checkbox>
      <SplitPreview state={state} />
    </Screen>
  );
}

type Birth = Drafts['birth'];

/** Three text fields, because a date picker would have to scroll back for decades. */
export function BirthDate({ value, onValue }: { value: Birth; onValue: (value: Birth) => void }) {
  const { words } = useWords();
  const copy = words.application;
  const error = useFieldError('date_of_birth');
  const parts = [
    { part: 'month', label: copy.month, size: 2, autoComplete: 'bday-month' },
    { part: 'day', label: copy.day, size: 2, autoComplete: 'bday-day' },
    { part: 'year', label: copy.year, size: 4, autoComplete: 'bday-year' },
  ] as const;
  return (
    <fieldset
      class="svc-field"
      aria-describedby={describedBy('date_of_birth', copy.birthHint, error)}
    >
      <legend class="svc-field__label">{copy.birth}</legend>
      <span class="svc-field__hint" id="date_of_birth-hint">
        {copy.birthHint}
      </span>
      <span class="birth-date">
        {parts.map(({ part, label, size, autoComplete }) => (
          <label key={part} class="birth-date__part" data-part={part}>
            <span>{label}</span>
            <input
              class="svc-field__input"
              value={value[part]}
              name={part}
              inputMode="numeric"
              autoComplete={autoComplete}
              maxLength={size}
              aria-invalid={error !== undefined}
              onInput={(event) => onValue({ ...value, [part]: event.currentTarget.value })}
            />
          </label>
        ))}
      </span>
      <FieldError name="date_of_birth" />
    </fieldset>
  );
}
