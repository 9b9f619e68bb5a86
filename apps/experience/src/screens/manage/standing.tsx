import type { ExperienceState, PlanManagement } from '@svc/contract';
import { pay } from '../../flow/change-plan.ts';
import { useFlow } from '../../flow/flow.ts';
import { cardMonth, dateInWords, monthName } from '../../format/dates.ts';
import { money } from '../../format/money.ts';
import { type Payment, paymentsOfPlan, progressOf } from '../../format/payments.ts';
import { Ring } from '../../parts/payments/ring.tsx';
import { bankSays } from '../../words/bank-says.ts';
import { methodName } from '../../words/method-name.ts';
import { useWords } from '../../words/use-words.ts';
import type { Plan } from './room.ts';

interface StandingProps {
  state: ExperienceState;
  plan: Plan;
  management: PlanManagement | null;
}

/** Where the plan stands: what went wrong and what then, what is paid, what comes next. */
export function Standing({ state, plan, management }: StandingProps) {
  const { words, locale } = useWords();
  const copy = words.manage;
  const payments = paymentsOfPlan(plan);
  const { paidCount, count, paidInCents, leftInCents, next } = progressOf(payments);
  const { support_email } = state.terms;
  const left = management?.left_in_cents ?? leftInCents;
  const isOpen = ['active', 'past_due'].includes(plan.state);
  return (
    <>
      {plan.id === state.plan?.id && <Reopened state={state} />}
      {isOpen && <Late state={state} plan={plan} management={management} />}
      {isOpen && management !== null && <Changed management={management} />}
      {isOpen && state.eligibility.reason === 'open_plan' && (
        <p>{words.blocked.reasons.open_plan.text}</p>
      )}
      {management !== null && <CardEnd state={state} management={management} />}
      {plan.state === 'canceled' && <p>{copy.canceledText}</p>}
      {!['canceled', 'created'].includes(plan.state) && (
        <div class="svc-card summary">
          <Ring
            paid={paidCount}
            all={count}
            label={copy.ring(paidCount, count)}
            caption={copy.ringLabel}
          />
          {plan.state === 'charged_off' && (
            <p>{copy.chargedOffText(money(left, locale), support_email)}</p>
          )}
          {plan.state !== 'charged_off' &&
            (next === null ? (
              <p>{copy.completedText(money(paidInCents, locale))}</p>
            ) : (
              <NextPayment payment={next} state={state} management={management} />
            ))}
        </div>
      )}
    </>
  );
}

interface BoxProps {
  title: string;
  texts: readonly string[];
  tone?: 'warn' | 'info';
}

function Box({ title, texts, tone = 'warn' }: BoxProps) {
  return (
    <div class={`svc-notice svc-tone-${tone}`}>
      <p class="svc-notice__title">{title}</p>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

/** An earlier plan of which a bank took a payment back: owed beside the one on screen. */
function Reopened({ state: { reopened_plan, payment_method } }: { state: ExperienceState }) {
  const flow = useFlow();
  const { words, locale } = useWords();
  const copy = words.manage;
  if (reopened_plan === null || payment_method === null) return null;
  const { id, installment_ids, left_in_cents, rent_cycle_date } = reopened_plan;
  const amount = money(left_in_cents, locale);
  return (
    <>
      <Box
        title={copy.reopened(monthName(rent_cycle_date, locale))}
        texts={[copy.reopenedText(amount, methodName(payment_method, words))]}
      />
      <button
        type="button"
        class="svc-button svc-button--block"
        onClick={() => void pay(flow, installment_ids, id)}
      >
        {copy.payNow(amount)}
      </button>
    </>
  );
}

/** Told while there is time: the payment would fail. */
function CardEnd({ state, management }: { state: ExperienceState; management: PlanManagement }) {
  const { words, locale } = useWords();
  const { card_ends_before: day, payment_method } = management;
  if (day === null || payment_method.expires === null) return null;
  const { cardEnds, cardEndsText } = words.manage;
  return (
    <Box
      title={cardEnds(cardMonth(payment_method.expires))}
      texts={[cardEndsText(dateInWords(day, locale, state.today))]}
    />
  );
}

/** All that is late in one box: why, how much, and what then. */
function Late({ state, plan, management }: StandingProps) {
  const { words, locale } = useWords();
  const copy = words.manage;
  const { late } = progressOf(paymentsOfPlan(plan));
  if (late.length === 0) return null;
  const inWords = (day: string) => dateInWords(day, locale, state.today);
  const parts = late.flatMap(
    (payment) => management?.installments.find(({ id }) => id === payment.id) ?? [],
  );
  const whyOf = (lateId: string | undefined) => {
    const failure = parts.find(({ id }) => id === lateId)?.failure;
    return failure ? bankSays(failure.return_code, words) : '';
  };
  const again = parts.find((part) => part.next_attempt_on !== null)?.next_attempt_on ?? null;
  const isPastDue = plan.state === 'past_due';
  const what = parts.some(({ failure }) => failure?.taken_back) ? copy.takenBack : copy.late;
  return (
    <Box
      title={isPastDue ? copy.pastDue : what}
      texts={[
        ...late.map(({ id, amountInCents, dueDate }, index) => {
          const why = whyOf(id);
          const open = copy.lateText(money(amountInCents, locale), inWords(dueDate));
          return why === whyOf(late[index - 1]?.id) ? open : `${why} ${open}`.trim();
        }),
        [
          copy.lateFree,
          ...(isPastDue ? [copy.pastDueText] : []),
          again === null ? copy.lateNoRetry : copy.lateRetry(inWords(again)),
        ].join(' '),
      ]}
    />
  );
}

/** The portal bills another amount than the plan was made for: the plan stays as agreed. */
function Changed({ management }: { management: PlanManagement }) {
  const { words, locale } = useWords();
  const copy = words.history;
  const { credited_in_cents = 0, refunded_in_cents = 0, history } = management;
  const billed = history.reduce(
    (sum, { kind, amount_in_cents }) =>
      kind === 'charge_changed' ? sum + (amount_in_cents ?? 0) : sum,
    0,
  );
  // Of a bill that went down, what has not come back yet.
  const change = billed > 0 ? billed : Math.min(0, billed + credited_in_cents + refunded_in_cents);
  if (change === 0) return null;
  const amount = money(Math.abs(change), locale);
  return (
    <Box
      tone="info"
      title={change > 0 ? copy.chargeUp(amount) : copy.chargeDown(amount)}
      texts={[change > 0 ? words.manage.chargeUp : words.manage.chargeDown]}
    />
  );
}

interface PaymentProps {
  payment: Payment;
  state: ExperienceState;
  management: PlanManagement | null;
}

function NextPayment({ payment, state, management }: PaymentProps) {
  const { words, locale } = useWords();
  const copy = words.manage;
  const day = dateInWords(payment.dueDate, locale, state.today);
  const isLate = ['failed', 'overdue'].includes(payment.state);
  const method = management?.payment_method ?? state.payment_method;
  const account = method === null ? null : methodName(method, words);
  const coming = management?.autopay === false ? copy.nextByHand(day) : copy.nextText(day, account);
  return (
    <div class="summary__next">
      <h2 class="minor">{isLate ? copy.open : copy.next}</h2>
      <p class="amount">{money(payment.amountInCents, locale)}</p>
      <p>{isLate ? copy.openText(day) : coming}</p>
    </div>
  );
}
