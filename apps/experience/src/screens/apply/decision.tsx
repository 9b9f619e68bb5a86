import type { ExperienceState } from '@svc/contract';
import { useEffect } from 'preact/hooks';
import { closeExperience, goToStep, useFlow } from '../../flow/flow.ts';
import { checkReview, pollReview } from '../../flow/submit.ts';
import { dateInWords, dayOfMidnight } from '../../format/dates.ts';
import { money } from '../../format/money.ts';
import { Emblem } from '../../parts/icons.tsx';
import { CostLine } from '../../parts/payments/cost-line.tsx';
import { SplitPreview } from '../../parts/payments/split-preview.tsx';
import { Screen } from '../../parts/screen.tsx';
import { StepsList } from '../../parts/steps-list.tsx';
import { productOf } from '../../words/names.ts';
import { useWords } from '../../words/use-words.ts';

/** The result of the application: approved or in review. A decline has its own screen. */
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
  const day = useLastDay(state);
  const until = day === '' ? '' : words.decision.until(day);
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
            onClick={() =>
              goToStep(flow, state.step === 'plan_choice' ? 'plan_choice' : state.step)
            }
          >
            {words.decision.action}
          </button>
        </>
      }
    >
      <SplitPreview state={state} />
      <StepsList title={words.decision.next} steps={words.decision.steps} />
    </Screen>
  );
}

/** How often a visible page checks whether the review has ended. It also checks when it becomes visible. */
const pollIntervalMs = 10_000;

function InReview({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const { words } = useWords();
  const copy = words.decision;
  useEffect(() => {
    const pollIfVisible = () => {
      if (!document.hidden) void pollReview(flow);
    };
    const timer = setInterval(pollIfVisible, pollIntervalMs);
    document.addEventListener('visibilitychange', pollIfVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', pollIfVisible);
    };
  }, [flow]);
  return (
    <Screen
      title={copy.reviewTitle}
      lead={copy.reviewLead}
      emblem={<Emblem name="clock" tone="plain" />}
      footer={
        <>
          <CostLine />
          <div class="actions">
            <button
              type="button"
              class="svc-button svc-button--secondary svc-button--block"
              onClick={() => closeExperience(flow)}
            >
              {words.backToPortal(state.tenant.product_variant)}
            </button>
            <button
              type="button"
              class="svc-button svc-button--block"
              aria-busy={flow.store.busy.value}
              onClick={() => void checkReview(flow)}
            >
              {words.checkAgain}
            </button>
          </div>
        </>
      }
    >
      <StepsList
        title={copy.next}
        steps={copy.reviewSteps(useLastDay(state), productOf(state, words).yours)}
      />
      <SplitPreview state={state} />
    </Screen>
  );
}

/** The last day on which a plan can be chosen, formatted. Empty if no cycle is open. */
function useLastDay({ cycle, today }: ExperienceState): string {
  const { locale } = useWords();
  return cycle === null
    ? ''
    : dateInWords(dayOfMidnight(cycle.closes_at, 'trailing'), locale, today);
}
