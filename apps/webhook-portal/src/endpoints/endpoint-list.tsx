import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type EndpointHealth, healthQuery } from '../api/activity.ts';
import { type Endpoint, endpointsQuery } from '../api/endpoints.ts';
import { Empty } from '../components/empty.tsx';
import { Icon } from '../components/icon.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Problem } from '../components/problem.tsx';
import { RowsSkeleton } from '../components/rows-skeleton.tsx';
import { visibleText } from '../components/visible-text.ts';
import { useSession } from '../session/session-gate.tsx';
import { describeTypes } from '../subscriptions/select-types.ts';
import { EndpointState } from './endpoint-state.tsx';
import { HealthBars } from './health-bars.tsx';
import { LastFailure } from './last-failure.tsx';
import './endpoints.css';

export function EndpointList() {
  const { read_only } = useSession();
  const endpoints = useQuery({ ...endpointsQuery, refetchInterval: 15_000 });
  const health = useQuery({ ...healthQuery, refetchInterval: 5_000 });
  const add = (
    <Link to="/endpoints/new" className="svc-button svc-button--small">
      <Icon name="plus" /> Add endpoint
    </Link>
  );
  const rows = endpoints.data;
  return (
    <div className="page">
      <PageHeader title="Endpoints" actions={read_only || rows?.length === 0 ? null : add} />
      {endpoints.isPending ? <RowsSkeleton rows={4} label="Loading endpoints" /> : null}
      {endpoints.isError && !rows ? (
        <Problem
          what="The endpoints could not be loaded"
          error={endpoints.error}
          retry={() => endpoints.refetch()}
        />
      ) : null}
      {rows?.length === 0 ? (
        <Empty icon="endpoints" title="No endpoint yet">
          <p>
            An endpoint is a URL of yours that receives a signed POST when something happens, such
            as a plan that starts or a settlement that is due. Until there is one, messages are kept
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
          <LastFailure failure={health?.last_failure ?? null} />
        </span>
      </Link>
    </li>
  );
}
