import type { ExperienceState, PlanManagement } from '@svc/contract';
import { money, percent } from '../../format/money.ts';
import { paymentsOfPlan, progressOf } from '../../format/payments.ts';
import { Facts } from '../../parts/facts.tsx';
import { methodName } from '../../words/method-name.ts';
import { capital, productOf } from '../../words/payee.ts';
import { useWords } from '../../words/use-words.ts';
import type { Plan } from './room.ts';

interface DetailsProps {
  plan: Plan;
  state: ExperienceState;
  management: PlanManagement | null;
}

/** The plan in figures: what it is for, what it costs, how far it is. */
export function Details({ plan, state, management }: DetailsProps) {
  const { words, locale } = useWords();
  const copy = words.manage;
  const method = management?.payment_method ?? state.payment_method;
  const { paidInCents, leftInCents } = progressOf(paymentsOfPlan(plan));
  const lines: [string, string][] = [
    [capital(productOf(state, words, plan).yours), money(plan.amount_financed_in_cents, locale)],
    [copy.fee, money(plan.fee_in_cents, locale)],
    [copy.total, money(plan.total_of_payments_in_cents, locale)],
    [copy.apr, percent(plan.apr_bps, locale)],
    [copy.paidSoFar, money(paidInCents, locale)],
    ...given(copy.credited, management?.credited_in_cents),
    ...given(copy.refunded, management?.refunded_in_cents),
    [copy.leftToPay, money(management?.left_in_cents ?? leftInCents, locale)],
    ...(method === null
      ? []
      : [[words.choice.from, capital(methodName(method, words))] satisfies [string, string]]),
    [copy.number, plan.id],
  ];

  function given(term: string, cents = 0): [string, string][] {
    return cents === 0 ? [] : [[term, money(cents, locale)]];
  }
  return (
    <section class="group">
      <h2 class="subtitle">{copy.details}</h2>
      <Facts lines={lines} />
    </section>
  );
}
