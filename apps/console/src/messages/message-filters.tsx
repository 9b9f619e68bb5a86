import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { endpointsQuery } from '../api/endpoints.ts';
import { eventTypesQuery } from '../api/event-types.ts';
import type { MessageFilters } from '../api/messages.ts';
import { MenuFilter } from '../components/filters/menu-filter.tsx';
import { withoutEmpty } from '../components/filters/search-params.ts';
import { TextFilter } from '../components/filters/text-filter.tsx';
import { TimeFilter } from '../components/filters/time-filter.tsx';
import { Icon } from '../components/icon.tsx';
import { stateMarks } from '../deliveries/delivery-state.ts';
import { checkChannel } from '../subscriptions/read-channels.ts';

/** The list's filters, stored in the URL. */
export function MessageFilterBar({ filters }: { filters: MessageFilters }) {
  const navigate = useNavigate();
  const endpoints = useQuery(endpointsQuery);
  const types = useQuery(eventTypesQuery);
  const change = (part: MessageFilters) =>
    void navigate({ to: '/messages', search: withoutEmpty({ ...filters, ...part }) });
  return (
    <div className="filters">
      <MessageSearch
        q={filters.q}
        onMessage={(messageId) =>
          void navigate({ to: '/messages/$messageId', params: { messageId } })
        }
        onText={(q) => change({ q })}
      />
      <div className="filters__chips">
        <MenuFilter
          label="State"
          many
          value={filters.state}
          options={stateOptions}
          onChange={(state) => change({ state })}
        />
        <MenuFilter
          label="Event type"
          many
          value={filters.event_type}
          options={types.data?.map(({ name }) => ({ value: name, label: name })) ?? []}
          onChange={(event_type) => change({ event_type })}
        />
        <MenuFilter
          label="Endpoint"
          value={filters.endpoint_id}
          options={endpoints.data?.map(({ id, url }) => ({ value: id, label: url })) ?? []}
          onChange={(endpoint_id) => change({ endpoint_id })}
        />
        <TimeFilter since={filters.since} until={filters.until} onChange={change} />
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
      </div>
    </div>
  );
}

const stateOptions = [
  { value: 'failed', label: 'Retrying or failed' },
  ...Object.entries(stateMarks).map(([value, { word }]) => ({ value, label: word })),
];

/** Free-text search. A complete message ID opens that message. Clearing the field removes the filter. */
function MessageSearch(props: {
  q: string | undefined;
  onMessage: (id: string) => void;
  onText: (q: string | undefined) => void;
}) {
  const { q = '', onMessage, onText } = props;
  const [text, setText] = useState(q);
  const [shownFor, setShownFor] = useState(q);
  // The filter can change outside of the field. Remounting the field would drop its focus.
  if (shownFor !== q) {
    setShownFor(q);
    if (text.trim() !== q) setText(q);
  }
  const search = (event: SubmitEvent) => {
    event.preventDefault();
    const words = text.trim();
    if (/^evt_[0-9a-z]{10,}$/.test(words)) return onMessage(words);
    if (words !== q) onText(words === '' ? undefined : words);
  };
  return (
    <form className="search" onSubmit={search}>
      <Icon name="search" />
      <input
        className="svc-field__input svc-field__input--small"
        type="search"
        data-search
        maxLength={200}
        aria-label="Search messages"
        placeholder="Search IDs and bodies"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          if (target.value === '' && q !== '') onText(undefined);
        }}
      />
      <span className="key" aria-hidden="true">
        /
      </span>
    </form>
  );
}
