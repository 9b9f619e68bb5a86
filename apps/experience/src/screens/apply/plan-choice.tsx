import type { ExperienceState, QuoteOutput } from '@svc/contract';
import { useEffect } from 'preact/hooks';
import { type Flow, goToStep, openMethod, useFlow } from '../../flow/flow.ts';
import { loadQuotes } from '../../flow/submit.ts';
import { dayOfMidnight, longDate } from '../../format/dates.ts';
import { formatMoney } from '../../format/money.ts';
import { Emblem } from '../../parts/icons.tsx';
import { Option, RadioGroup } from '../../parts/option.tsx';
import { Comparison } from '../../parts/payments/comparison.tsx';
import { CostLine } from '../../parts/payments/cost-line.tsx';
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
      lead={[words.decision.lead, day === '' ? '' : words.decision.until(day)].join(' ').trim()}
      emblem={<Emblem name="check" />}
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
          <h2 class="subtitle">{words.choice.title}</h2>
          <CountOptions state={state} items={items} chosen={quote} />
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

function CountOptions(props: {
  state: ExperienceState;
  items: QuoteOutput[];
  chosen: QuoteOutput | null;
}) {
  const { state, items, chosen } = props;
  const { store } = useFlow();
  const { words, locale } = useWords();
  const counts = items.map((quote) => quote.installment_count);
  return (
    <RadioGroup legend={words.choice.legend} layout="options--row" hidesLegend>
      {(counts.length === 0 ? state.terms.installment_counts : counts).map((count) => {
        const part = items
          .find((quote) => quote.installment_count === count)
          ?.installments.at(-1)?.amount_in_cents;
        return (
          <Option
            key={count}
            group="installment_count"
            value={String(count)}
            checked={(chosen?.installment_count ?? store.installmentCount.value) === count}
            onChoose={() => {
              store.installmentCount.value = count;
            }}
            title={count}
            unit={words.paymentsWord}
            note={
              part === undefined ? (
                '\u00a0'
              ) : (
                <>
                  <span class="svc-visually-hidden">{words.choice.of} </span>
                  {formatMoney(part, locale)}
                </>
              )
            }
          />
        );
      })}
    </RadioGroup>
  );
}
