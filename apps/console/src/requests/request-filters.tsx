import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import type { RequestFilters } from '../api/requests.ts';
import { MenuFilter } from '../components/filters/menu-filter.tsx';
import { withoutEmpty } from '../components/filters/search-params.ts';
import { TextFilter } from '../components/filters/text-filter.tsx';
import { TimeFilter } from '../components/filters/time-filter.tsx';
import { Icon } from '../components/icon.tsx';

/** The log's filters, stored in the URL. */
export function RequestFilterBar({ filters }: { filters: RequestFilters }) {
  const navigate = useNavigate();
  const change = (part: RequestFilters) =>
    void navigate({ to: '/requests', search: withoutEmpty({ ...filters, ...part }) });
  return (
    <div className="filters">
      <RequestSearch
        onRequest={(requestId) =>
          void navigate({ to: '/requests/$requestId', params: { requestId } })
        }
        onPath={(path) => change({ path })}
        onTenant={(external_id) => change({ external_id })}
      />
      <div className="filters__chips">
        <MenuFilter
          label="Status"
          value={filters.status}
          options={statuses}
          onChange={(status) => change({ status })}
        />
        <TextFilter
          label="Error"
          input="Error code"
          submit="Show this error"
          maxLength={100}
          known={commonCodes}
          value={filters.code}
          onChange={(code) => change({ code })}
        />
        <MenuFilter
          label="Method"
          value={filters.method}
          options={methods}
          onChange={(method) => change({ method })}
        />
        <TextFilter
          label="Path"
          input="Beginning of the path"
          submit="Show this path"
          maxLength={300}
          value={filters.path}
          onChange={(path) => change({ path })}
        />
        <TextFilter
          label="Tenant"
          input="Tenant id"
          submit="Show this tenant"
          maxLength={255}
          value={filters.external_id}
          onChange={(external_id) => change({ external_id })}
        />
        <TimeFilter
          since={filters.since}
          until={filters.until}
          onChange={({ since, until }) => change({ since, until })}
        />
      </div>
    </div>
  );
}

const statuses = [
  { value: '2xx', label: '2xx success' },
  { value: '4xx', label: '4xx refused' },
  { value: '5xx', label: '5xx failed' },
  { value: '429', label: '429 rate limited' },
];
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((value) => ({ value, label: value }));
const commonCodes = ['validation_failed', 'not_found', 'tenant_not_found', 'version_conflict'];

/** Finds a request id, a path or a tenant, by the form of what was typed. */
function RequestSearch(props: {
  onRequest: (id: string) => void;
  onPath: (path: string) => void;
  onTenant: (externalId: string) => void;
}) {
  const [typed, setTyped] = useState('');
  const search = (event: SubmitEvent) => {
    event.preventDefault();
    const words = typed.trim();
    if (words === '') return;
    setTyped('');
    if (/^req_[0-9a-z]{10,}$/.test(words)) props.onRequest(words);
    else if (words.startsWith('/')) props.onPath(words);
    else props.onTenant(words);
  };
  return (
    <form className="search" onSubmit={search}>
      <Icon name="search" />
      <input
        className="svc-field__input svc-field__input--small"
        type="search"
        data-search
        maxLength={255}
        aria-label="Search requests"
        placeholder="Request ID, /path or tenant"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <span className="key" aria-hidden="true">
        /
      </span>
    </form>
  );
}
