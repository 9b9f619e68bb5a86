import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { endpointsQuery } from '../api/endpoints.ts';
import { eventTypesQuery } from '../api/event-types.ts';
import type { MessageFilters } from '../api/messages.ts';
import { FacetMenu } from '../components/filters/facet-menu.tsx';
import { TextFacet } from '../components/filters/text-facet.tsx';
import { TimeFacet } from '../components/filters/time-facet.tsx';
import { stateMarks } from '../deliveries/summarize-deliveries.ts';
import { checkChannel } from '../subscriptions/read-channels.ts';
import { MessageSearch } from './message-search.tsx';

/** The filters of the list as chips; they live in the address. */
export function MessageFilterBar({ filters }: { filters: MessageFilters }) {
  const navigate = useNavigate();
  const endpoints = useQuery(endpointsQuery);
  const types = useQuery(eventTypesQuery);
  const change = (part: MessageFilters) =>
    void navigate({ to: '/messages', search: given({ ...filters, ...part }) });
  return (
    <div className="filters">
      <MessageSearch
        key={filters.q}
        q={filters.q}
        onMessage={(messageId) =>
          void navigate({ to: '/messages/$messageId', params: { messageId } })
        }
        onText={(q) => change({ q })}
      />
      <div className="filters__chips">
        <FacetMenu
          label="State"
          many
          value={filters.state}
          options={stateOptions}
          onChange={(state) => change({ state })}
        />
        <FacetMenu
          label="Event type"
          many
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
        <TextFacet
          label="Tenant"
          input="Tenant id"
          submit="Show this tenant"
          maxLength={255}
          value={filters.external_id}
          onChange={(external_id) => change({ external_id })}
        />
        <TextFacet
          label="Channel"
          input="Channel"
          submit="Show this channel"
          maxLength={100}
          known={[...new Set(endpoints.data?.flatMap(({ channels }) => channels ?? []))]}
          check={checkChannel}
          value={filters.channel}
          onChange={(channel) => change({ channel })}
        />
      </div>
    </div>
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
