import type { ExperienceState, QuoteOutput } from '@svc/contract';
import { useEffect, useState } from 'preact/hooks';
import type { Disclosure } from '../../api/experience-api.ts';
import { goToStep, openAgreement, useFlow } from '../../flow/flow.ts';
import { acceptQuote, chosenQuote, loadQuotes } from '../../flow/submit.ts';
import { formatMoney } from '../../format/money.ts';
import { paymentsOfQuote } from '../../format/payments.ts';
import { ActionRow } from '../../parts/action-row.tsx';
import { AgreementText } from '../../parts/documents/agreement-text.tsx';
import { DocumentButtons } from '../../parts/documents/document-buttons.tsx';
import { Checkbox } from '../../parts/field.tsx';
import { DisclosureBox } from '../../parts/payments/disclosure-box.tsx';
import { PaidFrom } from '../../parts/payments/paid-from.tsx';
import { Schedule } from '../../parts/payments/schedule.tsx';
import { offeredSegments, SplitBar } from '../../parts/payments/split-bar.tsx';
import { Screen } from '../../parts/screen.tsx';
import { SubmitButton } from '../../parts/submit-button.tsx';
import { inLanguage, methodName } from '../../words/names.ts';
import { useWords } from '../../words/use-words.ts';

type Text = NonNullable<QuoteOutput['disclosure']>;

/**
 * The agreement. Loads the quotes again after the account has changed, because the agreement names
 * it. If the chosen number of payments is no longer offered, goes back to the choice.
 */
export function Consent({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const { store } = flow;
  const quotes = store.quotes.value;
  const [count] = useState(store.installmentCount.value);
  const quote = chosenQuote(flow);
  const text = quote?.disclosure ?? null;
  const isGone =
    count === null ||
    state.payment_method === null ||
    quotes.kind === 'failed' ||
    (quotes.kind === 'ready' && (text === null || quote?.installment_count !== count));
  useEffect(() => {
    if (store.busy.value) return;
    if (isGone) goToStep(flow, 'plan_choice');
    else if (quotes.kind === 'none') void loadQuotes(flow);
  }, [flow, store, isGone, quotes.kind]);
  if (isGone) return null;
  return quote === null || text === null ? (
    <Waiting state={state} />
  ) : (
    <Agreement state={state} quote={quote} disclosure={text} />
  );
}

/** Shown while the agreement is loading. */
function Waiting({ state }: { state: ExperienceState }) {
  const { words } = useWords();
  const rows = Math.max(...state.terms.installment_counts);
  return (
    <Screen
      title={words.consent.title}
      footer={
        <button type="button" class="svc-button svc-button--block" aria-busy>
          {words.loading}
        </button>
      }
    >
      <div class="svc-card skeleton-schedule" aria-hidden="true">
        {Array.from({ length: rows }, (_, index) => (
          <span key={index} class="svc-skeleton skeleton-line" />
        ))}
      </div>
    </Screen>
  );
}

interface AgreementProps {
  state: ExperienceState;
  quote: QuoteOutput;
  disclosure: Text;
}

function Agreement({ state, quote, disclosure }: AgreementProps) {
  const flow = useFlow();
  const { store } = flow;
  const { words, locale } = useWords();
  const copy = words.consent;
  const payments = paymentsOfQuote(quote);
  const text = inLanguage<Disclosure>(disclosure, locale);
  const agreed = store.drafts.value.agreed === text.sha256;
  if (store.panel.value.kind === 'document') return <AgreementDocument {...text} />;

  function send(): void {
    store.fieldErrors.value = agreed ? {} : { agreed: (it) => it.consent.agreeError };
    if (agreed) void acceptQuote(flow, quote, text);
  }

  return (
    <Screen
      title={copy.title}
      onBack={() => goToStep(flow, 'plan_choice')}
      onSubmit={send}
      footer={
        <>
          <Checkbox
            name="agreed"
            checked={agreed}
            required
            onValue={(value) => {
              store.drafts.value = { ...store.drafts.value, agreed: value ? text.sha256 : '' };
            }}
          >
            {copy.agree(
              state.terms.lender_name,
              state.payment_method === null ? '' : methodName(state.payment_method, words),
            )}
          </Checkbox>
          <SubmitButton>
            {copy.action(formatMoney(payments[0]?.amountInCents ?? 0, locale))}
          </SubmitButton>
        </>
      }
    >
      <SplitBar segments={offeredSegments(payments.length)} />
      {state.military !== null && <MilitaryStatement military={state.military} />}
      <section class="group">
        <h2 class="subtitle">{copy.box}</h2>
        <DisclosureBox quote={quote} />
      </section>
      <section class="group">
        <h2 class="subtitle">{copy.schedule}</h2>
        <div class="svc-card">
          <Schedule
            payments={payments}
            today={state.today}
            nextId={payments[0]?.id ?? null}
            label={copy.schedule}
          />
        </div>
        <div class="svc-card svc-card--flush list">
          <PaidFrom state={state} />
        </div>
        <ul class="svc-card svc-card--flush list">
          <ActionRow title={copy.text} note={copy.textNote} onPress={() => openAgreement(flow)} />
        </ul>
      </section>
    </Screen>
  );
}

type Military = NonNullable<ExperienceState['military']>;

/** The disclosures of the Military Lending Act, which a covered borrower must get before the agreement. */
function MilitaryStatement({ military }: { military: Military }) {
  const { locale } = useWords();
  const { heading, paragraphs } = inLanguage<Pick<Military, 'heading' | 'paragraphs'>>(
    military,
    locale,
  );
  return (
    <section class="group">
      <h2 class="subtitle">{heading}</h2>
      {paragraphs.map((text) => (
        <p key={text}>
          {text.split(phoneNumber).map((part, index) =>
            index % 2 === 0 ? (
              part
            ) : (
              <a key={part} class="svc-link" href={`tel:${part}`}>
                {part}
              </a>
            ),
          )}
        </p>
      ))}
    </section>
  );
}

/** Shows a phone number as a link, so that a tap calls it. */
const phoneNumber = /(\d(?:-?\d){9,})/;

/** The whole agreement as a document, which can be saved and printed before it is accepted. */
function AgreementDocument({ text, sha256, locale }: Disclosure) {
  const flow = useFlow();
  const { words } = useWords();
  const copy = words.consent;
  const version = copy.version(sha256);
  return (
    <Screen title={words.agreementPage.title} onBack={() => goToStep(flow, 'consent')}>
      <AgreementText text={text} locale={locale} />
      <p class="reference">{version}</p>
      <DocumentButtons
        document={{ kind: 'offer', id: sha256, fileName: copy.fileName }}
        save={copy.save}
        print={words.agreementPage.print}
      />
    </Screen>
  );
}
