import { useCallback } from 'preact/hooks';
import { useFlow } from '../../../flow/flow.ts';
import { pollSetup } from '../../../flow/submit.ts';
import { usePoll } from '../../../flow/use-poll.ts';
import { setupReason } from '../../../words/names.ts';
import { useWords } from '../../../words/use-words.ts';

/** How often a visible page asks whether the account or card is ready. */
const pollIntervalMs = 3_000;

/** Continues once the processor has the account or card. */
export function usePollSetup(): void {
  const flow = useFlow();
  const poll = useCallback(() => pollSetup(flow), [flow]);
  usePoll(poll, pollIntervalMs);
}

/** The link to the processor's page, which opens in another tab, and what came of the last visit. */
export function PaymentPage() {
  const { words } = useWords();
  const copy = words.account.page;
  const setup = useFlow().store.setup.value;
  usePollSetup();
  if (setup === null) return <p>{copy.lead}</p>;
  return (
    <div class="svc-notice" role="status">
      {setup.state === 'open' && setup.url !== null && (
        <>
          <p class="svc-notice__title">{copy.openTitle}</p>
          <p>{copy.openText}</p>
          <a
            class="svc-button svc-button--block"
            href={setup.url}
            target="_blank"
            rel="noopener noreferrer"
          >
            {copy.open}
          </a>
        </>
      )}
      {setup.state === 'pending' && <p class="svc-notice__title">{copy.pending}</p>}
      {setup.state === 'failed' && (
        <p class="svc-notice__title">{setupReason(setup.reason, words)}</p>
      )}
    </div>
  );
}
