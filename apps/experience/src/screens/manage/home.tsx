import { closeExperience, useFlow } from '../../flow/flow.ts';
import type { PlanDocument } from '../../flow/store.ts';
import { longDate, monthName } from '../../format/dates.ts';
import { formatMoney } from '../../format/money.ts';
import { paymentProgress, paymentsOfPlan } from '../../format/payments.ts';
import { dayName } from '../../format/plan-dates.ts';
import type { IconName } from '../../parts/icons.tsx';
import { CalendarButton } from '../../parts/payments/calendar-button.tsx';
import { PlanSchedule } from '../../parts/payments/plan-schedule.tsx';
import { segmentsOf } from '../../parts/payments/segments-of.ts';
import { SplitRing } from '../../parts/payments/split-ring.tsx';
import { Screen, type ScreenProps } from '../../parts/screen.tsx';
import { methodName, productOfPlan } from '../../words/names.ts';
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
import { primaryActionOf, type Situation, situationOf } from './situation.ts';

interface HomeProps extends PlanPageProps {
  /** Set for a closed plan, which is opened from a list. */
  onBack?: () => void;
  onDocument: (document: PlanDocument) => void;
}

/** The home page of a plan: its state in one sentence, what to do, and everything about it below. */
export function Home({ onBack, onDocument, ...props }: HomeProps) {
  const { state } = props;
  const flow = useFlow();
  const { words } = useWords();
  const situation = situationOf(props);
  const title = useTitle(props, situation);
  const paid = usePaid(props, situation);
  const isOpen = paymentProgress(paymentsOfPlan(props)).open.length > 0;
  return (
    <Screen
      title={title}
      emblem={<Moment {...props} situation={situation} />}
      {...(situation === 'waiting' ? { lead: <Waiting {...props} /> } : {})}
      {...(situation === 'canceled' ? { lead: words.manage.canceledText } : {})}
      {...paid}
      {...(onBack === undefined ? {} : { onBack })}
      {...(primaryActionOf(situation) === null
        ? {}
        : { footer: <PrimaryAction {...props} situation={situation} /> })}
    >
      <div class="columns">
        <div class="columns__part">
          <ConfirmPayment state={state} hasTitle={situation !== 'confirmation'} />
          <PlanStatus {...props} situation={situation} />
          <PlanSchedule {...props} today={state.today} />
          {isOpen && onBack === undefined && <CalendarButton />}
        </div>
        <div class="columns__part">
          <Actions {...props} />
          <History {...props} />
          <Documents {...props} onDocument={onDocument} />
          <Details {...props} />
          {onBack === undefined && <PastPlans state={state} />}
          {onBack === undefined && (
            <button
              type="button"
              class="svc-button svc-button--secondary svc-button--block"
              onClick={() => closeExperience(flow)}
            >
              {words.backToPortal(state.tenant.product_variant)}
            </button>
          )}
        </div>
      </div>
    </Screen>
  );
}

/** Situations in which nothing is wrong, so that a payment is a good moment. */
const goodSituations: readonly Situation[] = [
  'on_track',
  'due_today',
  'pay_by_hand',
  'by_hand_later',
];

/** Returns the screen's heading right after a payment: what was paid, thanks, and what comes next. */
function usePaid(props: PlanPageProps, situation: Situation): Partial<ScreenProps> {
  const { words, locale } = useWords();
  const notice = useFlow().store.notice.value;
  if (notice?.kind !== 'paid') return {};
  const { notices } = words;
  const paid = notices.paid.title(formatMoney(notice.amountInCents, locale));
  // After the last payment, the title of the completed plan says more, so it stays.
  if (situation === 'completed') return { saysNotice: true, lead: `${paid}. ${notices.paid.text}` };
  if (!goodSituations.includes(situation)) return {};
  const payments = paymentsOfPlan(props);
  const { next } = paymentProgress(payments);
  const { thanks, titles } = words.manage;
  const isPart = next !== null && next.partlyPaidInCents > 0;
  const thanksText = notice.wasLate ? thanks.late : isPart ? thanks.part : thanks.whole;
  const day = next === null ? '' : longDate(next.dueDate, locale, props.state.today);
  return {
    saysNotice: true,
    title: paid,
    lead: `${thanksText} ${titles.next(day)}.`,
    emblem: <SplitRing segments={segmentsOf(payments, null)} icon="check" />,
  };
}

/** A ring with one segment per payment, for a plan that is late or paid off. */
function Moment({ situation, ...props }: PlanPageProps & { situation: Situation }) {
  const icon = momentIcons[situation];
  if (icon === undefined) return null;
  return <SplitRing segments={segmentsOf(paymentsOfPlan(props), null)} icon={icon} />;
}

const momentIcons: Partial<Record<Situation, IconName>> = {
  completed: 'check',
  unpaid: 'alert',
  failed: 'alert',
  retrying: 'alert',
  taken_back: 'alert',
  late_account_refused: 'alert',
  charged_off: 'pause',
};

/** Before the plan starts: the pending first payment, and whether the plan can still be canceled. */
function Waiting({ plan, management }: PlanPageProps) {
  const { words, locale } = useWords();
  const { waitingText, waitingCancel } = words.manage;
  const [first] = paymentsOfPlan({ plan, management });
  const amount = formatMoney(first?.amountInCents ?? 0, locale);
  const { yours } = productOfPlan({ plan, management }, words);
  const text = waitingText(amount, methodName(management.payment_method, words), yours);
  return <>{management.may_cancel ? `${text} ${waitingCancel}` : text}</>;
}

/** Returns the state of the plan in one sentence. */
function useTitle({ state, plan, management }: PlanPageProps, situation: Situation): string {
  const { words, locale } = useWords();
  const { titles, payment } = words.manage;
  const { late, next } = paymentProgress(paymentsOfPlan({ plan, management }));
  const day = next === null ? '' : longDate(next.dueDate, locale, state.today);
  const named = (dueDate = '') => payment(dayName(dueDate, locale, state.today));
  switch (situation) {
    case 'waiting':
      return titles.waiting;
    case 'confirmation':
      return words.bankConfirmation.title;
    case 'on_track':
    case 'by_hand_later':
      return titles.next(day);
    case 'due_today':
      return titles.today;
    case 'pay_by_hand':
      if (next === null || next.dueDate <= state.today) return titles.today;
      return titles.byHand(day);
    case 'processing':
      return titles.processing(named(next?.dueDate));
    case 'paused':
      return words.collectionsPaused.title;
    case 'card_ends':
      return titles.cardEnds;
    case 'account_refused':
      return titles.refused(methodName(management.payment_method, words));
    case 'earlier_plan': {
      const { left_in_cents = 0, rent_cycle_date = state.today } = state.reopened_plan ?? {};
      return titles.earlier(formatMoney(left_in_cents, locale), monthName(rent_cycle_date, locale));
    }
    case 'completed':
    case 'canceled':
    case 'settled':
      return titles[situation];
    case 'charged_off':
      return titles.chargedOff;
    case 'unpaid':
    case 'retrying':
    case 'failed':
    case 'taken_back':
    case 'late_account_refused':
      return lateTitle();
  }

  function lateTitle(): string {
    if (plan.state === 'past_due') return titles.pastDue;
    if (late.length > 1) return titles.lateCount(late.length);
    const name = named(late[0]?.dueDate);
    if (situation === 'unpaid') return titles.late(name);
    return situation === 'taken_back' ? titles.returned(name) : titles.failed(name);
  }
}
