import type { ExperienceState, PlanManagement } from '@svc/contract';
import { cardMonth, dateInWords, longDate, monthName } from '../../format/dates.ts';
import { money } from '../../format/money.ts';
import { type Payment, paymentProgress, paymentsOfPlan } from '../../format/payments.ts';
import { Ring } from '../../parts/payments/ring.tsx';
import { bankReason, methodName, payeeOf } from '../../words/names.ts';
import { useWords } from '../../words/use-words.ts';
import type { PlanPageProps } from './plan-page.ts';
import type { Situation } from './situation.ts';

interface PlanStatusProps extends PlanPageProps {
  situation: Situation;
}

/** The plan's status: problems and what to do about them, what is paid, and what comes next. */
export function PlanStatus({ situation, ...props }: PlanStatusProps) {
  const { state, plan, management } = props;
  const { words } = useWords();
  const copy = words.manage;
  const progress = paymentProgress(paymentsOfPlan(props));
  const isOpen = ['active', 'past_due'].includes(plan.state);
  return (
    <>
      {situation === 'earlier_plan' && <ReopenedPlanNotice state={state} />}
      {isOpen && management.collections_paused && (
        <StatusNotice
          tone="info"
          title={words.collectionsPaused.title}
          texts={[words.collectionsPaused.text]}
        />
      )}
      {isOpen && progress.late.length > 0 && (
        <LateNotice {...props} situation={situation} late={progress.late} />
      )}
      {situation === 'account_refused' && <RefusedNotice management={management} />}
      {isOpen && <CreditNotice state={state} management={management} />}
      {isOpen && <BillChangeNotice management={management} />}
      {isOpen && state.eligibility.reason === 'open_plan' && (
        <p>{words.blocked.reasons.open_plan.text}</p>
      )}
      {isOpen && <CardExpiryNotice state={state} management={management} />}
      {situation === 'canceled' && <p>{copy.canceledText}</p>}
      {!['canceled', 'created'].includes(plan.state) && (
        <div class="svc-card summary">
          <Ring
            paid={progress.paidCount}
            all={progress.count}
            label={copy.ring(progress.paidCount, progress.count)}
            caption={copy.ringLabel}
          />
          <Summary {...props} situation={situation} />
        </div>
      )}
    </>
  );
}

interface StatusNoticeProps {
  title: string;
  texts: readonly string[];
  tone?: 'warn' | 'info';
}

function StatusNotice({ title, texts, tone = 'warn' }: StatusNoticeProps) {
  return (
    <div class={`svc-notice svc-tone-${tone}`}>
      <p class="svc-notice__title">{title}</p>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

/** An earlier plan that is owed again, because a bank returned one of its payments. */
function ReopenedPlanNotice({
  state: { reopened_plan, payment_method },
}: {
  state: ExperienceState;
}) {
  const { words, locale } = useWords();
  const copy = words.manage;
  if (reopened_plan === null || payment_method === null) return null;
  const { left_in_cents, rent_cycle_date } = reopened_plan;
  const amount = money(left_in_cents, locale);
  return (
    <StatusNotice
      title={copy.reopened(monthName(rent_cycle_date, locale))}
      texts={[copy.reopenedText(amount, methodName(payment_method, words))]}
    />
  );
}

/** A warning that the card expires before the last payment. */
function CardExpiryNotice({ state, management }: Pick<PlanPageProps, 'state' | 'management'>) {
  const { words, locale } = useWords();
  const { card_ends_before: day, payment_method } = management;
  if (day === null || payment_method.expires === null) return null;
  const { cardEnds, cardEndsText } = words.manage;
  return (
    <StatusNotice
      title={cardEnds(cardMonth(payment_method.expires))}
      texts={[cardEndsText(dateInWords(day, locale, state.today))]}
    />
  );
}

/** Nothing is late yet, but the account or card can't be used for the next payments. */
function RefusedNotice({ management }: { management: PlanManagement }) {
  const { words } = useWords();
  const copy = words.manage;
  const { method_refusal, payment_method } = management;
  if (method_refusal === null) return null;
  return (
    <StatusNotice
      title={copy.refused(methodName(payment_method, words))}
      texts={[`${bankReason(method_refusal.return_code, words)} ${copy.refusedText}`]}
    />
  );
}

/** All late payments in one notice: why, how much, and what to do. */
function LateNotice(props: PlanStatusProps & { late: readonly Payment[] }) {
  const { state, plan, management, situation, late } = props;
  const { words, locale } = useWords();
  const copy = words.manage;
  const parts = late.flatMap(
    (payment) => management.installments.find(({ id }) => id === payment.id) ?? [],
  );
  const reasonFor = (lateId: string | undefined) => {
    const failure = parts.find(({ id }) => id === lateId)?.failure;
    return failure ? bankReason(failure.return_code, words) : '';
  };
  const again = parts.find((part) => part.next_attempt_on !== null)?.next_attempt_on ?? null;
  const isPastDue = plan.state === 'past_due';
  return (
    <StatusNotice
      title={isPastDue ? copy.pastDue : title()}
      texts={[
        ...late.map(({ id, amountInCents, dueDate }, index) => {
          const why = reasonFor(id);
          const owed = copy.lateText(
            money(amountInCents, locale),
            longDate(dueDate, locale, state.today),
          );
          return why === reasonFor(late[index - 1]?.id) ? owed : `${why} ${owed}`.trim();
        }),
        [copy.lateFree, ...(isPastDue ? [copy.pastDueText] : []), nextStep()].join(' '),
      ]}
    />
  );

  function title(): string {
    if (situation === 'unpaid') return copy.unpaid(late.length);
    return parts.some(({ failure }) => failure?.taken_back) ? copy.paymentReversed : copy.late;
  }

  function nextStep(): string {
    if (situation === 'late_account_refused') return copy.refusedText;
    if (situation === 'unpaid') return management.autopay ? copy.unpaidText : copy.unpaidByHand;
    return again === null ? copy.lateNoRetry : copy.lateRetry(longDate(again, locale, state.today));
  }
}

/** Explains why the payments are smaller than agreed. */
function CreditNotice({ state, management }: Pick<PlanPageProps, 'state' | 'management'>) {
  const { words, locale } = useWords();
  const { creditTitle, creditText } = words.manage;
  const { credited_in_cents } = management.amounts;
  if (credited_in_cents === 0) return null;
  const title = creditTitle(money(credited_in_cents, locale), payeeOf(state, words));
  return <StatusNotice tone="info" title={title} texts={[creditText]} />;
}

/** The portal's bill has changed since the plan was made. The plan stays as agreed. */
function BillChangeNotice({ management }: { management: PlanManagement }) {
  const { words, locale } = useWords();
  const copy = words.history;
  const { credited_in_cents, refunded_in_cents } = management.amounts;
  const billed = management.history.reduce(
    (sum, { kind, amount_in_cents }) =>
      kind === 'charge_changed' ? sum + (amount_in_cents ?? 0) : sum,
    0,
  );
  // If the bill went down, only the part that has not been credited or refunded yet.
  const change = billed > 0 ? billed : Math.min(0, billed + credited_in_cents + refunded_in_cents);
  if (change === 0) return null;
  const amount = money(Math.abs(change), locale);
  return (
    <StatusNotice
      tone="info"
      title={change > 0 ? copy.chargeUp(amount) : copy.chargeDown(amount)}
      texts={[change > 0 ? words.manage.chargeUp : words.manage.chargeDown]}
    />
  );
}

/** Next to the ring: what is overdue, or the next payment, or how the plan ended. */
function Summary({ situation, ...props }: PlanStatusProps) {
  const { state, management } = props;
  const { words, locale } = useWords();
  const copy = words.manage;
  const { amounts, autopay, payment_method } = management;
  const { late, next } = paymentProgress(paymentsOfPlan(props));
  const [first] = late;
  if (situation === 'charged_off') {
    const { support_email } = state.terms;
    return <p>{copy.chargedOffText(money(amounts.left_in_cents, locale), support_email)}</p>;
  }
  if (next === null || situation === 'settled') {
    return <p>{copy.completedText(money(amounts.paid_in_cents, locale))}</p>;
  }
  if (first !== undefined) {
    const day = longDate(first.dueDate, locale, state.today);
    return (
      <Amount
        title={copy.open}
        amount={money(amounts.late_in_cents, locale)}
        text={late.length === 1 ? copy.openText(day) : copy.openCount(late.length)}
      />
    );
  }
  const day = longDate(next.dueDate, locale, state.today);
  const whenText = (on: string) => {
    if (!autopay) return copy.nextByHand(on);
    if (management.collections_paused) return words.collectionsPaused.next(on);
    return copy.nextText(on, methodName(payment_method, words));
  };
  return (
    <Amount title={copy.next} amount={money(next.amountInCents, locale)} text={whenText(day)} />
  );
}

function Amount({ title, amount, text }: { title: string; amount: string; text: string }) {
  return (
    <div class="summary__next">
      <h2 class="subtitle-small">{title}</h2>
      <p class="amount">{amount}</p>
      <p>{text}</p>
    </div>
  );
}
