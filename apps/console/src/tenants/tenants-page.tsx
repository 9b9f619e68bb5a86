import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet, useMatch, useNavigate } from '@tanstack/react-router';
import { pollIntervals } from '../api/poll-intervals.ts';
import { type ListedTenant, tenantsQuery } from '../api/tenants.ts';
import { withoutEmpty } from '../components/filters/search-params.ts';
import { TextFilter } from '../components/filters/text-filter.tsx';
import { formatCents } from '../components/format-money.ts';
import { PageHeader } from '../components/page-header.tsx';
import { Empty, LoadState, MoreRows } from '../components/page-states.tsx';
import { StateMark } from '../components/state-mark.tsx';
import { minuteTime } from '../components/time/format-time.ts';
import { visibleText } from '../components/visible-text.ts';
import { AdminOnly } from '../session/admin-only.tsx';
import { planMarks, tenantMark } from './describe-tenant.ts';
import './tenants.css';

/** The tenants with the open one next to them. Narrow screens show one or the other. */
export function TenantsPage() {
  const open = useMatch({ from: '/tenants/$externalId', shouldThrow: false });
  return (
    <AdminOnly title="Tenants">
      <div className="split" data-open={open !== undefined}>
        <div className="split__list">
          <TenantList />
        </div>
        {open ? (
          <div className="split__detail" key={open.params.externalId}>
            <Outlet />
          </div>
        ) : null}
      </div>
    </AdminOnly>
  );
}

const route = getRouteApi('/tenants');

function TenantList() {
  const { search } = route.useSearch();
  const navigate = useNavigate();
  const tenants = useInfiniteQuery({
    ...tenantsQuery(search),
    refetchInterval: pollIntervals.background,
  });
  const rows = tenants.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <PageHeader title="Tenants" />
      <div className="filters">
        <div className="filters__chips">
          <TextFilter
            label="Tenant"
            input="Beginning of the tenant id"
            submit="Find"
            maxLength={255}
            value={search}
            onChange={(next) =>
              void navigate({ to: '/tenants', search: withoutEmpty({ search: next }) })
            }
          />
        </div>
      </div>
      <LoadState
        query={tenants}
        loading="Loading tenants"
        rows={8}
        failed="The tenants could not be loaded"
        hasData={rows.length > 0}
      />
      {tenants.isSuccess && rows.length === 0 ? <NoTenants search={search} /> : null}
      {rows.length > 0 ? (
        <>
          <div className="rows__head rows__head--tenants" aria-hidden="true">
            <span>Tenant</span>
            <span>State</span>
            <span className="tenant-row__balance">Balance</span>
            <span className="tenant-row__plan">Plan</span>
            <span className="tenant-row__clock">Clock</span>
          </div>
          <ul className="rows">
            {rows.map((tenant) => (
              <TenantRow key={tenant.external_id} tenant={tenant} search={search} />
            ))}
          </ul>
        </>
      ) : null}
      <MoreRows of={tenants}>Show more tenants</MoreRows>
    </>
  );
}

function NoTenants({ search }: { search: string | undefined }) {
  if (search !== undefined) {
    return (
      <Empty icon="filter" title="No tenant id begins with this">
        <Link to="/tenants" className="svc-button svc-button--secondary svc-button--small">
          Clear filters
        </Link>
      </Empty>
    );
  }
  return (
    <Empty icon="tenants" title="No tenants yet">
      <p>
        A tenant appears here when your backend first calls{' '}
        <code>POST /v1/tenant/portal_info/&#123;external_id&#125;</code>.
      </p>
    </Empty>
  );
}

/** One tenant as a row. The whole row is the link. */
function TenantRow({ tenant, search }: { tenant: ListedTenant; search: string | undefined }) {
  const { external_id, plan, simulated_time } = tenant;
  const { tone, word } = tenantMark(tenant);
  return (
    <li>
      <Link
        to="/tenants/$externalId"
        params={{ externalId: external_id }}
        search={withoutEmpty({ search })}
        className="row tenant-row"
        data-row
      >
        <span className="tenant-row__id">{visibleText(external_id)}</span>
        <StateMark tone={tone}>{word}</StateMark>
        <span className="tenant-row__balance">{balanceWords(tenant)}</span>
        <span className="tenant-row__plan">{plan === null ? '–' : planMarks[plan.state].word}</span>
        <span className="row__time tenant-row__clock">
          {simulated_time === null ? 'Real time' : minuteTime(simulated_time)}
        </span>
      </Link>
    </li>
  );
}

function balanceWords({ balance, charged_off_plan_id }: ListedTenant): string {
  if (balance.state === 'owed') return formatCents(balance.amount_in_cents);
  // "Paid" would contradict the debt of an earlier month.
  return charged_off_plan_id === null ? 'Paid' : '–';
}
