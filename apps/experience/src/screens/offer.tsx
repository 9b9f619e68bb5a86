import type { ExperienceState } from '@svc/contract';
import { goToStep, useFlow } from '../flow/flow.ts';
import { dateInWords, monthName } from '../format/dates.ts';
import { money } from '../format/money.ts';
import { CostLine } from '../parts/payments/cost-line.tsx';
import { GlanceRow } from '../parts/payments/glance.tsx';
import { Screen } from '../parts/screen.tsx';
import { StepsList } from '../parts/steps-list.tsx';
import { capital, chargeName, payeeOf, productOf } from '../words/names.ts';
import { useWords } from '../words/use-words.ts';
import { PastPlans } from './manage/papers/past-plans.tsx';

export function Offer({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const { words, locale } = useWords();
  const due = state.cycle?.amount_due_in_cents ?? 0;
  const amount = money(due, locale);
  return (
    <Screen
      title={words.offer.title(amount, productOf(state, words).name)}
      lead={<Due state={state} />}
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
      <DueList state={state} />
      <section class="group">
        <h2 class="subtitle">{words.offer.choose}</h2>
        <ul class="svc-card svc-card--flush lines">
          {state.terms.installment_counts.map((count) => (
            <li key={count} class="lines__line glance">
              <span class="lines__value">{words.payments(count)}</span>
              <GlanceRow state={state} count={count} />
            </li>
          ))}
        </ul>
      </section>
      <StepsList
        title={words.offer.how}
        steps={words.offer.steps(
          payeeOf(state, words),
          amount,
          money(state.terms.fee_in_cents, locale),
        )}
      />
      <p class="quiet">{words.offer.actionNote}</p>
      <PastPlans state={state} />
    </Screen>
  );
}

function Due({ state }: { state: ExperienceState }) {
  const { words, locale } = useWords();
  const { cycle, tenant, today } = state;
  if (cycle === null) return null;
  const { name } = words.product[tenant.product_variant];
  const bill = capital(words.offer.bill(monthName(cycle.due_date, locale), name));
  const due = words.offer.due(bill, dateInWords(cycle.due_date, locale, today));
  return <>{tenant.property_name === null ? due : `${tenant.property_name} · ${due}`}</>;
}

/** What makes up the amount, when there is more to say than one charge. */
function DueList({ state }: { state: ExperienceState }) {
  const { words, locale } = useWords();
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
      <ul class="svc-card svc-card--flush lines">
        {open.map((charge) => (
          <li key={charge.id} class="lines__line">
            <span class="lines__term">{chargeName(charge, words)}</span>
            <span class="lines__value">
              {money(charge.amount_in_cents - charge.amount_paid_in_cents, locale)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
