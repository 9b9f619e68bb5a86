import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type AuditEntry, auditLogQuery } from '../api/audit-log.ts';
import { endpointsQuery } from '../api/endpoints.ts';
import { Empty } from '../parts/empty.tsx';
import { MoreRows } from '../parts/more-rows.tsx';
import { Problem } from '../parts/problem.tsx';
import { RowsSkeleton } from '../parts/rows-skeleton.tsx';
import { visibleText } from '../text/visible-text.ts';
import { Ago } from '../time/time.tsx';
import { describeEntry } from './describe-entry.ts';
import './audit-log.css';

/** Who did what, newest first. */
export function AuditLog({ endpointId }: { endpointId: string | undefined }) {
  const log = useInfiniteQuery({ ...auditLogQuery(endpointId), refetchInterval: 15_000 });
  const endpoints = useQuery(endpointsQuery);
  const entries = log.data?.pages.flatMap((page) => page.items) ?? [];
  if (log.isPending) return <RowsSkeleton rows={8} label="Loading the audit log" />;
  if (log.isError && entries.length === 0) {
    const retry = () => log.refetch();
    return <Problem what="The audit log could not be loaded" error={log.error} retry={retry} />;
  }
  if (entries.length === 0) {
    return (
      <Empty icon="clock" title="Nothing was done yet">
        <p>
          Changes of endpoints, secrets read or rotated, tests, replays and links to this portal are
          recorded here.
        </p>
      </Empty>
    );
  }
  return (
    <div>
      <ol className="audit">
        {entries.map((entry) => (
          <Row
            key={entry.id}
            entry={entry}
            url={endpoints.data?.find(({ id }) => id === entry.endpoint_id)?.url}
          />
        ))}
      </ol>
      <MoreRows of={log}>Show older entries</MoreRows>
    </div>
  );
}

function Row({ entry, url }: { entry: AuditEntry; url: string | undefined }) {
  const { via, credential_id, occurred_at } = entry;
  return (
    <li className="audit__row">
      <span className="row__time audit__time">
        <Ago at={occurred_at} />
      </span>
      <span className="audit__what">
        {visibleText(describeEntry(entry))}
        <Subject entry={entry} url={url} />
      </span>
      <span className="audit__who" title={credential_id}>
        {via === 'key' ? 'API key' : 'Portal session'} <code>…{credential_id.slice(-6)}</code>
      </span>
    </li>
  );
}

/** What it was done to, where that is still there to look at. */
function Subject({ entry, url }: { entry: AuditEntry; url: string | undefined }) {
  const { action, subject_id, endpoint_id } = entry;
  if (subject_id !== null && action.startsWith('replay.')) {
    return (
      <Link to="/replays/$replayId" params={{ replayId: subject_id }} className="svc-link">
        See the replay
      </Link>
    );
  }
  if (subject_id !== null) {
    return (
      <Link to="/messages/$messageId" params={{ messageId: subject_id }} className="svc-link">
        See the message
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
