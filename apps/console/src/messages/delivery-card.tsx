import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { UrlText } from '@svc/ui/console/parts/text.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Ago, Countdown } from '@svc/ui/console/time/time.tsx';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Attempt, Delivery, MessageDetail } from '../api/messages.ts';
import { AttemptDetail } from '../deliveries/attempt-detail.tsx';
import { stateMarks } from '../deliveries/delivery-state.ts';
import { describeMs, nameResult } from '../deliveries/describe-attempt.ts';
import { TimelineView } from '../deliveries/timeline.tsx';
import { ReplayButton } from './resend.tsx';

/** One delivery of a message: its state, timeline, and attempts. */
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
            <StateSentence delivery={delivery} />
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

/** A sentence that explains the delivery state. */
function StateSentence({ delivery }: { delivery: Delivery }) {
  const { state, next_attempt_at: next } = delivery;
  if (state === 'retrying' && next !== null) {
    return (
      <span>
        next attempt in <Countdown at={next} inline />
      </span>
    );
  }
  if (next === null && (state === 'pending' || state === 'retrying'))
    return <span>waits for an earlier message about the same tenant</span>;
  if (state === 'exhausted')
    return <span>all eight attempts failed; send it again once the endpoint works</span>;
  if (state === 'held') return <span>waits until the endpoint is enabled</span>;
  if (state === 'skipped')
    return <span>{skipReasons[delivery.reason ?? ''] ?? delivery.reason}</span>;
  return null;
}

const skipReasons: Record<string, string> = {
  not_subscribed: 'the endpoint is not subscribed to this type',
  filtered: 'the endpoint’s filter excludes this message',
  held_and_skipped: 'canceled while the endpoint was disabled',
  expunged: 'canceled when its payload was erased',
  endpoint_deleted: 'the endpoint was deleted',
};

/** The attempts of one delivery, oldest first, in pages of twenty. Starts at the last page. */
function AttemptRows(props: {
  attempts: readonly Attempt[];
  /** True if the request and response bodies were erased. */
  expunged: boolean;
  chosen: string | null;
  onChoose: (attemptId: string) => void;
}) {
  const { attempts, expunged, chosen, onChoose } = props;
  const [chosenPage, setChosenPage] = useState<number | null>(null);
  const chosenIndex = attempts.findIndex(({ id }) => id === chosen);
  const lastPage = Math.max(0, Math.ceil(attempts.length / attemptsPerPage) - 1);
  const shownPage =
    chosenPage ?? (chosenIndex < 0 ? lastPage : Math.floor(chosenIndex / attemptsPerPage));
  const rows = attempts.slice(shownPage * attemptsPerPage, (shownPage + 1) * attemptsPerPage);
  return (
    <>
      <ol className="attempts" aria-label="Attempts" start={shownPage * attemptsPerPage + 1}>
        {rows.map((attempt) => (
          <AttemptRow
            key={attempt.id}
            attempt={attempt}
            expunged={expunged}
            open={attempt.id === chosen}
            onToggle={() => onChoose(attempt.id === chosen ? 'none' : attempt.id)}
          />
        ))}
      </ol>
      {lastPage > 0 ? (
        <nav className="leaves" aria-label="Attempts">
          <span role="status">
            {shownPage * attemptsPerPage + 1} to {shownPage * attemptsPerPage + rows.length} of{' '}
            {attempts.length} attempts
          </span>
          <PageButton
            words="Older"
            disabled={shownPage === 0}
            onClick={() => setChosenPage(shownPage - 1)}
          />
          <PageButton
            words="Newer"
            disabled={shownPage === lastPage}
            onClick={() => setChosenPage(shownPage + 1)}
          />
        </nav>
      ) : null}
    </>
  );
}

const attemptsPerPage = 20;

function AttemptRow(props: {
  attempt: Attempt;
  expunged: boolean;
  open: boolean;
  onToggle: () => void;
}) {
  const { attempt, expunged, open, onToggle } = props;
  return (
    <li>
      <button type="button" className="row attempt-row" aria-expanded={open} onClick={onToggle}>
        <span className="attempt-row__number">{attempt.number}</span>
        <StateMark tone={attempt.succeeded ? 'good' : 'bad'}>{nameResult(attempt)}</StateMark>
        <span className="attempt-row__took">{describeMs(attempt.timing_in_ms.total)}</span>
        <span className="attempt-row__by">{attempt.trigger === 'schedule' ? '' : 'manual'}</span>
        <span className="row__time">
          <Ago at={attempt.started_at} />
        </span>
      </button>
      {open ? <AttemptDetail attempt={attempt} expunged={expunged} /> : null}
    </li>
  );
}

function PageButton(props: { words: string; disabled: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      className="svc-button svc-button--secondary svc-button--small"
      disabled={props.disabled}
      onClick={props.onClick}
    >
      {props.words}
    </button>
  );
}
