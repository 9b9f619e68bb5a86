import type { auditGroups } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import type { AuditEntry, AuditFilters } from '../api/audit-log.ts';
import { endpointsQuery } from '../api/endpoints.ts';
import { ChipCross, chipWords, FacetMenu } from '../components/filters/facet-menu.tsx';
import { describeActor } from './describe-actor.ts';

/** What was done and to which endpoint are chosen here; by whom, in a row of the list. */
export function AuditFilterBar(props: {
  filters: AuditFilters;
  /** One entry of theirs, once loaded. */
  sample: AuditEntry | undefined;
  onChange: (part: AuditFilters) => void;
}) {
  const { filters, sample, onChange } = props;
  const endpoints = useQuery(endpointsQuery);
  return (
    <div className="filters__chips">
      <FacetMenu
        label="What"
        value={filters.group}
        options={groups}
        onChange={(group) => onChange({ group })}
      />
      <FacetMenu
        label="Endpoint"
        value={filters.endpoint_id}
        options={endpoints.data?.map(({ id, url }) => ({ value: id, label: url })) ?? []}
        onChange={(endpoint_id) => onChange({ endpoint_id })}
      />
      {filters.by === undefined ? null : (
        <span className="chip" data-set="true">
          <span className="chip__words">
            {chipWords('By', sample ? describeActor(sample).name : filters.by)}
          </span>
          <ChipCross label="By" shown onRemove={() => onChange({ by: undefined })} />
        </span>
      )}
    </div>
  );
}

const words: Record<(typeof auditGroups)[number], string> = {
  endpoint: 'Endpoints',
  secret: 'Signing secrets',
  test: 'Test sends',
  message: 'Messages',
  replay: 'Replays',
  portal: 'Portal sign-ins',
  settlement: 'Settlements and refunds',
  key: 'API keys',
  partner: 'Account',
};
const groups = Object.entries(words).map(([value, label]) => ({ value, label }));
