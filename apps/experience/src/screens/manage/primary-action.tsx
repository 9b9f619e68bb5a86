import { pay } from '../../flow/change-plan.ts';
import { openPlanPage, useFlow } from '../../flow/flow.ts';
import { formatMoney } from '../../format/money.ts';
import { paymentProgress, paymentsOfPlan } from '../../format/payments.ts';
import { useWords } from '../../words/use-words.ts';
import type { PlanPageProps } from './plan-page.ts';
import { primaryActionOf, type Situation } from './situation.ts';

/** The page's only primary button, for the plan's situation. */
export function PrimaryAction({ situation, ...props }: PlanPageProps & { situation: Situation }) {
  const { state, plan, management } = props;
  const flow = useFlow();
  const { words, locale } = useWords();
  const copy = words.manage;
  const { late_in_cents } = management.amounts;
  const next = paymentProgress(paymentsOfPlan({ plan, management })).next?.amountInCents ?? 0;
  const due = formatMoney(late_in_cents > 0 ? late_in_cents : next, locale);
  switch (primaryActionOf(situation)) {
    case 'pay':
      return <Button text={copy.payNow(due)} onPress={() => openPlanPage(flow, 'pay')} />;
    case 'pay_another_way':
      return <Button text={copy.payAnotherWay(due)} onPress={() => openPlanPage(flow, 'pay')} />;
    case 'pay_earlier_plan': {
      const reopened = state.reopened_plan;
      if (reopened === null) return null;
      const { id, installment_ids, left_in_cents } = reopened;
      return (
        <Button
          text={copy.payNow(formatMoney(left_in_cents, locale))}
          onPress={() => void pay(flow, installment_ids, { reopenedId: id })}
        />
      );
    }
    case 'change_account':
      return <Button text={copy.account} onPress={() => openPlanPage(flow, 'account')} />;
    case 'write':
      return (
        <a class="svc-button svc-button--block" href={`mailto:${state.terms.support_email}`}>
          {copy.write}
        </a>
      );
    case null:
      return null;
  }
}

function Button({ text, onPress }: { text: string; onPress: () => void }) {
  const { store } = useFlow();
  return (
    <button
      type="button"
      class="svc-button svc-button--block"
      aria-busy={store.busy.value}
      onClick={onPress}
    >
      {text}
    </button>
  );
}
