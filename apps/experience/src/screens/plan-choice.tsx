import type { ExperienceState, QuoteOutput } from '@svc/contract';
import { useEffect } from 'preact/hooks';
import { type Flow, go, useFlow } from '../flow/flow.ts';
import { loadQuotes } from '../flow/submit.ts';
import { dateInWords } from '../format/dates.ts';
import { money } from '../format/money.ts';
import { paymentsOfQuote } from '../format/payments.ts';
import { CostLine } from '../parts/cost-line.tsx';
import { Option } from '../parts/option.tsx';
import { Schedule } from '../parts/schedule.tsx';
import { Screen } from '../parts/screen.tsx';
import { capital, payeeOf } from '../words/payee.ts';
import { useWords } from '../words/use-words.ts';

export function PlanChoice({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const { store } = flow;
  const { words } = useWords();
  const quotes = store.quotes.value;
  useEffect(() => {
    if (quotes.kind === 'none') void loadQuotes(flow);
  }, [flow, quotes.kind]);

  const items = quotes.kind === 'ready' ? quotes.items : [];
  const quote = chosenQuote(flow);
  return (
    <Screen
      title={words.choice.title}
      footer={
        <>
          <CostLine quote={quote} />
          <button
            type="button"
            class="svc-button svc-button--block"
            aria-busy={quotes.kind === 'loading'}
            onClick={() => (quote === null ? void loadQuotes(flow) : go(flow, 'consent'))}
          >
            {quote === null ? words.tryAgain : words.choice.action(quote.installment_count)}
          </button>
        </>
      }
    >
      {quotes.kind !== 'failed' && (
        <>
          <Counts state={state} items={items} chosen={quote} />
          {quote === null ? <ChoiceSkeleton state={state} /> : null}
          {quote !== null && <Comparison state={state} items={items} quote={quote} />}
        </>
      )}
    </Screen>
  );
}

/** The quote that the tenant looks at; null until the quotes are here. */
export function chosenQuote({ store }: Flow): QuoteOutput | null {
  const quotes = store.quotes.value;
  if (quotes.kind !== 'ready') return null;
  const count = store.installmentCount.value;
  return quotes.items.find((quote) => quote.installment_count === count) ?? null;
}

function Counts(props: {
  state: ExperienceState;
  items: QuoteOutput[];
  chosen: QuoteOutput | null;
}) {
  const { state, items, chosen } = props;
  const { store } = useFlow();
  const { words, locale } = useWords();
  const counts = items.map((quote) => quote.installment_count);
  return (
    <fieldset class="options options--row">
      <legend class="svc-visually-hidden">{words.choice.legend}</legend>
      {(counts.length === 0 ? state.terms.installment_counts : counts).map((count) => {
        const part = items
          .find((quote) => quote.installment_count === count)
          ?.installments.at(-1)?.amount_in_cents;
        return (
          <Option
            key={count}
            group="installment_count"
            value={String(count)}
            checked={chosen?.installment_count === count}
            onChoose={() => {
              store.installmentCount.value = count;
              store.drafts.value = { ...store.drafts.value, agreed: false };
            }}
            title={count}
            unit={words.paymentsWord}
            note={part === undefined ? '\u00a0' : money(part, locale)}
          />
        );
      })}
    </fieldset>
  );
}

/** The rail of the chosen count, in a box as high as the longest: redrawn, nothing jumps. */
function Comparison(props: { state: ExperienceState; items: QuoteOutput[]; quote: QuoteOutput }) {
  const { state, items, quote } = props;
  const flow = useFlow();
  const { words, locale } = useWords();
  const longest = items.reduce((left, item) =>
    item.installment_count > left.installment_count ? item : left,
  );
  const label = words.choice.schedule;
  return (
    <>
      {quote.warnings.map((warning) => (
        <div key={warning.code} class="svc-notice svc-tone-warn">
          <p>{warning.message}</p>
        </div>
      ))}
      <section class="group">
        <h2 class="subtitle">{label}</h2>
        <div class="svc-card same-height">
          <Schedule
            key={quote.id}
            payments={paymentsOfQuote(quote)}
            today={state.today}
            nextId={`${quote.id}-1`}
            label={label}
          />
          <div class="same-height__ghost" aria-hidden="true">
            <Schedule payments={paymentsOfQuote(longest)} today={state.today} label={label} />
          </div>
        </div>
      </section>
      <div class="svc-card svc-card--flush lines">
        <div class="lines__line lines__line--facts">
          <div class="lines__pair">
            <p class="lines__term">{words.choice.from}</p>
            <p class="lines__value">{state.payment_method?.label}</p>
          </div>
          <button
            type="button"
            class="svc-button svc-button--quiet lines__button"
            aria-label={words.choice.changeLabel}
            onClick={() => go(flow, 'payment_method')}
          >
            {words.choice.change}
          </button>
        </div>
        <div class="lines__line lines__line--facts">
          <div class="lines__pair">
            <p class="lines__term">{words.choice.payeeGets(capital(payeeOf(state, words)))}</p>
            <p class="lines__value">
              {words.choice.payeeGetsValue(
                money(quote.amount_financed_in_cents, locale),
                dateInWords(quote.debit_by, locale, state.today),
              )}
            </p>
          </div>
        </div>
      </div>
    </>
  );
}

function ChoiceSkeleton({ state }: { state: ExperienceState }) {
  const rows = Math.max(...state.terms.installment_counts);
  return (
    <div class="svc-card skeleton-rail" aria-hidden="true">
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} class="svc-skeleton skeleton-line" />
      ))}
    </div>
  );
}
