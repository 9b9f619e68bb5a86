import type { ExperienceState, QuoteOutput } from '@svc/contract';
import { useEffect } from 'preact/hooks';
import { type Flow, goToStep, openMethod, useFlow } from '../../flow/flow.ts';
import { loadQuotes } from '../../flow/submit.ts';
import { dayOfMidnight, longDate } from '../../format/dates.ts';
import { formatMoney } from '../../format/money.ts';
import { Comparison } from '../../parts/payments/comparison.tsx';
import { CostLine } from '../../parts/payments/cost-line.tsx';
import { offeredSegments } from '../../parts/payments/split-bar.tsx';
import { SplitChoice } from '../../parts/payments/split-choice.tsx';
import { SplitRing } from '../../parts/payments/split-ring.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useWords } from '../../words/use-words.ts';

/** The approval, and the choice of how many payments to make. */
export function PlanChoice({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const { store } = flow;
  const { words, locale } = useWords();
  const day = lastDay(state, locale);
  const quotes = store.quotes.value;
  useEffect(() => {
    if (quotes.kind === 'none') void loadQuotes(flow);
  }, [flow, quotes.kind]);

  const items = quotes.kind === 'ready' ? quotes.items : [];
  const quote = chosenQuote(flow);
  function proceed(): void {
    if (state.payment_method !== null) goToStep(flow, 'consent');
    else openMethod(flow, { back: 'plan_choice', next: 'consent' });
  }
  const fallback = quotes.kind === 'failed' ? words.tryAgain : words.loading;
  return (
    <Screen
      title={words.decision.title(formatMoney(state.cycle?.amount_due_in_cents ?? 0, locale))}
      emblem={
        <SplitRing
          segments={offeredSegments(state.terms.installment_counts.at(-1) ?? 1)}
          icon="check"
        />
      }
      footer={
        <>
          <CostLine quote={quote} isLoading={quotes.kind !== 'failed'} />
          <button
            type="button"
            class="svc-button svc-button--block"
            aria-busy={quote === null && quotes.kind !== 'failed'}
            onClick={() => (quote === null ? void loadQuotes(flow) : proceed())}
          >
            {quote === null ? fallback : words.choice.action(quote.installment_count)}
          </button>
        </>
      }
    >
      {quotes.kind !== 'failed' && (
        <>
          {billChanged(state) && <BillChanged />}
          <SplitChoice
            counts={
              items.length === 0
                ? state.terms.installment_counts
                : items.map((it) => it.installment_count)
            }
            chosen={quote?.installment_count ?? store.installmentCount.value}
            todayOf={(count) =>
              items.find((it) => it.installment_count === count)?.installments[0]?.amount_in_cents
            }
          />
          <p>
            {[words.decision.lead, day === '' ? '' : words.decision.until(day)].join(' ').trim()}
          </p>
          <Comparison state={state} items={items} quote={quote} />
        </>
      )}
    </Screen>
  );
}

/** The last day on which a plan can be chosen, formatted. Empty if no cycle is open. */
export function lastDay({ cycle, today }: ExperienceState, locale: string): string {
  return cycle === null ? '' : longDate(dayOfMidnight(cycle.closes_at, 'trailing'), locale, today);
}

/** Whether the plan of this month was canceled because the bill has changed. */
function billChanged({ cycle, past_plans }: ExperienceState): boolean {
  const last = past_plans[0];
  return (
    last?.state === 'canceled' &&
    last.rent_cycle_date === cycle?.due_date &&
    last.amount_financed_in_cents !== cycle.amount_due_in_cents
  );
}

function BillChanged() {
  const { bill_changed } = useWords().words.notices;
  return (
    <div class="svc-notice svc-tone-info">
      <p class="svc-notice__title">{bill_changed.title}</p>
      <p>{bill_changed.text}</p>
    </div>
  );
}

/** The quote for the chosen number of payments. Null until the quotes have loaded. */
export function chosenQuote({ store }: Flow): QuoteOutput | null {
  const quotes = store.quotes.value;
  if (quotes.kind !== 'ready') return null;
  const count = store.installmentCount.value;
  return quotes.items.find((quote) => quote.installment_count === count) ?? null;
}
