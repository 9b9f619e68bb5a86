import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { JsonView } from '@svc/ui/console/json/json-view.tsx';
import { DetailBar } from '@svc/ui/console/parts/detail-bar.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { Problem } from '@svc/ui/console/parts/page-states.tsx';
import { currentTime } from '@svc/ui/console/time/clock.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { type Attempt, attemptsQuery, type MessageDetail, messageQuery } from '../api/messages.ts';
import { AttemptDetail } from '../deliveries/attempt-detail.tsx';
import { DeliveryCard } from './delivery-card.tsx';
import { ExpungedNotice, ExpungeMessage } from './erase-payload.tsx';
import { MessageHead } from './message-summary.tsx';
import { SendElsewhere } from './resend.tsx';
import './message-detail.css';

const route = getRouteApi('/messages/$messageId');

/** One message: its payload, deliveries, attempts, and next steps. */
export function MessagePage() {
  const { messageId } = route.useParams();
  const { attempt: chosen, ...filters } = route.useSearch();
  const navigate = useNavigate();
  const { message, attempts, watch } = useMessage(messageId);
  const close = useCallback(() => {
    void navigate({ to: '/messages', search: filters }).then(() => focusRow(messageId));
  }, [navigate, filters, messageId]);
  const choose = (attempt: string) =>
    void navigate({
      to: '/messages/$messageId',
      params: { messageId },
      search: { ...filters, attempt },
      replace: true,
      resetScroll: false,
    });
  return (
    <article className="detail" aria-label="Message">
      <DetailBar
        back={
          <Link to="/messages" search={filters} className="detail__back svc-link">
            <Icon name="back" /> Messages
          </Link>
        }
        close="Close the message"
        onClose={close}
      />
      {message.data ? null : <h1 className="svc-visually-hidden">Message</h1>}
      {message.isPending ? <MessageSkeleton /> : null}
      {message.isError && !message.data ? (
        <Problem
          what="This message could not be loaded"
          error={message.error}
          retry={() => message.refetch()}
        />
      ) : null}
      {message.data && attempts.isError && !attempts.data ? (
        <Problem
          what="The attempts could not be loaded"
          error={attempts.error}
          retry={() => attempts.refetch()}
        />
      ) : null}
      {message.data ? (
        <MessageBody
          message={message.data}
          attempts={attempts.data ?? (attempts.isError ? [] : undefined)}
          chosen={chosen}
          onChoose={choose}
          onSent={watch}
        />
      ) : null}
    </article>
  );
}

function MessageBody(props: {
  message: MessageDetail;
  /** Undefined while loading. */
  attempts: readonly Attempt[] | undefined;
  chosen: string | undefined;
  onChoose: (attemptId: string) => void;
  onSent: () => void;
}) {
  const { message, attempts, chosen, onChoose, onSent } = props;
  const isTest = message.test;
  return (
    <>
      <MessageHead message={message} />
      {message.body === null ? (
        <ExpungedNotice at={message.expunged_at} />
      ) : (
        <JsonView label="Payload" text={message.body} />
      )}
      {attempts === undefined
        ? message.deliveries.map(({ id }) => <DeliverySkeleton key={id} />)
        : null}
      {isTest
        ? attempts?.map((attempt) => (
            <div key={attempt.id} className="svc-card svc-card--flush">
              <h2 className="svc-visually-hidden">Attempt</h2>
              <AttemptDetail attempt={attempt} expunged={message.body === null} />
            </div>
          ))
        : null}
      {isTest || attempts === undefined
        ? null
        : message.deliveries.map((delivery) => (
            <DeliveryCard
              key={delivery.id}
              delivery={delivery}
              message={message}
              attempts={attempts.filter(({ endpoint_id }) => endpoint_id === delivery.endpoint_id)}
              chosen={chosen ?? defaultAttempt(message, attempts)}
              onChoose={onChoose}
              onReplay={onSent}
            />
          ))}
      {isTest || message.body === null ? null : <SendElsewhere message={message} onSent={onSent} />}
      <ExpungeMessage message={message} />
    </>
  );
}

/** Returns the attempt to open first: the last one of a failing delivery, or the last of all. */
function defaultAttempt(
  message: MessageDetail,
  attempts: readonly { id: string; endpoint_id: string }[],
): string | null {
  const failingDelivery = message.deliveries.find(
    ({ state }) => state === 'exhausted' || state === 'retrying',
  );
  const candidates = failingDelivery
    ? attempts.filter(({ endpoint_id }) => endpoint_id === failingDelivery.endpoint_id)
    : attempts;
  return candidates.at(-1)?.id ?? null;
}

function focusRow(messageId: string): void {
  document
    .querySelector<HTMLElement>(`[data-row][href*="/messages/${CSS.escape(messageId)}"]`)
    ?.focus();
}

/** Loads a message and its attempts, and polls faster while a delivery is in progress. */
export function useMessage(id: string) {
  const queryClient = useQueryClient();
  const [pollFastUntil, setPollFastUntil] = useState(0);
  const refetchInterval = (query: { state: { data: MessageDetail | undefined } }) =>
    pollingInterval(query.state.data, pollFastUntil);
  const message = useQuery({ ...messageQuery(id), refetchInterval });
  const attempts = useQuery({
    ...attemptsQuery(id),
    refetchInterval: () => pollingInterval(message.data, pollFastUntil),
  });
  /** Polls every second for the next 20 s, because a manual send is about to finish. */
  const watch = () => {
    setPollFastUntil(currentTime() + 20_000);
    void queryClient.invalidateQueries({ queryKey: ['message', id] });
    void queryClient.invalidateQueries({ queryKey: ['messages'] });
  };
  return { message, attempts, watch };
}

/** Returns the polling interval in milliseconds: short while a delivery is in progress or due soon. */
function pollingInterval(message: MessageDetail | undefined, pollFastUntil: number): number {
  const now = currentTime();
  if (now < pollFastUntil) return pollIntervals.inProgress;
  const soon = message?.deliveries.some(
    ({ state, next_attempt_at }) =>
      state === 'delivering' ||
      (state === 'pending' && next_attempt_at !== null) ||
      (next_attempt_at !== null && Date.parse(next_attempt_at) - now < 10_000),
  );
  return soon ? pollIntervals.inProgress : pollIntervals.background;
}

export function MessageSkeleton() {
  return (
    <div className="message__skeleton" aria-busy="true">
      <span className="svc-visually-hidden">Loading the message</span>
      {['title', 'line', 'payload', 'card'].map((part) => (
        <span key={part} className={`svc-skeleton message__skeleton-${part}`} />
      ))}
    </div>
  );
}

export function DeliverySkeleton() {
  return <span className="svc-skeleton message__skeleton-card" aria-hidden="true" />;
}
