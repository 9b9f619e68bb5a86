import { menuFilter } from '@svc/ui/console/filters/list-filters.tsx';
import { withoutEmpty } from '@svc/ui/console/filters/search-params.ts';
import { defineList } from '@svc/ui/console/list/define-list.tsx';
import { Field } from '@svc/ui/console/parts/field.tsx';
import { Floating } from '@svc/ui/console/parts/floating.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { currentTime } from '@svc/ui/console/time/clock.ts';
import { Ago } from '@svc/ui/console/time/time.tsx';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  reportUrl,
  type Settlement,
  type SettlementFilters,
  settlementList,
} from '../api/settlements.ts';
import { tenantFilter } from '../subscriptions/subscription-filters.tsx';
import { DebitAccountPanel } from './debit-account.tsx';
import { settlementMarks } from './describe-settlement.ts';
import './settlements.css';
import { AdminOnly } from '../session/admin-only.tsx';
import { OutsideOfFrames } from '../session/outside-of-frames.tsx';

export const SettlementsPage = defineList({
  route: '/settlements',
  title: 'Settlements',
  rows: ['settlement', 'settlements'],
  api: settlementList,
  Gate: AdminOnly,
  keyOf: ({ id }) => id,
  Actions: () => (
    <>
      <OutsideOfFrames>
        <DebitAccountPanel />
      </OutsideOfFrames>
      <DailyReport />
    </>
  ),
  filters: [
    menuFilter(
      'status',
      'Status',
      Object.entries(settlementMarks).map(([value, { word }]) => ({ value, label: word })),
    ),
    menuFilter('is_stale', 'Age', [{ value: 'true', label: 'Three banking days late' }]),
    tenantFilter,
  ],
  columns: [
    ['Status'],
    ['Tenant'],
    ['Amount', 'settlement-row__amount'],
    ['Debit by', 'settlement-row__debit'],
    ['Created'],
  ],
  Row: SettlementRow,
  empty: {
    icon: 'settlements',
    title: 'No settlements yet',
    text: <p>When a tenant accepts a plan, what we owe you appears here.</p>,
  },
});

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

/** One settlement as a row. The whole row is the link. */
function SettlementRow(props: { item: Settlement; filters: SettlementFilters }) {
  const { item: settlement, filters } = props;
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
