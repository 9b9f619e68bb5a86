import type { QuoteOutput } from '@svc/contract';
import { useFlow } from '../../flow/flow.ts';
import { formatMoney, formatPercent } from '../../format/money.ts';
import { productOf } from '../../words/names.ts';
import { useFirstWords } from '../../words/use-words.ts';

interface CostLineProps {
  quote?: QuoteOutput | null;
  /** True while the quote is loading. Shows its sentence without the APR, so that nothing shifts later. */
  isLoading?: boolean;
}

/** Replaces the rate while a quote is loading. It is as wide as a rate and does not wrap, so that no line moves. */
const unknownRate = '…\u2007\u2007\u2007\u2007';

/** The cost in one sentence, shown above every action. Exact once there is a quote. */
export function CostLine({ quote = null, isLoading = false }: CostLineProps) {
  const { words, locale } = useFirstWords();
  const state = useFlow().store.state.value;
  if (state === null) return null;
  const { name } = productOf(state, words);
  if (quote !== null) {
    return (
      <p class="cost">
        {words.cost.known(
          formatMoney(quote.total_of_payments_in_cents, locale),
          formatMoney(quote.amount_financed_in_cents, locale),
          name,
          formatMoney(quote.finance_charge_in_cents, locale),
          formatPercent(quote.apr_bps, locale),
        )}
      </p>
    );
  }
  const due = state.cycle?.amount_due_in_cents ?? 0;
  const fee = state.terms.fee_in_cents;
  const sums = [
    formatMoney(due + fee, locale),
    formatMoney(due, locale),
    name,
    formatMoney(fee, locale),
  ] as const;
  return (
    <p class="cost">
      {isLoading ? words.cost.known(...sums, unknownRate) : words.cost.estimate(...sums)}
    </p>
  );
}
