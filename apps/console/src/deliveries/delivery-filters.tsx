import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { DeliveryFilters } from '../api/deliveries.ts';
import { endpointsQuery } from '../api/endpoints.ts';
import { eventTypesQuery } from '../api/event-types.ts';
import { MenuFilter } from '../components/filters/menu-filter.tsx';
import { withoutEmpty } from '../components/filters/search-params.ts';
import { TextFilter } from '../components/filters/text-filter.tsx';
import { TimeFilter } from '../components/filters/time-filter.tsx';
import { checkChannel } from '../subscriptions/read-channels.ts';
import { errorClassOptions, statusClassOptions } from './result-options.ts';

/** The list's filters, stored in the URL. */
export function DeliveryFilterBar({ filters }: { filters: DeliveryFilters }) {
  const navigate = useNavigate();
  const endpoints = useQuery(endpointsQuery);
  const types = useQuery(eventTypesQuery);
  const change = (part: DeliveryFilters) =>
    void navigate({ to: '/deliveries', search: withoutEmpty({ ...filters, ...part }) });
  return (
    <div className="filters">
      <div className="filters__chips">
        <MenuFilter
          label="Order"
          value={filters.order}
          options={[{ value: 'failures_first', label: 'Failures first' }]}
          onChange={(order) => change({ order })}
        />
        <MenuFilter
          label="Status"
          value={filters.status_class}
          options={statusClassOptions}
          onChange={(status_class) => change({ status_class })}
        />
        <MenuFilter
          label="Error"
          value={filters.error_class}
          options={errorClassOptions}
          onChange={(error_class) => change({ error_class })}
        />
        <MenuFilter
          label="Endpoint"
          value={filters.endpoint_id}
          options={endpoints.data?.map(({ id, url }) => ({ value: id, label: url })) ?? []}
          onChange={(endpoint_id) => change({ endpoint_id })}
        />
        <MenuFilter
          label="Event type"
          many
          value={filters.event_type}
          options={types.data?.map(({ name }) => ({ value: name, label: name })) ?? []}
          onChange={(event_type) => change({ event_type })}
        />
        <TextFilter
          label="Tenant"
          input="Tenant id"
          submit="Show this tenant"
          maxLength={255}
          value={filters.external_id}
          onChange={(external_id) => change({ external_id })}
        />
        <TextFilter
          label="Channel"
          input="Channel"
          submit="Show this channel"
          maxLength={100}
          known={[...new Set(endpoints.data?.flatMap(({ channels }) => channels ?? []))]}
          check={checkChannel}
          value={filters.channel}
          onChange={(channel) => change({ channel })}
        />
        <TimeFilter since={filters.since} until={filters.until} onChange={change} />
      </div>
    </div>
  );
}
