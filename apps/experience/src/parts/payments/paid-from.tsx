import type { ExperienceState } from '@svc/contract';
import { openMethod, useFlow } from '../../flow/flow.ts';
import { capital } from '../../words/capital.ts';
import { methodName } from '../../words/names.ts';
import { useWords } from '../../words/use-words.ts';

/** The account or card that will be charged, and a button to change it. */
export function PaidFrom({ state: { payment_method } }: { state: ExperienceState }) {
  const flow = useFlow();
  const step = flow.store.step.value;
  const { words } = useWords();
  return (
    <div class="list__row list__row--labeled">
      <div class="list__text">
        <p class="list__label">{words.choice.from}</p>
        <p class="list__value">{payment_method && capital(methodName(payment_method, words))}</p>
      </div>
      <button
        type="button"
        class="svc-button svc-button--quiet list__button"
        aria-label={words.choice.changeLabel}
        onClick={() => openMethod(flow, { back: step, next: step })}
      >
        {words.choice.change}
      </button>
    </div>
  );
}
