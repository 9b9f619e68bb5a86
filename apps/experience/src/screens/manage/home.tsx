import type { PlanDocument } from '../../flow/store.ts';
import { money } from '../../format/money.ts';
import { type PlanWithAmounts, paymentProgress, paymentsOfPlan } from '../../format/payments.ts';
import { CalendarButton } from '../../parts/payments/calendar-button.tsx';
import { PlanCost } from '../../parts/payments/plan-cost.tsx';
import { PlanSchedule } from '../../parts/payments/plan-schedule.tsx';
import { Screen } from '../../parts/screen.tsx';
import { methodName } from '../../words/names.ts';
import { useWords } from '../../words/use-words.ts';
import { Actions } from './actions.tsx';
import { ConfirmPayment } from './confirm-payment.tsx';
import { Details } from './details.tsx';
import { Documents } from './documents/documents.tsx';
import { PastPlans } from './documents/past-plans.tsx';
import { History } from './history.tsx';
import type { PlanPageProps } from './plan-page.ts';
import { PlanStatus } from './plan-status.tsx';
import { PrimaryAction } from './primary-action.tsx';
import { type Situation, situationOf } from './situation.ts';

interface HomeProps extends PlanPageProps {
  /** Set for a closed plan, which is opened from a list. */
  onBack?: () => void;
  onDocument: (document: PlanDocument) => void;
}

/** The home page of a plan: its status, schedule, actions, documents and history. */
export function Home({ onBack, onDocument, ...props }: HomeProps) {
  const { state, plan, management } = props;
  const situation = situationOf(props);
  const title = useTitle(props, situation);
  const isOpen = paymentProgress(paymentsOfPlan(props)).open.length > 0;
  return (
    <Screen
      title={title}
      {...(situation === 'waiting' && state.confirmation === null
        ? { lead: <Waiting {...props} /> }
        : {})}
      {...(onBack === undefined ? {} : { onBack })}
      footer={
        <>
          <PlanCost {...props} />
          <PrimaryAction {...props} situation={situation} />
        </>
      }
    >
      <ConfirmPayment state={state} />
      <PlanStatus {...props} situation={situation} />
      <PlanSchedule {...props} today={state.today} />
      <Actions {...props} />
      {isOpen && onBack === undefined && <CalendarButton />}
      <Documents management={management} onDocument={onDocument} />
      <Details {...props} />
      <History management={management} plan={plan} />
      {onBack === undefined && <PastPlans state={state} />}
    </Screen>
  );
}

/** Before the plan starts: the pending first payment, and whether the plan can still be canceled. */
function Waiting({ plan, management }: PlanPageProps) {
  const { words, locale } = useWords();
  const { waitingText, waitingCancel } = words.manage;
  const [first] = paymentsOfPlan({ plan, management });
  const amount = money(first?.amountInCents ?? 0, locale);
  const text = waitingText(amount, methodName(management.payment_method, words));
  return <>{management.may_cancel ? `${text} ${waitingCancel}` : text}</>;
}

function useTitle(planned: PlanWithAmounts, situation: Situation): string {
  const { words, locale } = useWords();
  const { manage } = words;
  switch (situation) {
    case 'canceled':
      return manage.canceled;
    case 'charged_off':
      return manage.chargedOff;
    case 'settled':
      return manage.settled;
    case 'waiting':
      return manage.waiting;
    case 'completed':
      return manage.completed;
    default: {
      const { open } = paymentProgress(paymentsOfPlan(planned));
      return manage.title(open.length, money(planned.management.amounts.left_in_cents, locale));
    }
  }
}
