import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { Empty, LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { call } from '../api/call.ts';
import { copiesQuery, historyQuery, type TenantEvent } from '../api/time-machine.ts';
import { AdminOnly } from '../session/admin-only.tsx';
import { ReadOnlyNotice } from '../session/read-only-notice.tsx';
import { useSession } from '../session/use-session.ts';
import { Comparison } from './comparison.tsx';
import { CopyDialog } from './copy-dialog.tsx';
import { EventRows } from './event-rows.tsx';
import { ExportCommand } from './export-command.tsx';
import { TenantNow } from './tenant-now.tsx';
import './time-machine.css';

const route = getRouteApi('/time-machine');

/** Copies a tenant of the sandbox at any webhook, and shows the tenant next to the copy. */
export function TimeMachinePage() {
  const { environment } = useSession();
  const { tenant, copy } = route.useSearch();
  return (
    <AdminOnly title="Time machine">
      <div className="page time-machine">
        <PageHeader title="Time machine">
          <p className="page-header__line">
            Copy a tenant as it was after any webhook, change one fact, and compare both.
          </p>
        </PageHeader>
        {environment === 'sandbox' ? (
          <Content key={`${tenant} ${copy}`} tenant={tenant} copy={copy} />
        ) : (
          <Empty icon="clock" title="Only in the sandbox">
            <p>In production, tenants are real, and their time goes on.</p>
          </Empty>
        )}
      </div>
    </AdminOnly>
  );
}

function Content({ tenant, copy }: { tenant: string | undefined; copy: string | undefined }) {
  if (tenant === undefined) return <PickTenant />;
  if (copy === undefined) return <OneTenant externalId={tenant} />;
  return <Comparison tenant={tenant} copy={copy} />;
}

function PickTenant() {
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const newest = useQuery({
    queryKey: ['tenants', 'newest'],
    queryFn: async ({ signal }) =>
      (await call('GET', '/partner/tenants', { query: { limit: 10 }, signal })).items,
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (typed !== '') void navigate({ to: '/time-machine', search: { tenant: typed } });
  };
  return (
    <section className="time-machine__pick" aria-label="Pick a tenant">
      <form className="search" onSubmit={submit}>
        <Icon name="search" />
        <input
          className="svc-field__input"
          type="search"
          aria-label="Tenant id"
          placeholder="Tenant id"
          autoComplete="off"
          spellCheck={false}
          maxLength={255}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <button type="submit" className="svc-button svc-button--secondary svc-button--small">
          Show
        </button>
      </form>
      <LoadState
        query={newest}
        loading="Loading tenants"
        rows={4}
        failed="The tenants could not be loaded"
      />
      {newest.data?.length === 0 ? (
        <Empty icon="tenants" title="No tenants yet">
          <p>
            Report one with <code>portal_info</code>, or run <code>svc scenario split</code>.
          </p>
        </Empty>
      ) : null}
      <ul className="time-machine__tenants">
        {newest.data?.map(({ external_id }) => (
          <li key={external_id}>
            <Link to="/time-machine" search={{ tenant: external_id }} className="svc-link">
              {visibleText(external_id)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A tenant's webhooks, each with a button that copies the tenant as it was then. */
function OneTenant({ externalId }: { externalId: string }) {
  const { read_only } = useSession();
  const history = useQuery(historyQuery(externalId));
  const [copyAt, setCopyAt] = useState<TenantEvent | null>(null);
  const events = history.data?.events ?? [];
  return (
    <>
      <p className="time-machine__place">
        <Link to="/time-machine" className="svc-link">
          <Icon name="back" /> Another tenant
        </Link>
      </p>
      <LoadState
        query={history}
        loading="Loading the tenant"
        rows={6}
        failed="The tenant could not be loaded"
      />
      {history.data ? (
        <div className="time-machine__one">
          <section aria-label="Webhooks">
            <h2 className="section-title">Webhooks of {visibleText(externalId)}</h2>
            {read_only ? <ReadOnlyNotice what="copy this tenant" /> : null}
            {events.length === 0 ? (
              <Empty icon="messages" title="No webhooks yet">
                <p>Nothing has happened to this tenant that a webhook reports.</p>
              </Empty>
            ) : null}
            <EventRows events={events} onCopy={read_only ? null : setCopyAt} />
          </section>
          <aside className="time-machine__side" aria-label="Now">
            <TenantNow history={history.data} actions={false} />
            <Copies externalId={externalId} />
            <ExportCommand tenant={externalId} at={null} change={null} />
          </aside>
        </div>
      ) : null}
      {copyAt ? (
        <CopyDialog externalId={externalId} at={copyAt} onClose={() => setCopyAt(null)} />
      ) : null}
    </>
  );
}

function Copies({ externalId }: { externalId: string }) {
  const copies = useQuery(copiesQuery(externalId));
  if (!copies.data || copies.data.length === 0) return null;
  return (
    <section className="svc-card side-card" aria-label="Copies">
      <h2 className="section-title">Copies</h2>
      <ul className="time-machine__tenants">
        {copies.data.map((copy) => (
          <li key={copy}>
            <Link to="/time-machine" search={{ tenant: externalId, copy }} className="svc-link">
              {visibleText(copy)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
