import type { ExperienceState } from '@svc/contract';
import { useEffect, useState } from 'preact/hooks';
import { useFlow } from '../../flow/flow.ts';
import { pollConfirmation } from '../../flow/poll-confirmation.ts';
import { money } from '../../format/money.ts';
import { useWords } from '../../words/use-words.ts';

/** How often a visible page asks whether the tenant has confirmed the payment. */
const pollIntervalMs = 3_000;

/** The link to the bank's page, while a payment waits for the tenant's confirmation there. */
export function ConfirmPayment({ state: { confirmation } }: { state: ExperienceState }) {
  if (confirmation === null) return null;
  const { payment_id, amount_in_cents } = confirmation;
  return <Confirmation key={payment_id} paymentId={payment_id} amountInCents={amount_in_cents} />;
}

function Confirmation({ paymentId, amountInCents }: { paymentId: string; amountInCents: number }) {
  const flow = useFlow();
  const { words, locale } = useWords();
  const copy = words.bankConfirmation;
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const poll = async () => {
      if (document.hidden) return;
      const found = await pollConfirmation(flow, paymentId);
      if (found !== null) setUrl(found);
    };
    const pollNow = () => void poll();
    pollNow();
    const timer = setInterval(pollNow, pollIntervalMs);
    document.addEventListener('visibilitychange', pollNow);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', pollNow);
    };
  }, [flow, paymentId]);
  return (
    <div class="svc-notice svc-tone-warn" role="status">
      <p class="svc-notice__title">{copy.title}</p>
      <p>{copy.text(money(amountInCents, locale))}</p>
      {url !== null && (
        <a
          class="svc-button svc-button--secondary svc-button--block"
          href={url}
          target="_blank"
          rel="noopener noreferrer"
        >
          {copy.open}
        </a>
      )}
    </div>
  );
}
