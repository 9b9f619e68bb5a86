import type { ExperienceState } from '@svc/contract';
import { evenSplit } from '../../format/even-split.ts';
import { formatMoney } from '../../format/money.ts';
import { capital } from '../../words/capital.ts';
import { useFirstWords } from '../../words/use-words.ts';

export interface SplitProps {
  state: ExperienceState;
  count: number;
}

/** Lists the payments after today's, which the chosen tile above already shows. */
export function SplitRest({ state, count }: SplitProps) {
  return <p class="split-amounts">{capital(useSplit(state, count).rest)}</p>;
}

export function useSplit(state: ExperienceState, count: number): { today: number; rest: string } {
  const { words, locale } = useFirstWords();
  const due = state.cycle?.amount_due_in_cents ?? 0;
  const { today, each } = evenSplit(due, state.terms.fee_in_cents, count);
  return { today, rest: words.offer.preview.rest(count - 1, formatMoney(each, locale)) };
}
