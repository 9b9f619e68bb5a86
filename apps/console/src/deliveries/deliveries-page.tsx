import { menuFilter, PeriodFilter } from '@svc/ui/console/filters/list-filters.tsx';
import { withoutEmpty } from '@svc/ui/console/filters/search-params.ts';
import { defineList } from '@svc/ui/console/list/define-list.tsx';
import { closeFloating } from '@svc/ui/console/parts/floating.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { Menu } from '@svc/ui/console/parts/menu.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Ago } from '@svc/ui/console/time/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  type DeliveryAttempt,
  type DeliveryFilters,
  deliveryList,
  exportUrl,
} from '../api/deliveries.ts';
import { endpointsQuery } from '../api/endpoints.ts';
import { useSession } from '../session/use-session.ts';
import {
  ChannelFilter,
  EndpointFilter,
  EventTypeFilter,
  tenantFilter,
} from '../subscriptions/subscription-filters.tsx';
import { describeMs, nameResult } from './describe-attempt.ts';
import { errorClassOptions, statusClassOptions } from './result-options.ts';
import './deliveries.css';

// A message's retries end 28 hours after it was published; this is rounded up to two days. Only resends and
// replays come later.
const retriesEndMs = 2 * 86_400_000;

/** The deliveries, one row for each attempt. */
export const DeliveriesPage = defineList({
  route: '/deliveries',
  title: 'Deliveries',
  rows: ['delivery', 'deliveries'],
  api: deliveryList,
  isLive: true,
  timeOf: ({ started_at }) => started_at,
  searchUntil({ since }) {
    const begins = Date.parse(since ?? '');
    return Number.isNaN(begins) ? undefined : new Date(begins - retriesEndMs).toISOString();
  },
  keyOf: ({ id }) => id,
  Actions,
  filters: [
    menuFilter('order', 'Order', [{ value: 'failures_first', label: 'Failures first' }]),
    menuFilter('status_class', 'Status', statusClassOptions),
    menuFilter('error_class', 'Error', errorClassOptions),
    EndpointFilter,
    EventTypeFilter,
    tenantFilter,
    ChannelFilter,
    PeriodFilter,
  ],
  Note: ({ filters: { order } }) => (
    <p className="deliveries__order">
      {order === 'failures_first'
        ? 'Failures first. Attempts of one message are together, the newest message first.'
        : 'Attempts of one message are together, the newest message first.'}
    </p>
  ),
  columns: [
    ['Result'],
    ['Event type'],
    ['Endpoint', 'delivery-row__where'],
    ['Tenant', 'delivery-row__tenant'],
    ['Attempt', 'delivery-row__attempt'],
    ['Duration', 'delivery-row__duration'],
    ['Started'],
  ],
  Row: DeliveryRow,
  empty: {
    icon: 'send',
    title: 'No deliveries yet',
    text: <p>Every attempt to deliver a message to one of your endpoints appears here.</p>,
  },
});

function Actions({ filters }: { filters: DeliveryFilters }) {
  const { read_only } = useSession();
  const { order: _order, ...replayed } = filters;
  return (
    <>
      <ExportMenu filters={filters} />
      {read_only ? null : (
        <Link
          to="/replays/new"
          search={withoutEmpty({ ...replayed })}
          className="svc-button svc-button--secondary svc-button--small"
        >
          <Icon name="replay" /> Replay these
        </Link>
      )}
    </>
  );
}

/** Downloads what the filters show. The files are links, so the browser saves them while they arrive. */
function ExportMenu({ filters }: { filters: DeliveryFilters }) {
  return (
    <Menu
      className="svc-button svc-button--secondary svc-button--small"
      name="Export"
      align="end"
      face={
        <>
          Export <Icon name="down" />
        </>
      }
    >
      {(['csv', 'json'] as const).map((format) => (
        <a
          key={format}
          href={exportUrl(filters, format)}
          download
          role="menuitem"
          tabIndex={-1}
          className="menu__item"
          onClick={(event) => closeFloating(event.currentTarget)}
        >
          {format.toUpperCase()}, up to 10,000 rows
        </a>
      ))}
    </Menu>
  );
}

/** One attempt as a row. The whole row is the link. */
function DeliveryRow(props: {
  item: DeliveryAttempt;
  filters: DeliveryFilters;
  before: DeliveryAttempt | undefined;
}) {
  const { item: delivery, filters, before } = props;
  const { attempt, max_attempts, succeeded } = delivery;
  const endpoints = useQuery(endpointsQuery);
  // A deleted endpoint is not in the list, so its row shows the delivery's URL.
  const { url } = endpoints.data?.find(({ id }) => id === delivery.endpoint_id) ?? delivery;
  const isOfSameMessage = before?.message_id === delivery.message_id;
  return (
    <li className={isOfSameMessage ? 'delivery-row__follows' : undefined}>
      <Link
        to="/deliveries/$messageId/$attemptId"
        params={{ messageId: delivery.message_id, attemptId: delivery.id }}
        search={withoutEmpty({ ...filters })}
        className="row delivery-row"
        data-row
      >
        <StateMark tone={succeeded ? 'good' : 'bad'}>{nameResult(delivery)}</StateMark>
        <span className="delivery-row__type">{delivery.event_type}</span>
        <span className="delivery-row__where">{visibleText(hostOf(url))}</span>
        <span className="delivery-row__tenant">{visibleText(delivery.external_id ?? '')}</span>
        <span className="delivery-row__attempt">
          {attempt === null ? triggerNotes[delivery.trigger] : `${attempt} of ${max_attempts}`}
        </span>
        <span className="delivery-row__duration">{describeMs(delivery.duration_in_ms)}</span>
        <span className="row__time">
          <Ago at={delivery.started_at} />
        </span>
      </Link>
    </li>
  );
}

/** Attempts outside the retry schedule. */
const triggerNotes: Record<DeliveryAttempt['trigger'], string> = {
  schedule: 'Scheduled',
  manual: 'Manual',
  recover: 'Replay',
  test: 'Test',
};

function hostOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return host + (pathname === '/' ? '' : pathname);
}
