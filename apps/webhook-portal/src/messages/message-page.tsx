import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Attempt, MessageDetail } from '../api/messages.ts';
import { DetailBar } from '../components/detail-bar.tsx';
import { Icon } from '../components/icon.tsx';
import { JsonView } from '../components/json/json-view.tsx';
import { Problem } from '../components/problem.tsx';
import { AttemptStory } from '../deliveries/attempt-detail.tsx';
import { DeliveryCard } from './delivery-card.tsx';
import { ExpungedNotice, ExpungeMessage } from './erase-payload.tsx';
import { DeliverySkeleton, MessageSkeleton } from './message-skeleton.tsx';
import { MessageHead } from './message-summary.tsx';
import { SendElsewhere } from './send-elsewhere.tsx';
import { useMessage } from './use-message.ts';
import './message.css';

const route = getRouteApi('/messages/$messageId');

/** Everything of one message: what was sent, to whom, each attempt, and what comes next. */
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
    <article className="message" aria-label="Message">
      <DetailBar
        back={
          <Link to="/messages" search={filters} className="message__back svc-link">
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
  /** undefined while they are on their way. */
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
              <AttemptStory attempt={attempt} expunged={message.body === null} />
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

/** What one most likely came for: the last attempt where something is wrong, else the last of all. */
function defaultAttempt(
  message: MessageDetail,
  attempts: readonly { id: string; endpoint_id: string }[],
): string | null {
  const troubled = message.deliveries.find(
    ({ state }) => state === 'exhausted' || state === 'retrying',
  );
  const of = troubled
    ? attempts.filter(({ endpoint_id }) => endpoint_id === troubled.endpoint_id)
    : attempts;
  return of.at(-1)?.id ?? null;
}

function focusRow(messageId: string): void {
  document
    .querySelector<HTMLElement>(`[data-row][href*="/messages/${CSS.escape(messageId)}"]`)
    ?.focus();
}
