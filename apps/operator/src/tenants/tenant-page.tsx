import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { usePageTitle } from '@svc/ui/console/shell/site-name.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { exactTime } from '@svc/ui/console/time/format-time.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { rememberTenant } from '../api/search.ts';
import { type Tenant, type TenantName, tenantQuery } from '../api/tenants.ts';
import { eligibilityMarks, sayWord } from './describe-tenant.ts';
import { Position } from './position.tsx';
import { TenantActions } from './tenant-actions.tsx';
import { TenantFacts } from './tenant-facts.tsx';
import { Timeline } from './timeline.tsx';
import './tenants.css';

const route = getRouteApi('/tenants/$partner/$externalId');

/** One tenant: what happens next and why, everything that happened, and what is known. */
export function TenantPage() {
  const name = route.useParams();
  const { partner, externalId } = name;
  const client = useQueryClient();
  const tenant = useQuery({ ...tenantQuery(name), refetchInterval: pollIntervals.background });
  const isFound = tenant.data !== undefined;
  useEffect(() => {
    if (isFound) rememberTenant(client, { partner, externalId });
  }, [client, isFound, partner, externalId]);
  return (
    <article className="tenant" key={`${partner}/${externalId}`} aria-label="Tenant">
      <TenantHeader name={name} tenant={tenant.data} />
      <LoadState
        query={tenant}
        loading="Loading the tenant"
        rows={6}
        failed="The tenant could not be loaded"
      />
      {tenant.data ? (
        <div className="tenant__columns">
          <div className="tenant__main">
            <Position name={name} tenant={tenant.data} />
            <Timeline name={name} />
          </div>
          <TenantFacts name={name} tenant={tenant.data} />
        </div>
      ) : null}
    </article>
  );
}

function TenantHeader({ name, tenant }: { name: TenantName; tenant: Tenant | undefined }) {
  const id = visibleText(name.externalId);
  return (
    <header className="tenant__header">
      {/* The id, because the name would stay in the browser's history. */}
      <title>{usePageTitle(`Tenant ${id}`)}</title>
      <div className="tenant__title">
        <h1 className="page-header__title">{tenant?.person ? fullName(tenant.person) : id}</h1>
        {tenant ? <TenantActions name={name} tenant={tenant} /> : null}
      </div>
      <p className="tenant__lead">
        <code>{id}</code>
        {tenant ? (
          <>
            <span>{visibleText(tenant.partner.name)}</span>
            <EligibilityMark eligibility={tenant.eligibility} />
            {tenant.is_simulated ? (
              <span className="svc-badge svc-tone-sandbox">Clock at {exactTime(tenant.now)}</span>
            ) : null}
          </>
        ) : null}
      </p>
    </header>
  );
}

function EligibilityMark({ eligibility: { state, reason } }: Pick<Tenant, 'eligibility'>) {
  const { tone, word } = eligibilityMarks[state];
  const saysMore = reason !== null && reason !== state && reason !== 'open_plan';
  return (
    <StateMark tone={tone}>
      {saysMore ? `${word}: ${sayWord(reason).toLowerCase()}` : word}
    </StateMark>
  );
}

function fullName({ first_name, last_name }: NonNullable<Tenant['person']>): string {
  return visibleText(`${first_name} ${last_name}`);
}
