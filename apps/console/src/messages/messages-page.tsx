import { menuFilter, PeriodFilter } from '@svc/ui/console/filters/list-filters.tsx';
import { withoutEmpty } from '@svc/ui/console/filters/search-params.ts';
import { defineList } from '@svc/ui/console/list/define-list.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Ago } from '@svc/ui/console/time/time.tsx';
import { Link } from '@tanstack/react-router';
import { type Message, type MessageFilters, messageList } from '../api/messages.ts';
import { stateMarks, summarizeState } from '../deliveries/delivery-state.ts';
import { useSession } from '../session/use-session.ts';
import {
  ChannelFilter,
  EndpointFilter,
  EventTypeFilter,
  tenantFilter,
} from '../subscriptions/subscription-filters.tsx';
import { MessageSearch } from './message-search.tsx';
import './messages.css';

const stateOptions = [
  { value: 'failed', label: 'Retrying or failed' },
  ...Object.entries(stateMarks).map(([value, { word }]) => ({ value, label: word })),
];

export const MessagesPage = defineList({
  route: '/messages',
  title: 'Messages',
  rows: ['message', 'messages'],
  api: messageList,
  isLive: true,
  timeOf: ({ created_at }) => created_at,
  keyOf: ({ id }) => id,
  Actions: ReplayLink,
  Search: MessageSearch,
  filters: [
    menuFilter('state', 'State', stateOptions, { many: true }),
    EventTypeFilter,
    EndpointFilter,
    PeriodFilter,
    tenantFilter,
    ChannelFilter,
  ],
  columns: [['State'], ['Event type'], ['Tenant', 'message-row__tenant'], ['Published']],
  Row: MessageRow,
  empty: {
    icon: 'messages',
    title: 'No messages yet',
    text: (
      <>
        <p>
          Messages appear here as soon as something happens to one of your tenants, or when you send
          a test.
        </p>
        <Link to="/testing" className="svc-button svc-button--secondary svc-button--small">
          Send a test
        </Link>
      </>
    ),
  },
});

/** Offers a replay when the list is filtered by endpoint. */
function ReplayLink({ filters: { endpoint_id } }: { filters: MessageFilters }) {
  const { read_only } = useSession();
  if (read_only || endpoint_id === undefined) return null;
  return (
    <Link
      to="/replays/new"
      search={{ endpoint_id }}
      className="svc-button svc-button--secondary svc-button--small"
    >
      <Icon name="replay" /> Replay messages
    </Link>
  );
}

/** One message as a row. The whole row is the link. */
function MessageRow(props: { item: Message; filters: MessageFilters }) {
  const { item: message, filters } = props;
  const { tone, word } = summarizeState(message.deliveries);
  return (
    <li>
      <Link
        to="/messages/$messageId"
        params={{ messageId: message.id }}
        search={withoutEmpty({ ...filters })}
        className="row message-row"
        data-row
      >
        <StateMark tone={tone}>{word}</StateMark>
        <span className="message-row__type">
          {message.event_type}
          {message.custom ? <span className="tag">custom</span> : null}
          {message.test ? <span className="tag">test</span> : null}
        </span>
        <span className="message-row__tenant">{visibleText(message.external_id ?? '')}</span>
        <span className="row__time">
          <Ago at={message.created_at} />
        </span>
      </Link>
    </li>
  );
}
