import { Tabs } from '@base-ui/react/tabs';
import { MenuFilter } from '@svc/ui/console/filters/menu-filter.tsx';
import { withoutEmpty } from '@svc/ui/console/filters/search-params.ts';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { daysBack } from '../api/activity.ts';
import { type AuditFilters, auditLogList } from '../api/audit-log.ts';
import { endpointsQuery } from '../api/endpoints.ts';
import { AuditLog } from '../audit-log/audit-log.tsx';
import { OpenSessions } from '../session/open-sessions.tsx';
import { Deliveries } from './delivery-charts.tsx';
import './activity.css';

const route = getRouteApi('/activity');

/** Delivery charts, the audit log, and open sessions, each in a tab. */
export function ActivityPage() {
  const search = route.useSearch();
  const { view = 'deliveries', days = '1', endpoint_id } = search;
  const navigate = useNavigate();
  const endpoints = useQuery(endpointsQuery);
  const change = (part: { view?: string; days?: string } & AuditFilters) =>
    void navigate({
      to: '/activity',
      search: withoutEmpty({ ...search, ...part }),
      replace: true,
      resetScroll: false,
    });
  return (
    <div className="page">
      <PageHeader title="Activity" />
      <Tabs.Root value={view} onValueChange={(value: string) => change({ view: value })}>
        <Tabs.List className="svc-tabs">
          <Tabs.Tab value="deliveries" className="svc-tabs__tab">
            Deliveries
          </Tabs.Tab>
          <Tabs.Tab value="audit-log" className="svc-tabs__tab">
            Audit log
          </Tabs.Tab>
          <Tabs.Tab value="sessions" className="svc-tabs__tab">
            Sessions
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="deliveries" className="activity__panel">
          <div className="filters__chips">
            <fieldset className="activity__span">
              <legend className="svc-visually-hidden">Time range</legend>
              {spans.map((span) => (
                <label key={span.days} className="activity__choice">
                  <input
                    type="radio"
                    name="days"
                    className="svc-visually-hidden"
                    checked={days === span.days}
                    onChange={() => change({ days: span.days })}
                  />
                  {span.words}
                </label>
              ))}
            </fieldset>
            <MenuFilter
              label="Endpoint"
              value={endpoint_id}
              options={endpoints.data?.map(({ id, url }) => ({ value: id, label: url })) ?? []}
              onChange={(id) => change({ endpoint_id: id })}
            />
          </div>
          <Deliveries days={daysBack(days)} endpointId={endpoint_id} />
        </Tabs.Panel>
        <Tabs.Panel value="audit-log" className="activity__panel">
          <AuditLog filters={auditLogList.readFilters(search)} onChange={change} />
        </Tabs.Panel>
        <Tabs.Panel value="sessions" className="activity__panel">
          <OpenSessions />
        </Tabs.Panel>
      </Tabs.Root>
    </div>
  );
}

const spans = [
  { days: '1', words: '24 hours' },
  { days: '7', words: '7 days' },
  { days: '30', words: '30 days' },
];
