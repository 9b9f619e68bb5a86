import type { ExperienceState, PlanManagement } from '@svc/contract';
import { pay } from '../../flow/change-plan.ts';
import { useFlow } from '../../flow/flow.ts';
import { dateInWords, monthName } from '../../format/dates.ts';
import { money } from '../../format/money.ts';
import { type Payment, paymentsOfPlan, progressOf } from '../../format/payments.ts';
import { Ring } from '../../parts/payments/ring.tsx';
import { bankSays } from '../../words/bank-says.ts';
import { methodName } from '../../words/method-name.ts';
import { useWords } from '../../words/use-words.ts';
import type { Plan } from './manage.tsx';

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
  const { paidCount, leftInCents, next, late } = progressOf(payments);
  const total = money(plan.total_of_payments_in_cents, locale);
  const { support_email } = state.terms;
  return (
    <>
      {plan.id === state.plan?.id && <Reopened state={state} />}
      {plan.state === 'past_due' && <Box title={copy.pastDue} text={copy.pastDueText} />}
      {(plan.state === 'charged_off' ? [] : late).map((payment) => (
        <Late key={payment.id} payment={payment} state={state} management={management} />
      ))}
      {plan.state === 'canceled' && <p>{copy.canceledText}</p>}
      {!['canceled', 'created'].includes(plan.state) && (
        <div class="svc-card summary">
          <Ring
            paid={paidCount}
            all={payments.length}
            label={copy.ring(paidCount, payments.length)}
            caption={copy.ringLabel}
          />
          {plan.state === 'charged_off' && (
            <p>{copy.chargedOffText(money(leftInCents, locale), support_email)}</p>
          )}
          {plan.state !== 'charged_off' &&
            (next === null ? (
              <p>{copy.completedText(total)}</p>
            ) : (
              <NextPayment payment={next} state={state} management={management} />
            ))}
        </div>
      )}
    </>
  );
}

function Box({ title, text }: { title: string; text: string }) {
  return (
    <div class="svc-notice svc-tone-warn">
      <p class="svc-notice__title">{title}</p>
      <p>{text}</p>
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
        text={copy.reopenedText(amount, methodName(payment_method, words))}
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

interface PaymentProps {
  payment: Payment;
  state: ExperienceState;
  management: PlanManagement | null;
}

function Late({ payment, state, management }: PaymentProps) {
  const { words, locale } = useWords();
  const copy = words.manage;
  const part = management?.installments.find(({ id }) => id === payment.id);
  const why = part?.failure ?? null;
  const again = part?.next_attempt_on ?? null;
  const inWords = (day: string) => dateInWords(day, locale, state.today);
  const sentences = [
    ...(why === null ? [] : [bankSays(why.return_code, words)]),
    copy.lateText(money(payment.amountInCents, locale), inWords(payment.dueDate)),
    again === null ? copy.lateNoRetry : copy.lateRetry(inWords(again)),
  ];
  return <Box title={why?.taken_back ? copy.takenBack : copy.late} text={sentences.join(' ')} />;
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
