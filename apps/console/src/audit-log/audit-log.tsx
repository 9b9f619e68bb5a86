import type { auditGroups } from '@svc/contract';
import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { chipLabel, MenuFilter, RemoveChipButton } from '@svc/ui/console/filters/menu-filter.tsx';
import { Empty, LoadState, MoreRows } from '@svc/ui/console/parts/page-states.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Ago } from '@svc/ui/console/time/time.tsx';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type AuditEntry, type AuditFilters, auditLogList } from '../api/audit-log.ts';
import { endpointsQuery } from '../api/endpoints.ts';
import { useSession } from '../session/use-session.ts';
import { describeActor, describeEntry } from './describe-entry.ts';
import './audit-log.css';

/** The audit log, newest first. */
export function AuditLog(props: { filters: AuditFilters; onChange: (part: AuditFilters) => void }) {
  const { filters, onChange } = props;
  const log = useInfiniteQuery({
    ...auditLogList.query(filters),
    refetchInterval: pollIntervals.background,
  });
  const entries = log.data?.pages.flatMap((page) => page.items) ?? [];
  const sample = filters.credential_id === undefined ? undefined : entries[0];
  return (
    <>
      <AuditFilterBar filters={filters} sample={sample} onChange={onChange} />
      <LoadState
        query={log}
        loading="Loading the audit log"
        rows={8}
        failed="The audit log could not be loaded"
        hasData={entries.length > 0}
      />
      {log.isSuccess && entries.length === 0 ? (
        <NoEntries
          filtered={Object.values(filters).some(Boolean)}
          onClear={() =>
            onChange({ endpoint_id: undefined, group: undefined, credential_id: undefined })
          }
        />
      ) : null}
      {entries.length > 0 ? <Entries entries={entries} /> : null}
      {entries.length > 0 ? <MoreRows of={log}>Show older entries</MoreRows> : null}
      {log.isSuccess && !log.hasNextPage ? (
        <p className="audit__kept">Entries are kept for 400 days.</p>
      ) : null}
    </>
  );
}

function NoEntries({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered) {
    return (
      <Empty icon="clock" title="No activity yet">
        <p>
          The audit log records changes to endpoints, settlements, API keys, and allowed origins,
          views and rotations of secrets, tests, replays, and links to this console.
        </p>
      </Empty>
    );
  }
  return (
    <Empty icon="filter" title="No entries match">
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small"
        onClick={onClear}
      >
        Clear filters
      </button>
    </Empty>
  );
}

function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  const endpoints = useQuery(endpointsQuery);
  return (
    <ol className="audit">
      {entries.map((entry) => (
        <Row
          key={entry.id}
          entry={entry}
          url={endpoints.data?.find(({ id }) => id === entry.endpoint_id)?.url}
        />
      ))}
    </ol>
  );
}

function Row({ entry, url }: { entry: AuditEntry; url: string | undefined }) {
  return (
    <li className="audit__row">
      <span className="row__time audit__time">
        <Ago at={entry.occurred_at} />
      </span>
      <span className="audit__what">
        {describeEntry(entry, url)}
        <Subject entry={entry} url={url} />
      </span>
      <Actor entry={entry} />
    </li>
  );
}

/** The person or key that made the change. Clicking it filters the log. */
function Actor({ entry }: { entry: AuditEntry }) {
  const session = useSession();
  const { name, detail } = describeActor(entry);
  return (
    <span className="audit__who">
      <Link
        to="/activity"
        search={{ view: 'audit-log', credential_id: entry.credential_id }}
        className="svc-link"
        title={`Show only entries by ${visibleText(entry.credential_id)}`}
      >
        {visibleText(name)}
      </Link>
      {entry.credential_id === session.id ? <span className="tag">You</span> : null}
      <span className="audit__which">
        {entry.address === null ? detail : `${detail}, from ${entry.address}`}
      </span>
    </span>
  );
}

/** A link to the changed object, if it still exists. */
function Subject({ entry, url }: { entry: AuditEntry; url: string | undefined }) {
  const { action, subject_id, endpoint_id } = entry;
  const [group] = action.split('.');
  if (subject_id !== null && action.startsWith('replay.')) {
    return (
      <Link to="/replays/$replayId" params={{ replayId: subject_id }} className="svc-link">
        View replay
      </Link>
    );
  }
  if (subject_id !== null && ['settlement', 'key'].includes(group ?? '')) {
    return <code>{subject_id}</code>;
  }
  if (subject_id !== null && action !== 'test.preset_saved' && action !== 'test.preset_removed') {
    return (
      <Link to="/messages/$messageId" params={{ messageId: subject_id }} className="svc-link">
        View message
      </Link>
    );
  }
  if (endpoint_id === null || url === undefined) return null;
  return (
    <Link to="/endpoints/$endpointId" params={{ endpointId: endpoint_id }} className="svc-link">
      {visibleText(url)}
    </Link>
  );
}

/** Filters by action and endpoint. The filter by user is set by clicking a name in the list. */
function AuditFilterBar(props: {
  filters: AuditFilters;
  /** An entry by the filtered user, once loaded, to name them. */
  sample: AuditEntry | undefined;
  onChange: (part: AuditFilters) => void;
}) {
  const { filters, sample, onChange } = props;
  const endpoints = useQuery(endpointsQuery);
  return (
    <div className="filters__chips">
      <MenuFilter
        label="Action"
        value={filters.group}
        options={groups}
        onChange={(group) => onChange({ group })}
      />
      <MenuFilter
        label="Endpoint"
        value={filters.endpoint_id}
        options={endpoints.data?.map(({ id, url }) => ({ value: id, label: url })) ?? []}
        onChange={(endpoint_id) => onChange({ endpoint_id })}
      />
      {filters.credential_id === undefined ? null : (
        <span className="chip" data-set="true">
          <span className="chip__words">
            {chipLabel('By', sample ? describeActor(sample).name : filters.credential_id)}
          </span>
          <RemoveChipButton
            label="By"
            shown
            onRemove={() => onChange({ credential_id: undefined })}
          />
        </span>
      )}
    </div>
  );
}

const groupLabels: Record<(typeof auditGroups)[number], string> = {
  endpoint: 'Endpoints',
  secret: 'Signing secrets',
  test: 'Test sends',
  message: 'Messages',
  replay: 'Replays',
  portal: 'Console sign-ins',
  settlement: 'Settlements and refunds',
  payout: 'Payouts',
  payment: 'Payments of tenants',
  plan: 'Plans of tenants',
  collections: 'Collections',
  key: 'API keys',
  partner: 'Account',
  mail: 'Mails to tenants',
  tenant: 'Tenants’ data',
};
const groups = Object.entries(groupLabels).map(([value, label]) => ({ value, label }));
