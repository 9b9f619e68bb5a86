import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet, useMatch, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { pollIntervals } from '../api/poll-intervals.ts';
import {
  reportUrl,
  type Settlement,
  type SettlementFilters,
  settlementsQuery,
} from '../api/settlements.ts';
import { Field } from '../components/field.tsx';
import { MenuFilter } from '../components/filters/menu-filter.tsx';
import { withoutEmpty } from '../components/filters/search-params.ts';
import { TextFilter } from '../components/filters/text-filter.tsx';
import { Floating } from '../components/floating.tsx';
import { formatDate } from '../components/format-date.ts';
import { formatCents } from '../components/format-money.ts';
import { Icon } from '../components/icon.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Empty, LoadState, MoreRows } from '../components/page-states.tsx';
import { StateMark } from '../components/state-mark.tsx';
import { currentTime } from '../components/time/clock.ts';
import { Ago } from '../components/time/time.tsx';
import { visibleText } from '../components/visible-text.ts';
import { AdminOnly } from '../session/admin-only.tsx';
import { DebitAccountPanel } from './debit-account.tsx';
import { settlementMarks } from './describe-settlement.ts';
import './settlements.css';

/** The settlements with the open one next to them. Narrow screens show one or the other. */
export function SettlementsPage() {
  const open = useMatch({ from: '/settlements/$settlementId', shouldThrow: false });
  return (
    <AdminOnly title="Settlements">
      <div className="split" data-open={open !== undefined}>
        <div className="split__list">
          <SettlementList />
        </div>
        {open ? (
          <div className="split__detail" key={open.params.settlementId}>
            <Outlet />
          </div>
        ) : null}
      </div>
    </AdminOnly>
  );
}

const route = getRouteApi('/settlements');

function SettlementList() {
  const filters: SettlementFilters = route.useSearch();
  const settlements = useInfiniteQuery({
    ...settlementsQuery(filters),
    refetchInterval: pollIntervals.background,
  });
  const rows = settlements.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <PageHeader title="Settlements" actions={<Actions />} />
      <FilterBar filters={filters} />
      <LoadState
        query={settlements}
        loading="Loading settlements"
        rows={8}
        failed="The settlements could not be loaded"
        hasData={rows.length > 0}
      />
      {settlements.isSuccess && rows.length === 0 ? (
        <NoSettlements filtered={Object.values(filters).some(Boolean)} />
      ) : null}
      {rows.length > 0 ? (
        <>
          <div className="rows__head rows__head--settlements" aria-hidden="true">
            <span>Status</span>
            <span>Tenant</span>
            <span className="settlement-row__amount">Amount</span>
            <span className="settlement-row__debit">Debit by</span>
            <span>Created</span>
          </div>
          <ul className="rows">
            {rows.map((settlement) => (
              <SettlementRow key={settlement.id} settlement={settlement} filters={filters} />
            ))}
          </ul>
        </>
      ) : null}
      <MoreRows of={settlements}>Show older settlements</MoreRows>
    </>
  );
}

function Actions() {
  return (
    <>
      <DebitAccountPanel />
      <DailyReport />
    </>
  );
}

function FilterBar({ filters }: { filters: SettlementFilters }) {
  const navigate = useNavigate();
  const change = (part: SettlementFilters) =>
    void navigate({ to: '/settlements', search: withoutEmpty({ ...filters, ...part }) });
  return (
    <div className="filters">
      <div className="filters__chips">
        <MenuFilter
          label="Status"
          value={filters.status}
          options={Object.entries(settlementMarks).map(([value, { word }]) => ({
            value,
            label: word,
          }))}
          onChange={(status) => change({ status })}
        />
        <MenuFilter
          label="Age"
          value={filters.is_stale}
          options={[{ value: 'true', label: 'Three banking days late' }]}
          onChange={(is_stale) => change({ is_stale })}
        />
        <TextFilter
          label="Tenant"
          input="Tenant id"
          submit="Show this tenant"
          maxLength={255}
          value={filters.external_id}
          onChange={(external_id) => change({ external_id })}
        />
      </div>
    </div>
  );
}

/** Downloads the report of one day. The files are links, so the browser saves them. */
function DailyReport() {
  const [date, setDate] = useState(() => new Date(currentTime()).toISOString().slice(0, 10));
  return (
    <Floating
      className="svc-button svc-button--secondary svc-button--small"
      name="Daily report"
      popup="dialog"
      align="end"
      panelClassName="filter-panel"
      face={
        <>
          Daily report <Icon name="down" />
        </>
      }
    >
      {() => (
        <div className="settlements__report">
          <Field label="Day (UTC)">
            {(wiring) => (
              <input
                {...wiring}
                type="date"
                className="svc-field__input svc-field__input--small"
                value={date}
                onChange={(event) => setDate(event.target.value)}
              />
            )}
          </Field>
          {date === ''
            ? null
            : (['csv', 'json'] as const).map((format) => (
                <a
                  key={format}
                  href={reportUrl(date, format)}
                  download={`settlements-${date}.${format}`}
                  className="svc-button svc-button--secondary svc-button--small"
                >
                  Download {format.toUpperCase()}
                </a>
              ))}
        </div>
      )}
    </Floating>
  );
}

function NoSettlements({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <Empty icon="filter" title="No settlements match these filters">
        <Link to="/settlements" className="svc-button svc-button--secondary svc-button--small">
          Clear filters
        </Link>
      </Empty>
    );
  }
  return (
    <Empty icon="settlements" title="No settlements yet">
      <p>When a tenant accepts a plan, the rent we owe you appears here.</p>
    </Empty>
  );
}

/** One settlement as a row. The whole row is the link. */
function SettlementRow(props: { settlement: Settlement; filters: SettlementFilters }) {
  const { settlement, filters } = props;
  const { tone, word } = settlementMarks[settlement.status];
  return (
    <li>
      <Link
        to="/settlements/$settlementId"
        params={{ settlementId: settlement.id }}
        search={withoutEmpty({ ...filters })}
        className="row settlement-row"
        data-row
      >
        <StateMark tone={settlement.is_stale ? 'warn' : tone}>
          {settlement.is_stale ? `${word}, late` : word}
        </StateMark>
        <span className="settlement-row__tenant">{visibleText(settlement.external_id)}</span>
        <span className="settlement-row__amount">{formatCents(settlement.amount_in_cents)}</span>
        <span className="settlement-row__debit">{formatDate(settlement.debit_by)}</span>
        <span className="row__time">
          <Ago at={settlement.created_at} />
        </span>
      </Link>
    </li>
  );
}
