import type { ExperienceState, PlanManagement } from '@svc/contract';
import { close, open, useFlow } from '../../flow/flow.ts';
import type { Paper } from '../../flow/store.ts';
import { money } from '../../format/money.ts';
import { paymentsOfPlan, progressOf } from '../../format/payments.ts';
import { CalendarButton } from '../../parts/payments/calendar-button.tsx';
import { PlanCost } from '../../parts/payments/plan-cost.tsx';
import { PlanSchedule } from '../../parts/payments/plan-schedule.tsx';
import { Screen } from '../../parts/screen.tsx';
import type { Words } from '../../words/en.ts';
import { methodName } from '../../words/method-name.ts';
import { useWords } from '../../words/use-words.ts';
import { Actions } from './actions.tsx';
import { Details } from './details.tsx';
import { History } from './history.tsx';
import { Documents } from './papers/documents.tsx';
import { PastPlans } from './papers/past-plans.tsx';
import { isPayable, type Plan } from './room.ts';
import { Standing } from './standing.tsx';

interface HomeProps {
  state: ExperienceState;
  plan: Plan;
  management: PlanManagement | null;
  /** Of a plan that is over: back to where its line was pressed. */
  onBack?: () => void;
  onPaper: (paper: Paper) => void;
}

/** The home of a plan: what is left, what comes next, what can be done, what was done. */
export function Home({ state, plan, management, onBack, onPaper }: HomeProps) {
  const flow = useFlow();
  const { words, locale } = useWords();
  const progress = progressOf(paymentsOfPlan(plan));
  const late = progress.late.filter(({ id }) => isPayable(management, id));
  const lateInCents = late.reduce((sum, payment) => sum + payment.amountInCents, 0);
  return (
    <Screen
      title={titleOf(plan, progress.open.length, money(progress.leftInCents, locale), words)}
      {...(plan.state === 'created'
        ? { lead: <Waiting plan={plan} management={management} /> }
        : {})}
      {...(onBack === undefined ? {} : { onBack })}
      footer={
        <>
          <PlanCost plan={plan} />
          {late.length > 0 ? (
            <button
              type="button"
              class="svc-button svc-button--block"
              onClick={() => open(flow, { kind: 'pay' })}
            >
              {words.manage.payNow(money(lateInCents, locale))}
            </button>
          ) : (
            <button type="button" class="svc-button svc-button--block" onClick={() => close(flow)}>
              {words.backToPortal(state.tenant.product_variant)}
            </button>
          )}
        </>
      }
    >
      <Standing state={state} plan={plan} management={management} />
      <PlanSchedule plan={plan} today={state.today} />
      {management !== null && <Actions state={state} plan={plan} management={management} />}
      {progress.open.length > 0 && onBack === undefined && <CalendarButton />}
      {management !== null && <Documents management={management} onPaper={onPaper} />}
      <Details plan={plan} state={state} management={management} />
      {management !== null && <History management={management} plan={plan} />}
      {onBack === undefined && <PastPlans state={state} />}
    </Screen>
  );
}

/** Before the plan has begun: what is on its way, and that it may still be canceled. */
function Waiting({ plan, management }: { plan: Plan; management: PlanManagement | null }) {
  const { words, locale } = useWords();
  const { waitingText, waitingCancel } = words.manage;
  const amount = money(paymentsOfPlan(plan)[0]?.amountInCents ?? 0, locale);
  const text = waitingText(
    amount,
    management === null ? '' : methodName(management.payment_method, words),
  );
  return <>{management?.may_cancel === true ? `${text} ${waitingCancel}` : text}</>;
}

function titleOf(plan: Plan, open: number, left: string, { manage }: Words): string {
  if (plan.state === 'canceled') return manage.canceled;
  if (plan.state === 'charged_off') return manage.chargedOff;
  if (plan.state === 'created') return manage.waiting;
  return open === 0 ? manage.completed : manage.title(open, left);
}
