import { CopyButton } from '@svc/ui/console/parts/copy-button.tsx';
import { DetailBar } from '@svc/ui/console/parts/detail-bar.tsx';
import { Fact } from '@svc/ui/console/parts/fact.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { Problem } from '@svc/ui/console/parts/page-states.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { exactTime } from '@svc/ui/console/time/format-time.ts';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Attempt, MessageDetail } from '../api/messages.ts';
import { DeliverySkeleton, MessageSkeleton, useMessage } from '../messages/message-page.tsx';
import { ReplayButton } from '../messages/resend.tsx';
import { AttemptDetail } from './attempt-detail.tsx';

const route = getRouteApi('/deliveries/$messageId/$attemptId');

/** One attempt: its message, request, timing, response, and what to do about it. */
export function DeliveryPage() {
  const { messageId, attemptId } = route.useParams();
  const filters = route.useSearch();
  const navigate = useNavigate();
  const { message, attempts, watch } = useMessage(messageId);
  const close = useCallback(() => {
    void navigate({ to: '/deliveries', search: filters }).then(() => focusRow(attemptId));
  }, [navigate, filters, attemptId]);
  const attempt = attempts.data?.find(({ id }) => id === attemptId);
  const failed = message.data ? attempts : message;
  return (
    <article className="detail" aria-label="Delivery">
      <DetailBar
        back={
          <Link to="/deliveries" search={filters} className="detail__back svc-link">
            <Icon name="back" /> Deliveries
          </Link>
        }
        close="Close the delivery"
        onClose={close}
      />
      {message.data ? null : <h1 className="svc-visually-hidden">Delivery</h1>}
      {message.isPending ? <MessageSkeleton /> : null}
      {failed.isError && !failed.data ? (
        <Problem
          what="This delivery could not be loaded"
          error={failed.error}
          retry={() => failed.refetch()}
        />
      ) : null}
      {message.data ? <Head message={message.data} attempt={attempt} onSent={watch} /> : null}
      {message.data && attempts.isPending ? <DeliverySkeleton /> : null}
      {message.data && attempt ? (
        <section aria-label="Attempt">
          <h2 className="svc-visually-hidden">Attempt {attempt.number}</h2>
          <AttemptDetail attempt={attempt} alone expunged={message.data.expunged_at !== null} />
        </section>
      ) : null}
      {message.data && attempts.data && !attempt ? (
        <p className="detail__summary">This attempt is no longer stored.</p>
      ) : null}
    </article>
  );
}

function Head(props: { message: MessageDetail; attempt: Attempt | undefined; onSent: () => void }) {
  const { message, attempt } = props;
  const delivery = message.deliveries.find(
    ({ endpoint_id }) => endpoint_id === attempt?.endpoint_id,
  );
  return (
    <header className="detail__head">
      <title>{`Delivery of ${message.event_type} · Console`}</title>
      <h1 className="detail__title">{message.event_type}</h1>
      <dl className="facts">
        <Fact name="Message">
          <Link
            to="/messages/$messageId"
            params={{ messageId: message.id }}
            search={attempt ? { attempt: attempt.id } : {}}
            className="svc-link"
          >
            <code>{message.id}</code>
          </Link>
          <CopyButton text={message.id} label="Copy message ID" />
        </Fact>
        {message.external_id === null ? null : (
          <Fact name="Tenant">
            <Link
              to="/deliveries"
              search={{ external_id: message.external_id }}
              className="svc-link"
            >
              {visibleText(message.external_id)}
            </Link>
          </Fact>
        )}
        <Fact name="Published">{exactTime(message.created_at)}</Fact>
        {attempt?.next_attempt_at == null ? null : (
          <Fact name="Retry after it">{exactTime(attempt.next_attempt_at)}</Fact>
        )}
      </dl>
      {delivery ? (
        <div>
          <ReplayButton messageId={message.id} delivery={delivery} onSent={props.onSent} />
        </div>
      ) : null}
    </header>
  );
}

function focusRow(attemptId: string): void {
  document.querySelector<HTMLElement>(`[data-row][href*="/${CSS.escape(attemptId)}"]`)?.focus();
}
