import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Filters } from '../../api/api-list.ts';
import { endpointsQuery } from '../../api/endpoints.ts';
import { eventTypesQuery } from '../../api/event-types.ts';
import { checkChannel } from '../../subscriptions/read-channels.ts';
import { MenuFilter, type Option } from './menu-filter.tsx';
import { TextFilter } from './text-filter.tsx';
import { TimeFilter } from './time-filter.tsx';

/** One filter in the bar of a list. `change` sets the named filters and keeps all others. */
export type ListFilter<Name extends string> = (props: {
  filters: Filters<Name>;
  change: (part: Filters<Name>) => void;
}) => ReactNode;

/** A choice from options that are known in advance. */
export function menuFilter<Name extends string>(
  name: Name,
  label: string,
  options: readonly Option[],
  { many = false }: { readonly many?: boolean } = {},
): ListFilter<Name> {
  return ({ filters, change }) => (
    <MenuFilter
      label={label}
      many={many}
      value={filters[name]}
      options={options}
      onChange={(value) => change(only(name, value))}
    />
  );
}

interface TextOptions {
  readonly label: string;
  /** The label of the input, such as "Tenant id". */
  readonly input: string;
  /** The words of the button. */
  readonly submit: string;
  readonly maxLength: number;
  /** Suggested values. Others can be typed. */
  readonly known?: readonly string[];
}

/** One exact value that the user types. */
export function textFilter<Name extends string>(
  name: Name,
  options: TextOptions,
): ListFilter<Name> {
  return ({ filters, change }) => (
    <TextFilter
      {...options}
      value={filters[name]}
      onChange={(value) => change(only(name, value))}
    />
  );
}

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

export const PeriodFilter: ListFilter<'since' | 'until'> = ({ filters, change }) => (
  <TimeFilter since={filters.since} until={filters.until} onChange={change} />
);

function only<Name extends string>(name: Name, value: string | undefined): Filters<Name> {
  return { [name]: value } as Filters<Name>;
}
