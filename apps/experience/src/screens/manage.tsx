import type { ExperienceState } from '@svc/contract';
import { close, useFlow } from '../flow/flow.ts';
import { dateInWords, fullDate } from '../format/dates.ts';
import { money, percent } from '../format/money.ts';
import { type Payment, paymentsOfPlan, progressOf } from '../format/payments.ts';
import { CalendarButton } from '../parts/payments/calendar-button.tsx';
import { Ring } from '../parts/payments/ring.tsx';
import { Schedule } from '../parts/payments/schedule.tsx';
import { Screen } from '../parts/screen.tsx';
import { payeeOf } from '../words/payee.ts';
import { useWords } from '../words/use-words.ts';

type Plan = NonNullable<ExperienceState['plan']>;

/** The home of a plan: what is left, what comes next, what was paid. */
export function Manage({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const { words, locale } = useWords();
  const copy = words.manage;
  const { plan } = state;
  if (plan === null) return null;
  const payments = paymentsOfPlan(plan);
  const { paidCount, leftInCents, next, late } = progressOf(payments);
  const open = payments.filter(({ state: it }) => !['paid', 'canceled'].includes(it));
  const title =
    open.length === 0 ? copy.completed : copy.title(open.length, money(leftInCents, locale));
  return (
    <Screen
      title={title}
      footer={
        <button type="button" class="svc-button svc-button--block" onClick={() => close(flow)}>
          {words.backToPortal(state.tenant.product_variant)}
        </button>
      }
    >
      {late.map((payment) => (
        <div key={payment.id} class="svc-notice svc-tone-warn">
          <p class="svc-notice__title">{copy.late}</p>
          <p>
            {copy.lateText(
              money(payment.amountInCents, locale),
              dateInWords(payment.dueDate, locale, state.today),
            )}
          </p>
        </div>
      ))}
      <div class="svc-card summary">
        <Ring
          paid={paidCount}
          all={payments.length}
          label={copy.ring(paidCount, payments.length)}
          caption={copy.ringLabel}
        />
        {next === null ? (
          <p>{copy.completedText(money(plan.total_of_payments_in_cents, locale))}</p>
        ) : (
          <NextPayment payment={next} state={state} />
        )}
      </div>
      <section class="group">
        <h2 class="subtitle">{copy.schedule}</h2>
        <div class="svc-card">
          <Schedule
            payments={payments}
            today={state.today}
            nextId={next?.id ?? null}
            label={copy.schedule}
          />
        </div>
        <CalendarButton />
      </section>
      <Details plan={plan} state={state} />
      <History plan={plan} payments={payments} state={state} />
    </Screen>
  );
}

function NextPayment({ payment, state }: { payment: Payment; state: ExperienceState }) {
  const { words, locale } = useWords();
  const day = dateInWords(payment.dueDate, locale, state.today);
  const isLate = ['failed', 'overdue'].includes(payment.state);
  return (
    <div class="summary__next">
      <h2 class="minor">{isLate ? words.manage.open : words.manage.next}</h2>
      <p class="amount">{money(payment.amountInCents, locale)}</p>
      <p>
        {isLate
          ? words.manage.openText(day)
          : words.manage.nextText(day, state.payment_method?.label ?? null)}
      </p>
    </div>
  );
}

function Details({ plan, state }: { plan: Plan; state: ExperienceState }) {
  const { words, locale } = useWords();
  const copy = words.manage;
  const { name } = words.product[plan.product_variant];
  const lines = [
    [copy.financed(name), money(plan.amount_financed_in_cents, locale)],
    [copy.fee, money(plan.fee_in_cents, locale)],
    [copy.total, money(plan.total_of_payments_in_cents, locale)],
    [copy.apr, percent(plan.apr_bps, locale)],
    ...(state.payment_method === null ? [] : [[words.choice.from, state.payment_method.label]]),
    [copy.number, plan.id],
  ];
  return (
    <section class="group">
      <h2 class="subtitle">{copy.details}</h2>
      <dl class="svc-card svc-card--flush lines">
        {lines.map(([term, value]) => (
          <div key={term} class="lines__line">
            <dt class="lines__term">{term}</dt>
            <dd class="lines__value">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Newest first. A payment that was moved stands under the day it was due. */
function History(props: { plan: Plan; payments: Payment[]; state: ExperienceState }) {
  const { plan, payments, state } = props;
  const { words, locale } = useWords();
  const copy = words.manage;
  const started = payments[0]?.dueDate ?? plan.rent_cycle_date;
  const lines = [
    {
      day: started,
      text: copy.historyStart(money(plan.amount_financed_in_cents, locale), payeeOf(state, words)),
    },
    ...payments
      .filter((payment) => payment.state === 'paid')
      .map((payment) => ({
        day: payment.dueDate,
        text: copy.historyPaid(payment.number, money(payment.amountInCents, locale)),
      })),
  ].reverse();
  return (
    <section class="group">
      <h2 class="subtitle">{copy.history}</h2>
      <ul class="svc-card svc-card--flush lines">
        {lines.map(({ day, text }) => (
          <li key={text} class="lines__line lines__line--stack">
            <span>{text}</span>
            <span class="lines__aside">{fullDate(day, locale)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
