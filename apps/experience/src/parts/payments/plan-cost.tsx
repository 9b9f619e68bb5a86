import type { ExperienceState } from '@svc/contract';
import { useFlow } from '../../flow/flow.ts';
import { money, percent } from '../../format/money.ts';
import { productOf } from '../../words/payee.ts';
import { useWords } from '../../words/use-words.ts';

/** What the plan costs, in the sentence that stood beside the agreement. */
export function PlanCost({ plan }: { plan: NonNullable<ExperienceState['plan']> }) {
  const { words, locale } = useWords();
  const state = useFlow().store.state.value;
  if (state === null) return null;
  return (
    <p class="cost">
      {words.cost.known(
        money(plan.total_of_payments_in_cents, locale),
        money(plan.amount_financed_in_cents, locale),
        productOf(state, words, plan).name,
        money(plan.fee_in_cents, locale),
        percent(plan.apr_bps, locale),
      )}
    </p>
  );
}
