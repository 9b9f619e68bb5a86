import type { ExperienceState } from '@svc/contract';
import { useCallback } from 'preact/hooks';
import { closeExperience, useFlow } from '../../flow/flow.ts';
import { checkReview, pollReview } from '../../flow/submit.ts';
import { usePoll } from '../../flow/use-poll.ts';
import { Emblem } from '../../parts/icons.tsx';
import { CostLine } from '../../parts/payments/cost-line.tsx';
import { SplitPreview } from '../../parts/payments/split-preview.tsx';
import { Screen } from '../../parts/screen.tsx';
import { StepsList } from '../../parts/steps-list.tsx';
import { productOf } from '../../words/names.ts';
import { useWords } from '../../words/use-words.ts';
import { lastDay } from './plan-choice.tsx';

/** A visible page checks at least this often whether the review has ended. */
const longestPollIntervalMs = 10_000;

/** Shown while an application is in review. Next comes the choice of payments, or the decline. */
export function Decision({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const { words, locale } = useWords();
  const copy = words.decision;
  const poll = useCallback(() => pollReview(flow), [flow]);
  usePoll(poll, longestPollIntervalMs);
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
        steps={copy.reviewSteps(lastDay(state, locale), productOf(state, words).yours)}
      />
      <SplitPreview state={state} />
    </Screen>
  );
}
