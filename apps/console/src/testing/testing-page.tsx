import { Tabs } from '@base-ui/react/tabs';
import { withoutEmpty } from '@svc/ui/console/filters/search-params.ts';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { Problem, RowsSkeleton } from '@svc/ui/console/parts/page-states.tsx';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { endpointsQuery } from '../api/endpoints.ts';
import { eventTypesQuery } from '../api/event-types.ts';
import { ReadOnlyNotice } from '../session/read-only-notice.tsx';
import { useSession } from '../session/use-session.ts';
import { PublishForm } from './publish-form.tsx';
import { TestForm } from './test-form.tsx';
import './testing.css';

const route = getRouteApi('/testing');

/** Two tabs: test one endpoint and see the response, or publish a custom event to all subscribers. */
export function TestingPage() {
  const { way = 'test', endpoint_id, event_type } = route.useSearch();
  const navigate = useNavigate();
  const { read_only } = useSession();
  const endpoints = useQuery(endpointsQuery);
  const types = useQuery(eventTypesQuery);
  const change = (part: { way?: string; endpoint_id?: string; event_type?: string }) =>
    void navigate({
      to: '/testing',
      search: withoutEmpty({ way, endpoint_id, event_type, ...part }),
      replace: true,
      resetScroll: false,
    });
  const failed = [endpoints, types].find((query) => query.isError && !query.data);
  return (
    <div className="page">
      <PageHeader title="Testing" />
      {read_only ? <ReadOnlyNotice what="send anything" /> : null}
      {failed?.error ? (
        <Problem
          what="Testing could not be loaded"
          error={failed.error}
          retry={() => failed.refetch()}
        />
      ) : null}
      {!read_only && !failed && !(endpoints.data && types.data) ? (
        <RowsSkeleton rows={6} label="Loading" />
      ) : null}
      {!read_only && endpoints.data && types.data ? (
        <Tabs.Root value={way} onValueChange={(value: string) => change({ way: value })}>
          <Tabs.List className="svc-tabs">
            <Tabs.Tab value="test" className="svc-tabs__tab">
              Test one endpoint
            </Tabs.Tab>
            <Tabs.Tab value="publish" className="svc-tabs__tab">
              Publish a custom event
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="test" className="testing__panel">
            <TestForm
              endpoints={endpoints.data}
              types={types.data}
              endpointId={endpoint_id}
              eventType={event_type}
              onChange={change}
            />
          </Tabs.Panel>
          <Tabs.Panel value="publish" className="testing__panel">
            <PublishForm
              endpoints={endpoints.data}
              types={types.data}
              eventType={event_type}
              onChange={change}
            />
          </Tabs.Panel>
        </Tabs.Root>
      ) : null}
    </div>
  );
}
