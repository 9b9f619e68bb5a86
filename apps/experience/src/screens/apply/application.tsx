import type { ExperienceState } from '@svc/contract';
import { isAdult } from '@svc/contract/adult';
import { parseMoney } from '@svc/contract/money';
import { isTaxpayerNumber } from '@svc/contract/taxpayer-number';
import { useEffect, useState } from 'preact/hooks';
import type { Drafts } from '../../flow/drafts.ts';
import { loadRecords } from '../../flow/electronic-records.ts';
import { goToStep, useFlow } from '../../flow/flow.ts';
import type { FieldErrors, Store } from '../../flow/store.ts';
import { submitApplication } from '../../flow/submit.ts';
import { groupDay } from '../../format/digits.ts';
import { formatMoney } from '../../format/money.ts';
import { parseDate } from '../../format/parse-date.ts';
import { Disclosure } from '../../parts/disclosure.tsx';
import { Checkbox, Field, FieldError, RequiredNote, unclearAmount } from '../../parts/field.tsx';
import { Option, RadioGroup } from '../../parts/option.tsx';
import { CostLine } from '../../parts/payments/cost-line.tsx';
import { SplitPreview } from '../../parts/payments/split-preview.tsx';
import { Screen } from '../../parts/screen.tsx';
import { SubmitButton } from '../../parts/submit-button.tsx';
import { payeeOf, textIn } from '../../words/names.ts';
import { useWords } from '../../words/use-words.ts';

/** The application form. Returning tenants confirm their earlier answers instead of typing them. */
export function Application({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const { store } = flow;
  const { words, locale } = useWords();
  const copy = words.application;
  const drafts = store.drafts.value;
  const known = state.known_applicant;
  const asked = state.asks_electronic_records ? store.records.value : null;
  // The number is never saved as a draft.
  const [ssn, setSsn] = useState('');
  const change = (part: Partial<Drafts>) => {
    store.drafts.value = { ...store.drafts.value, ...part };
  };

  function send(): void {
    const { errors, application } = readApplication({ ...drafts, ssn }, state, {
      records: recordsIn(asked, drafts, locale),
      locale,
    });
    store.fieldErrors.value = errors;
    if (application !== null) void submitApplication(flow, application);
  }

  return (
    <Screen
      title={
        known !== null
          ? copy.titleAgain
          : state.asks_ssn_digits === null
            ? copy.title
            : copy.titleThree
      }
      lead={(known === null ? copy.lead : copy.leadAgain)(state.tenant.first_name)}
      onBack={() => goToStep(flow, 'offer')}
      onSubmit={send}
      footer={
        <>
          <CostLine />
          <SubmitButton>{copy.action}</SubmitButton>
        </>
      }
    >
      <RequiredNote hasOptional={asked !== null && asked.kind !== 'failed'} />
      {known !== null && !drafts.replacesBirth ? (
        <KnownBirthDate year={known.birth_year} onChange={() => change({ replacesBirth: true })} />
      ) : (
        <BirthDate value={drafts.birth} onValue={(birth) => change({ birth })} />
      )}
      <Income state={state} drafts={drafts} onChange={change} />
      {state.asks_ssn_digits !== null && (
        <SocialSecurity state={state} digits={state.asks_ssn_digits} value={ssn} onValue={setSsn} />
      )}
      <Checkbox
        name="consent"
        checked={drafts.consent}
        required
        note={copy.privacy(payeeOf(state, words))}
        onValue={(consent) => change({ consent })}
      >
        {copy.consent(state.terms.lender_name)}
      </Checkbox>
      {asked !== null && <RecordsConsent state={state} drafts={drafts} onChange={change} />}
      <PrivacyLink state={state} />
      <SplitPreview state={state} />
    </Screen>
  );
}

/** The lender's privacy notice (GLBA) and notice at collection (CCPA), where tenants are first asked for data. */
function PrivacyLink({ state: { terms } }: { state: ExperienceState }) {
  const { words, locale } = useWords();
  if (terms.privacy_url === null) return null;
  return (
    <p>
      <a
        class="svc-link"
        href={terms.privacy_url.replaceAll('{locale}', locale.slice(0, 2))}
        target="_blank"
        rel="noopener noreferrer"
      >
        {words.application.privacyNotice(terms.lender_name)}
      </a>
    </p>
  );
}

/** Returns the application as entered, or the errors of its fields. */
function readApplication(
  drafts: Drafts & { ssn: string },
  { known_applicant: known, today, asks_ssn_digits: ssnDigits }: ExperienceState,
  { records, locale }: { records: ReturnType<typeof recordsIn>; locale: string },
) {
  const errors: FieldErrors = {};
  const keepsBirth = known !== null && !drafts.replacesBirth;
  const dateOfBirth = keepsBirth ? null : parseDate(drafts.birth);
  if (!keepsBirth) {
    if (dateOfBirth === null) errors.date_of_birth = (it) => it.application.birthError;
    else if (dateOfBirth >= today) errors.date_of_birth = (it) => it.application.birthFuture;
    else if (!isAdult(dateOfBirth, today))
      errors.date_of_birth = (it) => it.application.birthTooYoung;
  }
  const knownIncome = known?.monthly_income_in_cents ?? null;
  const asksIfSame = knownIncome !== null;
  const typed = parseMoney(drafts.income);
  const typedInCents = typed.kind === 'amount' ? typed.cents : null;
  const monthlyIncomeInCents =
    asksIfSame && drafts.incomeIs === 'same' ? knownIncome : typedInCents;
  if (asksIfSame && drafts.incomeIs === '') {
    errors.income_is = (it) => it.application.incomeSameError;
  } else if (monthlyIncomeInCents === null) {
    errors.monthly_income_in_cents =
      typed.kind === 'unclear' ? unclearAmount(typed, locale) : (it) => it.application.incomeError;
  }
  const ssn = ssnDigits === null ? null : drafts.ssn.replaceAll(/\D/g, '');
  if (ssnDigits !== null && ssn?.length !== ssnDigits) {
    errors.ssn = (it) => it.application.ssnError(ssnDigits);
  } else if (ssn?.length === 9 && !isTaxpayerNumber(ssn)) {
    errors.ssn = (it) => it.application.ssnUnknown;
  }
  if (!drafts.consent) errors.consent = (it) => it.application.consentError;
  const recordsSha256 = records?.agreed === false ? null : records?.consent.sha256;
  const isComplete = Object.keys(errors).length === 0 && monthlyIncomeInCents !== null;
  return {
    errors,
    application: isComplete ? { dateOfBirth, monthlyIncomeInCents, ssn, recordsSha256 } : null,
  };
}

/** The consent to electronic records and whether the tenant agrees to it; null if it is not asked, or not loaded. */
function recordsIn(asked: Store['records']['value'] | null, drafts: Drafts, locale: string) {
  const texts = asked?.kind === 'ready' ? asked.texts : [];
  const [first] = texts;
  const consent = textIn(texts, locale);
  if (first === undefined || consent === undefined) return null;
  return { consent, first: first.sha256, agreed: drafts.records === first.sha256 };
}

/** Asks for the optional consent to notices by email. The whole text is folded above its sentence. */
function RecordsConsent({ state, drafts, onChange }: PartProps) {
  const flow = useFlow();
  const { words, locale } = useWords();
  const asked = flow.store.records.value;
  const isUnread = asked.kind === 'none';
  useEffect(() => {
    if (isUnread) void loadRecords(flow);
  }, [flow, isUnread]);
  const records = recordsIn(asked, drafts, locale);
  if (asked.kind === 'failed') return null;
  if (records === null) return <RecordsSkeleton state={state} />;
  const [sentence, ...paragraphs] = records.consent.text.split('\n\n');
  return (
    <>
      <Disclosure title={words.records.about}>
        {paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </Disclosure>
      <Checkbox
        name="electronic_records"
        checked={records.agreed}
        note={words.records.optional}
        onValue={(agreed) => onChange({ records: agreed ? records.first : '' })}
      >
        {sentence}
      </Checkbox>
    </>
  );
}

/** Reserves the consent's space while it loads, by laying out texts of the same length invisibly. */
function RecordsSkeleton({ state }: { state: ExperienceState }) {
  const { words } = useWords();
  return (
    <>
      <div class="fold" aria-hidden="true">
        <p class="fold__title">
          <span class="svc-skeleton">{words.records.about}</span>
        </p>
      </div>
      <div class="svc-field" aria-busy="true">
        <p class="checkbox" aria-hidden="true">
          <span class="checkbox__box" />
          <span>
            <span class="svc-skeleton">{words.records.sentence(state.terms.lender_name)}</span>
            <span class="checkbox__note">
              <span class="svc-skeleton">{words.records.optional}</span>
            </span>
          </span>
        </p>
      </div>
    </>
  );
}

interface PartProps {
  state: ExperienceState;
  drafts: Drafts;
  onChange: (part: Partial<Drafts>) => void;
}

/** Asks for the income, or whether the last application's income is still correct. */
function Income({ state, drafts, onChange }: PartProps) {
  const { fieldErrors } = useFlow().store;
  const { words, locale } = useWords();
  const copy = words.application;
  const known = state.known_applicant?.monthly_income_in_cents ?? null;
  const answer = (incomeIs: 'same' | 'new') => {
    fieldErrors.value = {};
    onChange({ incomeIs });
  };
  return (
    <>
      {known !== null && (
        <RadioGroup
          layout="options--row"
          legend={copy.incomeSame(formatMoney(known, locale).replace(/\.00$/, ''))}
        >
          <Option
            group="income_is"
            value="same"
            title={copy.yes}
            checked={drafts.incomeIs === 'same'}
            onChoose={() => answer('same')}
            tile
          />
          <Option
            group="income_is"
            value="new"
            title={copy.no}
            checked={drafts.incomeIs === 'new'}
            onChoose={() => answer('new')}
            tile
          />
          <FieldError name="income_is" />
        </RadioGroup>
      )}
      {(known === null || drafts.incomeIs === 'new') && (
        <Field
          name="monthly_income_in_cents"
          label={copy.income}
          hint={copy.incomeHint}
          prefix="$"
          input={{
            value: drafts.income,
            inputMode: 'decimal',
            enterKeyHint: 'go',
            autoComplete: 'off',
            maxLength: 30,
          }}
          onValue={(income) => onChange({ income })}
        />
      )}
    </>
  );
}

interface SocialSecurityProps {
  state: ExperienceState;
  digits: 4 | 9;
  value: string;
  onValue: (value: string) => void;
}

/** A field that is masked like a password, with a keyboard for digits. Says why it is asked, and who gets it. */
function SocialSecurity({ state, digits, value, onValue }: SocialSecurityProps) {
  const { words } = useWords();
  const copy = words.application;
  return (
    <Field
      name="ssn"
      label={digits === 9 ? copy.ssn : copy.ssnLastFour}
      hint={copy.ssnWhy(state.terms.lender_name, payeeOf(state, words))}
      input={{
        value,
        type: 'password',
        inputMode: 'numeric',
        enterKeyHint: 'go',
        autoComplete: 'off',
        maxLength: digits === 9 ? 11 : 4,
      }}
      onValue={onValue}
    />
  );
}

/** The last application's date of birth, of which only the year is shown. */
function KnownBirthDate({ year, onChange }: { year: number; onChange: () => void }) {
  const { words } = useWords();
  const copy = words.application;
  return (
    <div class="svc-card svc-card--flush list">
      <div class="list__row list__row--labeled">
        <div class="list__text">
          <p class="list__label">{copy.birth}</p>
          <p class="list__value">
            <span aria-hidden="true">{`••/••/${year}`}</span>
            <span class="svc-visually-hidden">{copy.birthOnFile(year)}</span>
          </p>
        </div>
        <button
          type="button"
          class="svc-button svc-button--quiet list__button"
          aria-label={copy.birthChangeLabel}
          onClick={onChange}
        >
          {copy.birthChange}
        </button>
      </div>
    </div>
  );
}

/** One text field, because a date picker would have to scroll back for decades. */
export function BirthDate({ value, onValue }: { value: string; onValue: (value: string) => void }) {
  const { words } = useWords();
  const copy = words.application;
  return (
    <Field
      name="date_of_birth"
      label={copy.birth}
      hint={copy.birthHint}
      input={{
        value,
        inputMode: 'numeric',
        enterKeyHint: 'next',
        autoComplete: 'bday',
        placeholder: copy.birthFormat,
      }}
      group={groupDay}
      onValue={onValue}
    />
  );
}
