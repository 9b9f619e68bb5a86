import type { ExperienceState } from '@svc/contract';
import { closeExperience, goToStep, openPanel, useFlow } from '../../flow/flow.ts';
import { longDate } from '../../format/dates.ts';
import { formatMoney } from '../../format/money.ts';
import { type Payment, paymentProgress, paymentsOfPlan } from '../../format/payments.ts';
import { CalendarButton } from '../../parts/payments/calendar-button.tsx';
import { PlanCost } from '../../parts/payments/plan-cost.tsx';
import { Schedule } from '../../parts/payments/schedule.tsx';
import { segmentsOf } from '../../parts/payments/segments-of.ts';
import { SplitBar } from '../../parts/payments/split-bar.tsx';
import { SplitRing } from '../../parts/payments/split-ring.tsx';
import { Screen } from '../../parts/screen.tsx';
import { StepsList } from '../../parts/steps-list.tsx';
import { methodName, payeeOf, productOfPlan } from '../../words/names.ts';
import { useWords } from '../../words/use-words.ts';
import { Documents } from '../manage/documents/documents.tsx';
import { Manage } from '../manage/manage.tsx';
import { TextsRow } from '../manage/text-reminders.tsx';

/** Shown once after a plan was made: what was paid, what happens next, and the schedule. */
export function Done({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const { words, locale } = useWords();
  const { plan, management } = state;
  if (plan === null || management === null) return null;
  // The server's step `done` also covers a plan that has just been paid in full.
  if (plan.state === 'completed') return <Manage state={state} />;
  const payments = paymentsOfPlan({ plan, management });
  const { next } = paymentProgress(payments);
  const segments = segmentsOf(payments, null);
  return (
    <Screen
      title={productOfPlan({ plan, management }, words).split}
      lead={words.done.lead(
        formatMoney(payments[0]?.amountInCents ?? 0, locale),
        state.payment_method === null ? '' : methodName(state.payment_method, words),
      )}
      emblem={<SplitRing segments={segments} icon="check" />}
      footer={
        <div class="actions actions--short">
          <button
            type="button"
            class="svc-button svc-button--secondary svc-button--block"
            onClick={() => goToStep(flow, 'manage')}
          >
            {words.done.see}
          </button>
          <button
            type="button"
            class="svc-button svc-button--block"
            onClick={() => closeExperience(flow)}
          >
            {words.done.close}
          </button>
        </div>
      }
    >
      <SplitBar segments={segments} fills />
      <section class="group">
        <h2 class="subtitle">{words.done.schedule}</h2>
        <div class="svc-card">
          <Schedule
            payments={payments}
            today={state.today}
            nextId={next?.id ?? null}
            label={words.done.schedule}
          />
        </div>
        <PlanCost plan={plan} management={management} />
        <CalendarButton />
        {state.texts && (
          <ul class="svc-card svc-card--flush list">
            <TextsRow state={state} />
          </ul>
        )}
      </section>
      <NextSteps state={state} plan={plan} payments={payments} />
      <Documents
        state={state}
        plan={plan}
        management={management}
        onDocument={(chosen) => openPanel(flow, { kind: 'document', document: chosen })}
      />
      <p class="quiet">
        {words.manage.number} {plan.id}
      </p>
    </Screen>
  );
}

type Plan = NonNullable<ExperienceState['plan']>;

interface NextStepsProps {
  state: ExperienceState;
  plan: Plan;
  payments: readonly Payment[];
}

function NextSteps({ state, plan, payments }: NextStepsProps) {
  const { debitBy } = useFlow().store;
  const { words, locale } = useWords();
  const nextPayment = payments.find((payment) => payment.dueDate > state.today);
  const inWords = (day: string) => longDate(day, locale, state.today);
  return (
    <StepsList
      title={words.done.next}
      steps={words.done.steps(
        payeeOf(state, words),
        formatMoney(plan.amount_financed_in_cents, locale),
        debitBy === null ? null : inWords(debitBy),
        nextPayment === undefined ? null : inWords(nextPayment.dueDate),
      )}
    />
  );
}
