import type { PlanManagement } from '@svc/contract';
import { openPanel, useFlow } from '../../flow/flow.ts';
import { saveDocument } from '../../flow/save-document.ts';
import { cardMonth, dateInWords, longDate } from '../../format/dates.ts';
import { formatMoney } from '../../format/money.ts';
import { type Payment, paymentProgress, paymentsOfPlan } from '../../format/payments.ts';
import { ActionRow } from '../../parts/action-row.tsx';
import { Progress } from '../../parts/payments/progress.tsx';
import { segmentsOf } from '../../parts/payments/segments-of.ts';
import { SplitBar } from '../../parts/payments/split-bar.tsx';
import { bankReason, methodName, payeeOf } from '../../words/names.ts';
import { useWords } from '../../words/use-words.ts';
import { canAskForHelp, type PlanPageProps } from './plan-page.ts';
import type { Situation } from './situation.ts';

interface PlanStatusProps extends PlanPageProps {
  situation: Situation;
}

/** The status below the title: the reason and what to do, then what is owed now or next, then what changed. */
export function PlanStatus({ situation, ...props }: PlanStatusProps) {
  const { state, plan, management } = props;
  const { words } = useWords();
  const isOpen = ['active', 'past_due'].includes(plan.state);
  return (
    <>
      {isOpen && management.collections_paused && (
        <StatusNotice
          tone="info"
          {...(situation === 'paused' ? {} : { title: words.collectionsPaused.title })}
          texts={[words.collectionsPaused.text]}
        />
      )}
      <Explanation {...props} situation={situation} />
      {plan.state === 'created' && <SplitBar segments={segmentsOf(paymentsOfPlan(props), null)} />}
      {!['canceled', 'created'].includes(plan.state) && (
        <NextPayment {...props} situation={situation} />
      )}
      {isOpen && <CreditNotice state={state} management={management} />}
      {isOpen && <BalanceChangeNotice management={management} />}
      {isOpen && state.eligibility.reason === 'open_plan' && (
        <p>{words.blocked.reasons.open_plan.text}</p>
      )}
    </>
  );
}

interface StatusNoticeProps {
  title?: string;
  texts: readonly string[];
  tone?: 'warn' | 'info';
}

function StatusNotice({ title, texts, tone = 'warn' }: StatusNoticeProps) {
  return (
    <div class={`svc-notice svc-tone-${tone}`}>
      {title !== undefined && <p class="svc-notice__title">{title}</p>}
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

/** Explains why the plan is in its situation, and what the tenant can do about it. */
function Explanation(props: PlanStatusProps) {
  const { state, plan, management, situation } = props;
  const { words } = useWords();
  const withoutNotice = useWithoutNotice();
  const copy = words.manage;
  const { late } = paymentProgress(paymentsOfPlan(props));
  const { payment_method, method_refusal, card_ends_before } = management;
  switch (situation) {
    case 'earlier_plan':
      return (
        <>
          {state.payment_method !== null && (
            <StatusNotice texts={[copy.reopenedText(methodName(state.payment_method, words))]} />
          )}
          {late.length > 0 && <LateNotice {...props} late={late} />}
          <CardExpiryNotice state={state} management={management} />
        </>
      );
    case 'account_refused': {
      const reasons = withoutNotice([bankReason(method_refusal?.return_code ?? '', words)]);
      return <StatusNotice texts={[[...reasons, copy.refusedText].join(' ')]} />;
    }
    case 'card_ends':
      return <CardExpiryNotice state={state} management={management} />;
    default:
      if (late.length === 0 || !['active', 'past_due'].includes(plan.state)) return null;
      return (
        <>
          <LateNotice {...props} late={late} />
          {card_ends_before !== null && payment_method.expires !== null && (
            <CardExpiryNotice state={state} management={management} />
          )}
        </>
      );
  }
}

/** Returns a function that leaves out the reason that the notice above gives for a failed payment. */
function useWithoutNotice(): (reasons: readonly string[]) => string[] {
  const { words } = useWords();
  const notice = useFlow().store.notice.value;
  const given =
    notice?.kind === 'repayment_failed' ? bankReason(notice.returnCode, words) : undefined;
  return (reasons) => reasons.filter((it) => it !== given);
}

/** A warning that the card expires before the last payment. */
function CardExpiryNotice({ state, management }: Pick<PlanPageProps, 'state' | 'management'>) {
  const { words, locale } = useWords();
  const { card_ends_before: day, payment_method } = management;
  if (day === null || payment_method.expires === null) return null;
  const text = words.manage.cardEndsText(
    cardMonth(payment_method.expires),
    longDate(day, locale, state.today),
  );
  return <StatusNotice texts={[text]} />;
}

/** Explains why payments are late, and what happens next. The amounts are on the card below. */
function LateNotice({
  state,
  plan,
  management,
  situation,
  late,
}: PlanStatusProps & { late: readonly Payment[] }) {
  const { words, locale } = useWords();
  const withoutNotice = useWithoutNotice();
  const copy = words.manage;
  const parts = late.flatMap(
    (payment) => management.installments.find(({ id }) => id === payment.id) ?? [],
  );
  const reasons = parts.flatMap(({ failure }) =>
    failure === null ? [] : bankReason(failure.return_code, words),
  );
  const again = parts.find((part) => part.next_attempt_on !== null)?.next_attempt_on ?? null;
  const isPastDue = plan.state === 'past_due';
  return (
    <StatusNotice
      texts={[
        [...withoutNotice([...new Set(reasons)]), nextStep(), copy.lateFree].join(' '),
        ...(isPastDue ? [copy.pastDueText] : []),
      ]}
    />
  );

  function nextStep(): string {
    if (situation === 'late_account_refused') return copy.refusedText;
    if (reasons.length === 0) return management.autopay ? copy.unpaidText : copy.unpaidByHand;
    return again === null ? copy.lateNoRetry : copy.lateRetry(longDate(again, locale, state.today));
  }
}

/** Explains why the payments are smaller than agreed. */
function CreditNotice({ state, management }: Pick<PlanPageProps, 'state' | 'management'>) {
  const { words, locale } = useWords();
  const { creditTitle, creditText, waiverTitle, waiverText } = words.manage;
  const { credited_in_cents, waived_in_cents } = management.amounts;
  const credit = credited_in_cents - waived_in_cents;
  return (
    <>
      {credit === 0 ? null : (
        <StatusNotice
          tone="info"
          title={creditTitle(formatMoney(credit, locale), payeeOf(state, words))}
          texts={[creditText]}
        />
      )}
      {waived_in_cents === 0 ? null : (
        <StatusNotice
          tone="info"
          title={waiverTitle(formatMoney(waived_in_cents, locale))}
          texts={[waiverText]}
        />
      )}
    </>
  );
}

/** Says that the portal's balance has changed since the plan was made. The plan stays as agreed. */
function BalanceChangeNotice({ management }: { management: PlanManagement }) {
  const { words, locale } = useWords();
  const copy = words.history;
  const { credited_in_cents, waived_in_cents, refunded_in_cents } = management.amounts;
  const returned = credited_in_cents - waived_in_cents + refunded_in_cents;
  const billed = management.history.reduce(
    (sum, { kind, amount_in_cents }) =>
      kind === 'charge_changed' ? sum + (amount_in_cents ?? 0) : sum,
    0,
  );
  // If the balance went down, only the part that has not been credited or refunded yet is shown.
  const change = billed > 0 ? billed : Math.min(0, billed + returned);
  if (change === 0) return null;
  const amount = formatMoney(Math.abs(change), locale);
  return (
    <StatusNotice
      tone="info"
      title={change > 0 ? copy.chargeUp(amount) : copy.chargeDown(amount)}
      texts={[change > 0 ? words.manage.chargeUp : words.manage.chargeDown]}
    />
  );
}

/** The card with what is owed now, or the next payment, or how the plan ended, and the progress. */
function NextPayment(props: PlanStatusProps) {
  const { state, management, situation } = props;
  const flow = useFlow();
  const { words, locale } = useWords();
  const copy = words.manage;
  const payments = paymentsOfPlan(props);
  const { paidCount, count, next } = paymentProgress(payments);
  const { left_in_cents, late_in_cents } = management.amounts;
  // The amount above is already all that is left: the last payment, all that is late, or a closed plan's balance.
  const isSaidAbove =
    left_in_cents === (late_in_cents || next?.amountInCents) ||
    left_in_cents === 0 ||
    situation === 'charged_off';
  return (
    <div class="svc-card svc-card--flush summary">
      <div class="summary__body">
        <Due {...props} />
        {count > 0 && (
          <Progress
            segments={segmentsOf(payments, next?.id ?? null)}
            label={copy.progress(paidCount, count)}
            left={isSaidAbove ? '' : copy.left(formatMoney(left_in_cents, locale))}
          />
        )}
      </div>
      {!['processing', 'confirmation'].includes(situation) &&
        canAskForHelp(props) &&
        state.plan?.id === props.plan.id && (
          <ul class="list">
            <ActionRow
              title={words.cantPay.title}
              note={words.cantPay.note}
              onPress={() => openPanel(flow, { kind: 'cant_pay' })}
            />
          </ul>
        )}
      {situation === 'completed' && left_in_cents === 0 && <PayoffLetter {...props} />}
    </div>
  );
}

/** Saves the letter that a bank or a next landlord may ask for. */
function PayoffLetter({ state, plan }: PlanPageProps) {
  const flow = useFlow();
  const { words, locale } = useWords();
  const { payoff, payoffNote, payoffFile: fileName } = words.manage;
  // A session from an email link may read receipts only.
  if (state.mail_access !== null) return null;
  return (
    <ul class="list">
      <ActionRow
        title={payoff}
        note={payoffNote}
        icon="download"
        onPress={() => void saveDocument(flow, locale, { kind: 'payoff', id: plan.id, fileName })}
      />
    </ul>
  );
}

/** In these situations the title says the day of the next payment. */
const titlesWithDay: readonly Situation[] = ['on_track', 'pay_by_hand', 'by_hand_later'];

function Due({ situation, ...props }: PlanStatusProps) {
  const { state, management } = props;
  const { words, locale } = useWords();
  const copy = words.manage;
  const { amounts } = management;
  const { late, next } = paymentProgress(paymentsOfPlan(props));
  if (situation === 'charged_off') {
    return (
      <div class="summary__next">
        <h2 class="summary__label">{copy.owed}</h2>
        <p class="amount">{formatMoney(amounts.left_in_cents, locale)}</p>
        <p class="summary__end">{copy.chargedOffText(state.terms.support_email)}</p>
      </div>
    );
  }
  if (next === null || situation === 'settled') {
    const paid = formatMoney(amounts.paid_in_cents, locale);
    const refunded = formatMoney(amounts.refunded_in_cents, locale);
    const text =
      amounts.refunded_in_cents === 0
        ? copy.completedText(paid)
        : copy.completedRefundedText(paid, refunded);
    return <p class="summary__end">{text}</p>;
  }
  const [first] = late;
  if (first !== undefined) {
    return (
      <div class="summary__next">
        <h2 class="summary__label">
          {late.length === 1
            ? copy.owedSince(dateInWords(first.dueDate, locale, state.today))
            : copy.owed}
        </h2>
        <p class="amount">{formatMoney(amounts.late_in_cents, locale)}</p>
      </div>
    );
  }
  return (
    <div class="summary__next">
      <h2 class="summary__label">{labelOf(next)}</h2>
      <p class="amount">{formatMoney(next.amountInCents, locale)}</p>
      <p>{howPaid(next)}</p>
    </div>
  );

  function labelOf({ dueDate, state: paymentState }: Payment): string {
    if (situation === 'confirmation') return copy.next;
    if (paymentState === 'processing') return words.paymentState.processing;
    return dueDate === state.today ? copy.dueToday : copy.next;
  }

  /** Returns when and from which account the next payment is made. */
  function howPaid({ dueDate, state: paymentState }: Payment): string {
    const method = methodName(management.payment_method, words);
    const isToday = dueDate <= state.today;
    const day = longDate(dueDate, locale, state.today);
    if (situation === 'confirmation') return copy.unconfirmed;
    if (paymentState === 'processing') return copy.processingText(method);
    if (situation === 'account_refused') return copy.needsMethod(day);
    if (!management.autopay) {
      if (isToday) return copy.byHandToday;
      return titlesWithDay.includes(situation) ? copy.byHandThatDay : copy.byHand(day);
    }
    if (management.collections_paused) return words.collectionsPaused.next(day);
    if (isToday) return copy.autopayToday(method);
    return titlesWithDay.includes(situation)
      ? copy.autopayThatDay(method)
      : copy.autopayFrom(day, method);
  }
}
