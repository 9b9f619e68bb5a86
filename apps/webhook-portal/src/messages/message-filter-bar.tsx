import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { endpointsQuery } from '../api/endpoints.ts';
import { eventTypesQuery } from '../api/event-types.ts';
import type { MessageFilters } from '../api/messages.ts';
import { stateMarks } from '../message/summarize-deliveries.ts';
import { Icon } from '../parts/icon.tsx';
import { FacetMenu } from './facet-menu.tsx';
import { TimeFacet } from './time-facet.tsx';

/** The filters of the list as chips; they live in the address. */
export function MessageFilterBar({ filters }: { filters: MessageFilters }) {
  const navigate = useNavigate();
  const endpoints = useQuery(endpointsQuery);
  const types = useQuery(eventTypesQuery);
  const change = (part: MessageFilters) =>
    void navigate({ to: '/messages', search: given({ ...filters, ...part }) });
  return (
    <div className="filters">
      <IdSearch
        filters={filters}
        onMessage={(messageId) =>
          void navigate({ to: '/messages/$messageId', params: { messageId } })
        }
        onTenant={(external_id) => change({ external_id })}
      />
      <div className="filters__chips">
        <FacetMenu
          label="State"
          value={filters.state}
          options={stateOptions}
          onChange={(state) => change({ state })}
        />
        <FacetMenu
          label="Event type"
          value={filters.event_type}
          options={types.data?.map(({ name }) => ({ value: name, label: name })) ?? []}
          onChange={(event_type) => change({ event_type })}
        />
        <FacetMenu
          label="Endpoint"
          value={filters.endpoint_id}
          options={endpoints.data?.map(({ id, url }) => ({ value: id, label: url })) ?? []}
          onChange={(endpoint_id) => change({ endpoint_id })}
        />
        <TimeFacet since={filters.since} until={filters.until} onChange={change} />
        {filters.external_id === undefined ? null : (
          <FacetMenu
            label="Tenant"
            value={filters.external_id}
            options={[]}
            onChange={(external_id) => change({ external_id })}
          />
        )}
      </div>
    </div>
  );
}

function IdSearch(props: {
  filters: MessageFilters;
  onMessage: (id: string) => void;
  onTenant: (id: string) => void;
}) {
  const [text, setText] = useState('');
  const search = (event: SubmitEvent) => {
    event.preventDefault();
    if (text === '') return;
    if (/^evt_[0-9a-z]+$/.test(text.trim())) props.onMessage(text.trim());
    else props.onTenant(text);
    setText('');
  };
  return (
    <form className="search" onSubmit={search}>
      <Icon name="search" />
      <input
        className="svc-field__input svc-field__input--small"
        type="search"
        data-search
        aria-label="Tenant id or message id"
        placeholder="Tenant id or message id"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <span className="key" aria-hidden="true">
        /
      </span>
    </form>
  );
}

const stateOptions = [
  { value: 'failed', label: 'Retrying or failed' },
  ...Object.entries(stateMarks).map(([value, { word }]) => ({ value, label: word })),
];

function given(filters: MessageFilters): Record<string, string> {
  const entries = Object.entries(filters).filter((entry): entry is [string, string] =>
    Boolean(entry[1]),
  );
  return Object.fromEntries(entries);
}
