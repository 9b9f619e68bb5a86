import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { Empty, LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { Ago } from '@svc/ui/console/time/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Delivery, type Message, recentMessagesQuery } from '../api/messages.ts';
import { stateMarks } from '../deliveries/delivery-state.ts';
import { OutsideOfFrames } from '../session/outside-of-frames.tsx';

/** The last twenty messages of one endpoint, as a strip of bars and as a list. */
export function RecentMessages({ endpointId }: { endpointId: string }) {
  const recent = useQuery({
    ...recentMessagesQuery(endpointId),
    refetchInterval: ({ state }) =>
      isUnderWay(state.data?.items ?? [], endpointId)
        ? pollIntervals.inProgress
        : pollIntervals.live,
  });
  const rows = (recent.data?.items ?? []).flatMap((message) => {
    const delivery = message.deliveries.find(({ endpoint_id }) => endpoint_id === endpointId);
    return delivery ? [{ message, delivery }] : [];
  });
  return (
    <section className="recent" aria-label="Recent messages">
      <header className="recent__head">
        <h2 className="section-title">Recent messages</h2>
        {rows.length > 0 ? (
          <span className="recent__links">
            <OutsideOfFrames>
              <Link to="/activity" search={{ endpoint_id: endpointId }} className="svc-link">
                Activity
              </Link>
            </OutsideOfFrames>
            <Link to="/messages" search={{ endpoint_id: endpointId }} className="svc-link">
              See all
            </Link>
          </span>
        ) : null}
      </header>
      <LoadState
        query={recent}
        loading="Loading messages"
        rows={6}
        failed="The messages could not be loaded"
      />
      {recent.data && rows.length === 0 ? (
        <Empty icon="messages" title="No messages yet">
          <p>Messages sent to this endpoint appear here.</p>
        </Empty>
      ) : null}
      {rows.length > 0 ? (
        <>
          <Strip deliveries={rows.map(({ delivery }) => delivery).reverse()} />
          <ul className="rows">
            {rows.map((row) => (
              <RecentRow key={row.message.id} {...row} endpointId={endpointId} />
            ))}
          </ul>
        </>
      ) : null}
    </section>
  );
}

function isUnderWay(messages: readonly Message[], endpointId: string): boolean {
  return messages.some(({ deliveries }) =>
    deliveries.some(
      ({ endpoint_id, state }) =>
        endpoint_id === endpointId && (state === 'pending' || state === 'delivering'),
    ),
  );
}

function RecentRow(props: { message: Message; delivery: Delivery; endpointId: string }) {
  const { message, delivery, endpointId } = props;
  const { tone, word } = stateMarks[delivery.state];
  return (
    <li>
      <Link
        to="/messages/$messageId"
        params={{ messageId: message.id }}
        search={{ endpoint_id: endpointId }}
        className="row recent-row"
        data-row
      >
        <StateMark tone={tone}>{word}</StateMark>
        <span className="recent-row__type">{message.event_type}</span>
        <span className="row__time">
          <Ago at={message.created_at} />
        </span>
      </Link>
    </li>
  );
}

/** One bar per delivery, oldest to newest, and the success count in words. */
function Strip({ deliveries }: { deliveries: readonly Delivery[] }) {
  const delivered = deliveries.filter(({ state }) => state === 'delivered').length;
  return (
    <div className="strip">
      <div className="strip__bars" aria-hidden="true">
        {deliveries.map(({ id, state }) => (
          <span
            key={id}
            className={`strip__bar tone-${stateMarks[state].tone}`}
            title={stateMarks[state].word}
          />
        ))}
      </div>
      <p>
        {delivered} of the last {deliveries.length} delivered
      </p>
    </div>
  );
}
