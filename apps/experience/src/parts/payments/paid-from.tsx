import type { ExperienceState } from '@svc/contract';
import { goToStep, useFlow } from '../../flow/flow.ts';
import { capital, methodName } from '../../words/names.ts';
import { useWords } from '../../words/use-words.ts';

/** The account or card that will be charged, and the way to another. */
export function PaidFrom({ state: { payment_method } }: { state: ExperienceState }) {
  const flow = useFlow();
  const { words } = useWords();
  return (
    <div class="lines__line lines__line--facts">
      <div class="lines__pair">
        <p class="lines__term">{words.choice.from}</p>
        <p class="lines__value">{payment_method && capital(methodName(payment_method, words))}</p>
      </div>
      <button
        type="button"
        class="svc-button svc-button--quiet lines__button"
        aria-label={words.choice.changeLabel}
        onClick={() => goToStep(flow, 'payment_method')}
      >
        {words.choice.change}
      </button>
    </div>
  );
}
