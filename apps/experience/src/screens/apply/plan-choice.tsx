import type { ExperienceState } from '@svc/contract';
import { useEffect } from 'preact/hooks';
import { goToStep, openMethod, useFlow } from '../../flow/flow.ts';
import { chosenQuote, dropPaydays, loadQuotes } from '../../flow/submit.ts';
import { dayOfMidnight, longDate } from '../../format/dates.ts';
import { formatMoney } from '../../format/money.ts';
import { Comparison } from '../../parts/payments/comparison.tsx';
import { CostLine } from '../../parts/payments/cost-line.tsx';
import { offeredSegments } from '../../parts/payments/split-bar.tsx';
import { SplitChoice } from '../../parts/payments/split-choice.tsx';
import { SplitRing } from '../../parts/payments/split-ring.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useWords } from '../../words/use-words.ts';
import { MatchPaydays } from './match-paydays.tsx';

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
  const notOffered = quotes.kind === 'ready' ? quotes.not_offered : [];
  const quote = chosenQuote(flow);
  function proceed(): void {
    if (state.payment_method !== null) goToStep(flow, 'consent');
    else openMethod(flow, { back: 'plan_choice', next: 'consent' });
  }
  // No payday is in time for a payment.
  const isEmpty = quotes.kind === 'ready' && quote === null;
  const isLoading = quotes.kind === 'none' || quotes.kind === 'loading';
  const action =
    quote !== null
      ? { label: words.choice.action(quote.installment_count), run: proceed }
      : isEmpty
        ? { label: words.paydays.standard, run: () => dropPaydays(flow) }
        : {
            label: isLoading ? words.loading : words.tryAgain,
            run: () => void loadQuotes(flow),
          };
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
          <CostLine quote={quote} isLoading={isLoading} />
          <button
            type="button"
            class="svc-button svc-button--block"
            aria-busy={isLoading}
            onClick={action.run}
          >
            {action.label}
          </button>
        </>
      }
    >
      {quotes.kind !== 'failed' && (
        <>
          {billChanged(state) && <BillChanged />}
          <SplitChoice
            counts={
              quotes.kind === 'ready'
                ? [...items, ...notOffered].map((it) => it.installment_count).sort((a, b) => a - b)
                : state.terms.installment_counts
            }
            chosen={isEmpty ? null : (quote?.installment_count ?? store.installmentCount.value)}
            todayOf={(count) =>
              items.find((it) => it.installment_count === count)?.installments[0]?.amount_in_cents
            }
            whyNot={(count) => {
              const code = notOffered.find((it) => it.installment_count === count)?.code;
              return code && words.paydays.whyNot[code];
            }}
          />
          <MatchPaydays state={state} />
          <p>
            {[words.decision.lead, day === '' ? '' : words.decision.until(day)].join(' ').trim()}
          </p>
          {!isEmpty && <Comparison state={state} items={items} quote={quote} />}
        </>
      )}
    </Screen>
  );
}

/** Returns the last day on which a plan can be chosen, formatted. Empty if no cycle is open. */
export function lastDay({ cycle, today }: ExperienceState, locale: string): string {
  return cycle === null ? '' : longDate(dayOfMidnight(cycle.closes_at, 'trailing'), locale, today);
}

/** Returns whether this month's plan was canceled because the bill has changed. */
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
