import type { PlanManagement, PlanOutput } from '@svc/contract';
import { useFlow } from '../../flow/flow.ts';
import { formatMoney, formatPercent } from '../../format/money.ts';
import { payeeOf, productOfPlan } from '../../words/names.ts';
import { useWords } from '../../words/use-words.ts';

interface PlanCostProps {
  plan: PlanOutput;
  management: PlanManagement;
}

/** The plan's cost in one sentence, minus the part of the fee that we waived and later credits from the landlord. */
export function PlanCost({ plan, management }: PlanCostProps) {
  const { words, locale } = useWords();
  const state = useFlow().store.state.value;
  if (state === null) return null;
  const { agreed_in_cents, credited_in_cents, waived_in_cents: waived } = management.amounts;
  const agreed = agreed_in_cents - waived;
  const credited = credited_in_cents - waived;
  const apr = formatPercent(plan.apr_bps, locale);
  const text =
    credited === 0
      ? words.cost.known(
          formatMoney(agreed, locale),
          formatMoney(plan.amount_financed_in_cents, locale),
          productOfPlan({ plan, management }, words).name,
          formatMoney(plan.fee_in_cents - waived, locale),
          apr,
        )
      : words.cost.credited(
          formatMoney(agreed - credited, locale),
          formatMoney(agreed, locale),
          formatMoney(credited, locale),
          payeeOf(state, words),
          apr,
        );
  return <p class="cost">{text}</p>;
}
