import type { ExperienceState, QuoteOutput } from '@svc/contract';
import { cardMonth, longDate } from '../../format/dates.ts';
import { formatMoney } from '../../format/money.ts';
import { type Payment, paymentsOfQuote } from '../../format/payments.ts';
import { capital } from '../../words/capital.ts';
import { payeeOf } from '../../words/names.ts';
import { type Language, useWords } from '../../words/use-words.ts';
import { PaidFrom } from './paid-from.tsx';
import { Schedule } from './schedule.tsx';

type Warning = QuoteOutput['warnings'][number];

interface ComparisonProps {
  state: ExperienceState;
  items: readonly QuoteOutput[];
  /** Null while the quotes are loading: the layout is the same, without the numbers. */
  quote: QuoteOutput | null;
}

/** The chosen quote's schedule, in a box as high as the longest one, so that nothing shifts. */
export function Comparison({ state, items, quote }: ComparisonProps) {
  const language = useWords();
  const { words } = language;
  const label = words.choice.schedule;
  return (
    <>
      <section class="group">
        <h2 class="subtitle">{label}</h2>
        <div class="svc-card same-height">
          {quote === null ? (
            <ScheduleSkeleton state={state} />
          ) : (
            <Schedule
              key={quote.id}
              payments={paymentsOfQuote(quote)}
              today={state.today}
              nextId={`${quote.id}-1`}
              label={label}
            />
          )}
          <div class="same-height__ghost" aria-hidden="true">
            <Schedule payments={longestSchedule(state, items)} today={state.today} label={label} />
          </div>
        </div>
      </section>
      <FromAndTo state={state} quote={quote} />
      {quote?.warnings.map((warning) => (
        <div key={warning.code} class="svc-notice svc-tone-warn">
          <p>{warningInWords(warning, quote, { state, language })}</p>
        </div>
      ))}
    </>
  );
}

/** The payment method, and when the payee gets the money. */
function FromAndTo({ state, quote }: { state: ExperienceState; quote: QuoteOutput | null }) {
  const { words, locale } = useWords();
  return (
    <div class="svc-card svc-card--flush list">
      {state.payment_method !== null && <PaidFrom state={state} />}
      <div class="list__row list__row--labeled">
        <div class="list__text">
          <p class="list__label">{words.choice.payeeGets(capital(payeeOf(state, words)))}</p>
          <p class="list__value">
            {quote === null
              ? '\u00a0'
              : words.choice.payeeGetsValue(
                  formatMoney(quote.amount_financed_in_cents, locale),
                  longDate(quote.debit_by, locale, state.today),
                )}
          </p>
        </div>
      </div>
    </div>
  );
}

function ScheduleSkeleton({ state }: { state: ExperienceState }) {
  const rows = Math.max(...state.terms.installment_counts);
  return (
    <div class="skeleton-schedule" aria-hidden="true">
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} class="svc-skeleton skeleton-line" />
      ))}
    </div>
  );
}

/** The invisible schedule that gives the box its height. Before the quotes load, it has sample rows. */
function longestSchedule(state: ExperienceState, items: readonly QuoteOutput[]): Payment[] {
  const longest = items.at(-1);
  const payments = longest === undefined ? [] : paymentsOfQuote(longest);
  // There are as many rows as for the standard dates, even if the paydays allow fewer.
  const rows = Math.max(payments.length, ...state.terms.installment_counts);
  return Array.from(
    { length: rows },
    (_, index) =>
      payments[index] ?? {
        id: String(index),
        number: index + 1,
        dueDate: state.today,
        amountInCents: state.terms.fee_in_cents,
        creditedInCents: 0,
        partlyPaidInCents: 0,
        feeInCents: index === 0 ? state.terms.fee_in_cents : 0,
        leftInCents: state.cycle?.amount_due_in_cents ?? 0,
        state: 'scheduled',
      },
  );
}

/** Returns the warning in the tenant's language; for an unknown code, the service's own text. */
function warningInWords(
  { code, message }: Warning,
  { installments }: QuoteOutput,
  { state, language }: { state: ExperienceState; language: Language },
): string {
  const { words, locale } = language;
  const { warnings } = words.choice;
  if (code === 'would_land_late') return warnings.would_land_late(payeeOf(state, words));
  const month = state.payment_method?.expires;
  const last = installments.at(-1);
  return code === 'card_ends_early' && month && last
    ? warnings.card_ends_early(cardMonth(month), longDate(last.due_date, locale, state.today))
    : message;
}
