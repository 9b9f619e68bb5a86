import type { ExperienceState } from '@svc/contract';
import { goToStep, useFlow } from '../flow/flow.ts';
import { longDate, monthName } from '../format/dates.ts';
import { evenSplit } from '../format/even-split.ts';
import { formatMoney } from '../format/money.ts';
import { CostLine } from '../parts/payments/cost-line.tsx';
import { SplitChoice } from '../parts/payments/split-choice.tsx';
import { SplitRest } from '../parts/payments/split-rest.tsx';
import { Screen } from '../parts/screen.tsx';
import { StepsList } from '../parts/steps-list.tsx';
import { capital } from '../words/capital.ts';
import { chargeName, payeeOf, productOf } from '../words/names.ts';
import { useFirstWords } from '../words/use-words.ts';
import { PastPlans } from './manage/documents/past-plans.tsx';

export function Offer({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const { words, locale } = useFirstWords();
  const due = state.cycle?.amount_due_in_cents ?? 0;
  const fee = state.terms.fee_in_cents;
  const amount = formatMoney(due, locale);
  const count = flow.store.installmentCount.value ?? state.terms.installment_counts.at(-1) ?? 0;
  return (
    <Screen
      title={words.offer.title(amount, productOf(state, words).name)}
      lead={<DueDate state={state} />}
      footer={
        <>
          <CostLine />
          <button
            type="button"
            class="svc-button svc-button--block"
            onClick={() => goToStep(flow, 'application')}
          >
            {words.offer.action}
          </button>
        </>
      }
    >
      {productOf(state, words) === words.product.share && <p class="quiet">{words.offer.share}</p>}
      <ChargeList state={state} />
      <SplitChoice
        counts={state.terms.installment_counts}
        chosen={count}
        todayOf={(it) => evenSplit(due, fee, it).today}
      >
        <SplitRest state={state} count={count} />
      </SplitChoice>
      <StepsList
        title={words.offer.how}
        steps={words.offer.steps(payeeOf(state, words), amount, formatMoney(fee, locale))}
      />
      <p class="quiet">{words.offer.actionNote}</p>
      <PastPlans state={state} />
    </Screen>
  );
}

function DueDate({ state }: { state: ExperienceState }) {
  const { words, locale } = useFirstWords();
  const { cycle, tenant, today } = state;
  if (cycle === null) return null;
  const { name } = words.product[tenant.product_variant];
  const rent = capital(words.offer.ofMonth(monthName(cycle.due_date, locale), name));
  const due = words.offer.due(rent, longDate(cycle.due_date, locale, today));
  return <>{tenant.property_name === null ? due : `${tenant.property_name} · ${due}`}</>;
}

/** The charges that make up the amount. Hidden if there is only one. */
function ChargeList({ state }: { state: ExperienceState }) {
  const { words, locale } = useFirstWords();
  const month = state.cycle?.due_date.slice(0, 7);
  const open = state.charges.filter(
    (charge) =>
      charge.due_date.startsWith(month ?? '-') &&
      charge.amount_in_cents !== charge.amount_paid_in_cents,
  );
  if (open.length < 2) return null;
  return (
    <section class="group">
      <h2 class="subtitle">{words.offer.chargesTitle}</h2>
      <ul class="svc-card svc-card--flush list">
        {open.map((charge) => (
          <li key={charge.id} class="list__row">
            <span class="list__label">{chargeName(charge, words)}</span>
            <span class="list__value">
              {formatMoney(charge.amount_in_cents - charge.amount_paid_in_cents, locale)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
