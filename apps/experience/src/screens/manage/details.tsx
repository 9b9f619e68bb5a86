import { formatMoney, formatPercent } from '../../format/money.ts';
import { Disclosure } from '../../parts/disclosure.tsx';
import { Facts } from '../../parts/facts.tsx';
import { PlanCost } from '../../parts/payments/plan-cost.tsx';
import { capital } from '../../words/capital.ts';
import { payeeOf, productOfPlan } from '../../words/names.ts';
import { useWords } from '../../words/use-words.ts';
import type { PlanPageProps } from './plan-page.ts';

/** The cost of the plan, folded: what was agreed, what changed, what was paid, and the APR. */
export function Details({ state, plan, management }: PlanPageProps) {
  const { words, locale } = useWords();
  const copy = words.manage;
  const {
    agreed_in_cents,
    credited_in_cents,
    waived_in_cents,
    canceled_in_cents,
    paid_in_cents,
    refunded_in_cents,
  } = management.amounts;
  const { yours } = productOfPlan({ plan, management }, words);
  const line = (term: string, cents: number) => [term, formatMoney(cents, locale)] as const;
  const less = (term: string, cents: number) => (cents === 0 ? [] : [line(term, -cents)]);
  const lines = [
    line(capital(yours), plan.amount_financed_in_cents),
    line(copy.fee, plan.fee_in_cents),
    line(copy.total, agreed_in_cents),
    ...less(copy.credited(payeeOf(state, words)), credited_in_cents - waived_in_cents),
    ...less(copy.feeWaived, waived_in_cents),
    ...less(words.pastPlans.states.canceled, canceled_in_cents),
    ...(credited_in_cents + canceled_in_cents === 0
      ? []
      : [line(copy.totalNow, agreed_in_cents - credited_in_cents - canceled_in_cents)]),
    line(copy.paidSoFar, paid_in_cents),
    ...(refunded_in_cents === 0 ? [] : [line(copy.refunded, refunded_in_cents)]),
    [copy.apr, formatPercent(plan.apr_bps, locale)] as const,
    [copy.number, plan.id] as const,
  ];
  return (
    <Disclosure title={copy.details}>
      <PlanCost plan={plan} management={management} />
      <Facts lines={lines} />
    </Disclosure>
  );
}
