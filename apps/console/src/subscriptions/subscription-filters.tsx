import { type ListFilter, textFilter } from '@svc/ui/console/filters/list-filters.tsx';
import { MenuFilter } from '@svc/ui/console/filters/menu-filter.tsx';
import { TextFilter } from '@svc/ui/console/filters/text-filter.tsx';
import { useQuery } from '@tanstack/react-query';
import { endpointsQuery } from '../api/endpoints.ts';
import { eventTypesQuery } from '../api/event-types.ts';
import { checkChannel } from './read-channels.ts';

export const tenantFilter = textFilter('external_id', {
  label: 'Tenant',
  input: 'Tenant id',
  submit: 'Show this tenant',
  maxLength: 255,
});

export const EndpointFilter: ListFilter<'endpoint_id'> = ({ filters, change }) => {
  const endpoints = useQuery(endpointsQuery);
  return (
    <MenuFilter
      label="Endpoint"
      value={filters.endpoint_id}
      options={endpoints.data?.map(({ id, url }) => ({ value: id, label: url })) ?? []}
      onChange={(endpoint_id) => change({ endpoint_id })}
    />
  );
};

export const EventTypeFilter: ListFilter<'event_type'> = ({ filters, change }) => {
  const types = useQuery(eventTypesQuery);
  return (
    <MenuFilter
      label="Event type"
      many
      value={filters.event_type}
      options={types.data?.map(({ name }) => ({ value: name, label: name })) ?? []}
      onChange={(event_type) => change({ event_type })}
    />
  );
};

export const ChannelFilter: ListFilter<'channel'> = ({ filters, change }) => {
  const endpoints = useQuery(endpointsQuery);
  return (
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
  );
};
