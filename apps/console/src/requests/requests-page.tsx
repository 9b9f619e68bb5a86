import { menuFilter, PeriodFilter, textFilter } from '@svc/ui/console/filters/list-filters.tsx';
import { withoutEmpty } from '@svc/ui/console/filters/search-params.ts';
import { defineList } from '@svc/ui/console/list/define-list.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Ago } from '@svc/ui/console/time/time.tsx';
import { Link } from '@tanstack/react-router';
import { type LoggedRequest, type RequestFilters, requestList } from '../api/requests.ts';
import { tenantFilter } from '../subscriptions/subscription-filters.tsx';
import { durationOf, statusLabel, toneOf } from './describe-status.ts';
import { RequestSearch } from './request-search.tsx';
import '../messages/messages.css';
import './requests.css';
import { AdminOnly } from '../session/admin-only.tsx';

const statuses = [
  { value: '2xx', label: '2xx success' },
  { value: '4xx', label: '4xx refused' },
  { value: '5xx', label: '5xx failed' },
  { value: '429', label: '429 rate limited' },
];
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((value) => ({ value, label: value }));
const commonCodes = ['validation_failed', 'not_found', 'tenant_not_found', 'version_conflict'];

/** The request log. */
export const RequestsPage = defineList({
  route: '/requests',
  title: 'Requests',
  rows: ['request', 'requests'],
  api: requestList,
  Gate: AdminOnly,
  isLive: true,
  timeOf: ({ occurred_at }) => occurred_at,
  keyOf: ({ request_id }) => request_id,
  lead: 'Calls of your backend in the last 7 days, without personal data and secrets.',
  Search: RequestSearch,
  filters: [
    menuFilter('status', 'Status', statuses),
    textFilter('code', {
      label: 'Error',
      input: 'Error code',
      submit: 'Show this error',
      maxLength: 100,
      known: commonCodes,
    }),
    menuFilter('method', 'Method', methods),
    textFilter('path', {
      label: 'Path',
      input: 'Beginning of the path',
      submit: 'Show this path',
      maxLength: 300,
    }),
    tenantFilter,
    PeriodFilter,
  ],
  columns: [
    ['Status'],
    ['Call'],
    ['Tenant', 'request-row__tenant'],
    ['Duration', 'request-row__took'],
    ['Time'],
  ],
  Row: RequestRow,
  empty: {
    icon: 'requests',
    title: 'No requests yet',
    text: (
      <p>
        Calls that your backend makes with an API key appear here within a second. Calls with a
        wrong key do not: we cannot tell whose they are.
      </p>
    ),
  },
});

/** One call as a row. The whole row is the link. */
function RequestRow(props: { item: LoggedRequest; filters: RequestFilters }) {
  const { item: request, filters } = props;
  const { method, path, status, code } = request;
  return (
    <li>
      <Link
        to="/requests/$requestId"
        params={{ requestId: request.request_id }}
        search={withoutEmpty({ ...filters })}
        className="row request-row"
        data-row
      >
        <StateMark tone={toneOf(status)}>{statusLabel(status)}</StateMark>
        <span className="request-row__call">
          <span className="request-row__method">{method}</span>{' '}
          {visibleText(path.replace(/^\/v1/, ''))}
          {code === null ? null : <span className="tag">{code}</span>}
        </span>
        <span className="request-row__tenant">{visibleText(request.external_id ?? '')}</span>
        <span className="request-row__took">{durationOf(request.duration_in_ms)}</span>
        <span className="row__time">
          <Ago at={request.occurred_at} />
        </span>
      </Link>
    </li>
  );
}
