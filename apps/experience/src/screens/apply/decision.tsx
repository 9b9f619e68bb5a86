import type { ExperienceState } from '@svc/contract';
import { close, go, useFlow } from '../../flow/flow.ts';
import { refresh } from '../../flow/submit.ts';
import { dateInWords, dayOfMidnight } from '../../format/dates.ts';
import { money } from '../../format/money.ts';
import { Emblem } from '../../parts/icons.tsx';
import { CostLine } from '../../parts/payments/cost-line.tsx';
import { Glance } from '../../parts/payments/glance.tsx';
import { Screen } from '../../parts/screen.tsx';
import { StepsList } from '../../parts/steps-list.tsx';
import { useWords } from '../../words/use-words.ts';

/** Approved, or still looking. A decline has its own page. */
export function Decision({ state }: { state: ExperienceState }) {
  return state.application?.state === 'approved' ? (
    <Approved state={state} />
  ) : (
    <InReview state={state} />
  );
}

function Approved({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const { words, locale } = useWords();
  const due = state.cycle?.amount_due_in_cents ?? 0;
  const last = state.cycle === null ? null : dayOfMidnight(state.cycle.closes_at, 'trailing');
  const until = last === null ? '' : words.decision.until(dateInWords(last, locale, state.today));
  return (
    <Screen
      title={words.decision.title(money(due, locale))}
      lead={[words.decision.lead, until].filter(Boolean).join(' ')}
      emblem={<Emblem name="check" />}
      footer={
        <>
          <CostLine />
          <button
            type="button"
            class="svc-button svc-button--block"
            onClick={() => go(flow, state.step === 'plan_choice' ? 'plan_choice' : state.step)}
          >
            {words.decision.action}
          </button>
        </>
      }
    >
      <Glance state={state} />
      <StepsList title={words.decision.next} steps={words.decision.steps} />
    </Screen>
  );
}

function InReview({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const { words } = useWords();
  return (
    <Screen
      title={words.decision.reviewTitle}
      lead={words.decision.reviewLead}
      emblem={<Emblem name="clock" tone="plain" />}
      footer={
        <>
          <CostLine />
          <div class="actions">
            <button
              type="button"
              class="svc-button svc-button--secondary svc-button--block"
              onClick={() => close(flow)}
            >
              {words.backToPortal(state.tenant.product_variant)}
            </button>
            <button
              type="button"
              class="svc-button svc-button--block"
              aria-busy={flow.store.busy.value}
              onClick={() => void refresh(flow)}
            >
              {words.checkAgain}
            </button>
          </div>
        </>
      }
    >
      <Glance state={state} />
    </Screen>
  );
}
