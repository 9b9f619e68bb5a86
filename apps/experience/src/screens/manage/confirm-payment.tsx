import type { ExperienceState } from '@svc/contract';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { useFlow } from '../../flow/flow.ts';
import { pollConfirmation } from '../../flow/poll-confirmation.ts';
import { usePoll } from '../../flow/use-poll.ts';
import { formatMoney } from '../../format/money.ts';
import { VisitLink } from '../../parts/visit-link.tsx';
import { useWords } from '../../words/use-words.ts';

/** A visible page asks at least this often whether the tenant has confirmed the payment. */
const longestPollIntervalMs = 3_000;

interface ConfirmPaymentProps {
  state: ExperienceState;
  /** False if the screen's title already says it. The link is then the screen's primary action. */
  hasTitle: boolean;
}

/** The link to the bank's page, while a payment waits for the tenant's confirmation there. */
export function ConfirmPayment({ state: { confirmation }, hasTitle }: ConfirmPaymentProps) {
  if (confirmation === null) return null;
  const { payment_id, amount_in_cents } = confirmation;
  return (
    <Confirmation
      key={payment_id}
      paymentId={payment_id}
      amountInCents={amount_in_cents}
      hasTitle={hasTitle}
    />
  );
}

interface ConfirmationProps {
  paymentId: string;
  amountInCents: number;
  hasTitle: boolean;
}

function Confirmation({ paymentId, amountInCents, hasTitle }: ConfirmationProps) {
  const flow = useFlow();
  const { words, locale } = useWords();
  const copy = words.bankConfirmation;
  const [url, setUrl] = useState<string | null>(null);
  const poll = useCallback(async () => {
    const found = await pollConfirmation(flow, paymentId);
    if (found !== null) setUrl(found);
  }, [flow, paymentId]);
  // The first response has the link.
  useEffect(() => void poll(), [poll]);
  usePoll(poll, longestPollIntervalMs);
  return (
    <div class="svc-notice svc-tone-warn" role="status">
      {hasTitle && <p class="svc-notice__title">{copy.title}</p>}
      <p>{copy.text(formatMoney(amountInCents, locale))}</p>
      {url !== null && (
        <VisitLink href={url} isSecondary={hasTitle}>
          {copy.open}
        </VisitLink>
      )}
    </div>
  );
}
