import { Link } from '@tanstack/react-router';
import type { Attempt, Delivery, MessageDetail } from '../api/messages.ts';
import { StateMark } from '../components/state-mark.tsx';
import { Countdown } from '../components/time/time.tsx';
import { UrlText } from '../components/url-text.tsx';
import { visibleText } from '../components/visible-text.ts';
import { stateMarks } from '../deliveries/summarize-deliveries.ts';
import { TimelineView } from '../deliveries/timeline-view.tsx';
import { AttemptRows } from './attempt-rows.tsx';
import { ReplayButton } from './resend.tsx';

/** One endpoint's share of a message: where it stands, its eight steps, each attempt. */
export function DeliveryCard(props: {
  delivery: Delivery;
  message: MessageDetail;
  attempts: readonly Attempt[];
  chosen: string | null;
  onChoose: (attemptId: string) => void;
  onReplay: () => void;
}) {
  const { delivery, message, attempts, chosen, onChoose } = props;
  const { tone, word } = stateMarks[delivery.state];
  return (
    <section
      className="delivery svc-card svc-card--flush"
      aria-label={`Delivery to ${visibleText(delivery.endpoint_url)}`}
    >
      <header className="delivery__head">
        <div className="delivery__words">
          <h2 className="delivery__url">
            <Link to="/endpoints/$endpointId" params={{ endpointId: delivery.endpoint_id }}>
              <UrlText url={delivery.endpoint_url} />
            </Link>
          </h2>
          <p className="delivery__state">
            <StateMark tone={tone}>{word}</StateMark>
            <What delivery={delivery} />
          </p>
        </div>
        {message.body === null ? null : (
          <ReplayButton messageId={message.id} delivery={delivery} onSent={props.onReplay} />
        )}
      </header>
      <TimelineView
        delivery={delivery}
        attempts={attempts}
        publishedAt={message.created_at}
        selected={chosen}
        onSelect={onChoose}
      />
      <AttemptRows
        attempts={attempts}
        expunged={message.body === null}
        chosen={chosen}
        onChoose={onChoose}
      />
    </section>
  );
}

/** The state's own sentence, beside its word. */
function What({ delivery }: { delivery: Delivery }) {
  const { state, next_attempt_at: next } = delivery;
  if (state === 'retrying' && next !== null) {
    return (
      <span>
        next attempt in <Countdown at={next} inline />
      </span>
    );
  }
  if (state === 'exhausted')
    return <span>all eight attempts failed; send it again once the endpoint works</span>;
  if (state === 'held') return <span>waits until the endpoint is enabled</span>;
  if (state === 'skipped') return <span>{skipped[delivery.reason ?? ''] ?? delivery.reason}</span>;
  return null;
}

const skipped: Record<string, string> = {
  not_subscribed: 'the endpoint is not subscribed to this type',
  held_and_skipped: 'given up while the endpoint was disabled',
  expunged: 'given up when its payload was erased',
  endpoint_deleted: 'the endpoint was deleted',
};
