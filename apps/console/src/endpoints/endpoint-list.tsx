import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { Empty, LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Ago } from '@svc/ui/console/time/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { countOutcomes } from '../activity/summarize-activity.ts';
import { type EndpointHealth, healthQuery } from '../api/activity.ts';
import { type Endpoint, endpointsQuery } from '../api/endpoints.ts';
import { nameResult } from '../deliveries/describe-attempt.ts';
import { useSession } from '../session/use-session.ts';
import { describeTypes } from '../subscriptions/select-types.ts';
import { EndpointState } from './endpoint-state.tsx';
import './endpoints.css';

export function EndpointList() {
  const { read_only } = useSession();
  const endpoints = useQuery({ ...endpointsQuery, refetchInterval: pollIntervals.background });
  const health = useQuery({ ...healthQuery, refetchInterval: pollIntervals.live });
  const add = (
    <Link to="/endpoints/new" className="svc-button svc-button--small">
      <Icon name="plus" /> Add endpoint
    </Link>
  );
  const rows = endpoints.data;
  return (
    <div className="page">
      <PageHeader title="Endpoints" actions={read_only || rows?.length === 0 ? null : add} />
      <LoadState
        query={endpoints}
        loading="Loading endpoints"
        rows={4}
        failed="The endpoints could not be loaded"
      />
      {rows?.length === 0 ? (
        <Empty icon="endpoints" title="No endpoints yet">
          <p>
            An endpoint is one of your URLs. It receives a signed POST when something happens, such
            as a plan starting or a settlement coming due. Until you add one, messages are stored
            and you can read them here.
          </p>
          {read_only ? null : add}
        </Empty>
      ) : null}
      {rows && rows.length > 0 ? (
        <div>
          <div className="rows__head rows__head--endpoints" aria-hidden="true">
            <span>State</span>
            <span>URL</span>
            <span className="endpoint-row__types">Events</span>
            <span className="endpoint-row__health">Last 24 hours</span>
            <span className="endpoint-row__failure">Last failure</span>
          </div>
          <ul className="rows">
            {rows.map((endpoint) => (
              <EndpointRow
                key={endpoint.id}
                endpoint={endpoint}
                health={health.data?.find(({ endpoint_id }) => endpoint_id === endpoint.id)}
              />
            ))}
          </ul>
        </div>
      ) : null}
    </div>
  );
}

function EndpointRow(props: { endpoint: Endpoint; health: EndpointHealth | undefined }) {
  const { endpoint, health } = props;
  return (
    <li>
      <Link
        to="/endpoints/$endpointId"
        params={{ endpointId: endpoint.id }}
        className="row endpoint-row"
        data-row
      >
        <EndpointState endpoint={endpoint} />
        <span className="endpoint-row__where">
          <span className="endpoint-row__url">{visibleText(endpoint.url)}</span>
          {endpoint.description ? (
            <span className="endpoint-row__words">{visibleText(endpoint.description)}</span>
          ) : null}
        </span>
        <span className="endpoint-row__types">
          {describeTypes(endpoint.event_types, endpoint.channels)}
        </span>
        <span className="endpoint-row__health">
          {health ? <HealthBars hours={health.hours} /> : null}
        </span>
        <span className="endpoint-row__failure">
          {health ? <LastFailure failure={health.last_failure} /> : null}
        </span>
      </Link>
    </li>
  );
}

/** The last 24 hours as one bar per hour: failed above delivered, and faint if nothing was sent. */
function HealthBars({ hours }: { hours: EndpointHealth['hours'] }) {
  const { delivered, failed, successPercent } = countOutcomes(hours);
  const words =
    successPercent === null
      ? 'Nothing sent'
      : `${delivered.toLocaleString('en-US')} delivered, ${failed.toLocaleString('en-US')} failed`;
  return (
    <span className="health" title={words}>
      <svg
        className="health__bars"
        viewBox={`0 0 ${hours.length * 4 - 1} 16`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {hours.map((hour, index) => (
          <HourBar key={hour.at} hour={hour} x={index * 4} />
        ))}
      </svg>
      <span className="health__words">{successPercent ?? 'Idle'}</span>
    </span>
  );
}

function HourBar({ hour, x }: { hour: EndpointHealth['hours'][number]; x: number }) {
  const all = hour.delivered + hour.failed;
  if (all === 0) return <rect className="health__quiet" x={x} y="13" width="3" height="3" />;
  // At least 4 px, so that one failure among thousands is visible.
  const bad = hour.failed === 0 ? 0 : Math.max(4, Math.round((16 * hour.failed) / all));
  return (
    <>
      <rect className="health__good" x={x} y={bad} width="3" height={16 - bad} />
      <rect className="health__bad" x={x} width="3" height={bad} />
    </>
  );
}

/** The most recent failure in a few words, with the service's hint as a tooltip. */
function LastFailure({ failure }: { failure: EndpointHealth['last_failure'] }) {
  if (failure === null) return <span className="endpoint-row__none">None</span>;
  return (
    <span title={visibleText(failure.hint)}>
      {nameResult(failure)}, <Ago at={failure.at} />
    </span>
  );
}
