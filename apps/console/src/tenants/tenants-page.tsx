import { textFilter } from '@svc/ui/console/filters/list-filters.tsx';
import { withoutEmpty } from '@svc/ui/console/filters/search-params.ts';
import { defineList } from '@svc/ui/console/list/define-list.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { minuteTime } from '@svc/ui/console/time/format-time.ts';
import { Link } from '@tanstack/react-router';
import { type ListedTenant, type TenantFilters, tenantList } from '../api/tenants.ts';
import { planMarks, tenantMark } from './describe-tenant.ts';
import './tenants.css';
import { AdminOnly } from '../session/admin-only.tsx';

export const TenantsPage = defineList({
  route: '/tenants',
  title: 'Tenants',
  rows: ['tenant', 'tenants'],
  api: tenantList,
  Gate: AdminOnly,
  keyOf: ({ external_id }) => external_id,
  more: 'Show more tenants',
  filters: [
    textFilter('search', {
      label: 'Tenant',
      input: 'Beginning of the tenant id',
      submit: 'Find',
      maxLength: 255,
    }),
  ],
  columns: [
    ['Tenant'],
    ['State'],
    ['Balance', 'tenant-row__balance'],
    ['Plan', 'tenant-row__plan'],
    ['Clock', 'tenant-row__clock'],
  ],
  Row: TenantRow,
  empty: {
    icon: 'tenants',
    title: 'No tenants yet',
    filtered: 'No tenant id begins with this',
    text: (
      <p>
        A tenant appears here when your backend first calls{' '}
        <code>POST /v1/tenant/portal_info/&#123;external_id&#125;</code>.
      </p>
    ),
  },
});

/** One tenant as a row. The whole row is the link. */
function TenantRow(props: { item: ListedTenant; filters: TenantFilters }) {
  const { item: tenant, filters } = props;
  const { external_id, plan, simulated_time } = tenant;
  const { tone, word } = tenantMark(tenant);
  return (
    <li>
      <Link
        to="/tenants/$externalId"
        params={{ externalId: external_id }}
        search={withoutEmpty({ ...filters })}
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
