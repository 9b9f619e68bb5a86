import { money, percent } from '../../format/money.ts';
import { Facts } from '../../parts/facts.tsx';
import { capital, methodName, payeeOf, productOfPlan } from '../../words/names.ts';
import { useWords } from '../../words/use-words.ts';
import type { PlanPageProps } from './plan-page.ts';

/** The plan's amounts as a calculation: agreed, credited, paid, and left. */
export function Details({ state, plan, management }: PlanPageProps) {
  const { words, locale } = useWords();
  const copy = words.manage;
  const { amounts, payment_method } = management;
  const { yours } = productOfPlan({ plan, management }, words);
  const { credited_in_cents, canceled_in_cents } = amounts;
  const line = (term: string, cents: number) => [term, money(cents, locale)] as const;
  const less = (term: string, cents: number) => (cents === 0 ? [] : [line(term, -cents)]);
  const lines = [
    line(capital(yours), plan.amount_financed_in_cents),
    line(copy.fee, plan.fee_in_cents),
    line(copy.total, amounts.agreed_in_cents),
    ...less(copy.credited(payeeOf(state, words)), credited_in_cents),
    ...less(copy.pastStates.canceled, canceled_in_cents),
    ...(credited_in_cents === 0
      ? []
      : [line(copy.totalNow, amounts.agreed_in_cents - credited_in_cents - canceled_in_cents)]),
    line(copy.paidSoFar, amounts.paid_in_cents),
    line(copy.leftToPay, amounts.left_in_cents),
    ...(amounts.refunded_in_cents === 0 ? [] : [line(copy.refunded, amounts.refunded_in_cents)]),
    [copy.apr, percent(plan.apr_bps, locale)] as const,
    [words.choice.from, capital(methodName(payment_method, words))] as const,
    [copy.number, plan.id] as const,
  ];
  return (
    <section class="group">
      <h2 class="subtitle">{copy.details}</h2>
      <Facts lines={lines} />
    </section>
  );
}
