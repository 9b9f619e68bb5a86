import { useCallback } from 'preact/hooks';
import { useFlow } from '../../../flow/flow.ts';
import { pollSetup } from '../../../flow/submit.ts';
import { usePoll } from '../../../flow/use-poll.ts';
import { VisitLink } from '../../../parts/visit-link.tsx';
import { setupReason } from '../../../words/names.ts';
import { useWords } from '../../../words/use-words.ts';

/** A visible page asks at least this often whether the account or card is ready. */
const longestPollIntervalMs = 3_000;

/** Continues once the processor has the account or card. */
export function usePollSetup(): void {
  const flow = useFlow();
  const poll = useCallback(() => pollSetup(flow), [flow]);
  usePoll(poll, longestPollIntervalMs);
}

/** The link to the processor's page, and the result of the last visit. */
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
          <VisitLink href={setup.url}>{copy.open}</VisitLink>
        </>
      )}
      {setup.state === 'pending' && <p class="svc-notice__title">{copy.pending}</p>}
      {setup.state === 'failed' && (
        <p class="svc-notice__title">{setupReason(setup.reason, words)}</p>
      )}
    </div>
  );
}
