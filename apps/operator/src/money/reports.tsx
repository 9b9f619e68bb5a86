import { Empty, LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { delinquencyQuery, feesQuery, lossesQuery, portfolioQuery } from '../api/money.ts';
import { Bars } from './bars.tsx';

const ages = ['1-30', '31-60', '61-90', '91+'] as const;

/** Late plans, by the age of their oldest missed payment. */
export function DelinquencyReport() {
  const query = useQuery(delinquencyQuery);
  const items = query.data ?? [];
  return (
    <Report
      query={query}
      items={items}
      name="delinquency"
      lead="Days since the oldest payment that is not made was due. A plan that is late owes its later payments, too."
      empty="Nobody is late"
      chart={
        <Bars
          title="Late and owed by age"
          series={[
            { label: 'Late', tone: 'bad' },
            { label: 'Owed later by the same plans', tone: 'neutral' },
          ]}
          columns={ages.map((age) => {
            const rows = items.filter((it) => it.age === age);
            const late = sum(rows, 'late_in_cents');
            const label = `${age.replace('-', '–')} days`;
            return { label, values: [late, sum(rows, 'owed_in_cents') - late] };
          })}
          format={dollars}
        />
      }
      columns={[
        portal,
        { head: 'Days late', cell: ({ age }) => age.replace('-', '–') },
        count('Plans', 'plans'),
        amount('Late', 'late_in_cents'),
        amount('Owed in all', 'owed_in_cents'),
      ]}
    />
  );
}

/** Plans that were charged off. */
export function LossesReport() {
  const query = useQuery(lossesQuery);
  return (
    <Report
      query={query}
      items={query.data?.items ?? []}
      name="losses"
      lead="What is still owed falls with each payment that is recovered later."
      empty="Nothing was charged off"
      columns={[
        { head: 'Charged off', cell: (it) => formatDate(it.written_off_on) },
        portal,
        {
          head: 'Tenant',
          cell: ({ partner, external_id: externalId, plan_id: about }) => (
            <Link
              to="/tenants/$partner/$externalId"
              params={{ partner, externalId }}
              search={{ about }}
              className="svc-link"
            >
              {visibleText(externalId)}
            </Link>
          ),
        },
        amount('Amount', 'written_off_in_cents'),
        amount('Still owed', 'still_owed_in_cents'),
      ]}
      note={query.data?.has_more ? 'Only the newest are listed.' : undefined}
    />
  );
}

/** The fees that tenants paid, and what processors and banks took. */
export function FeesReport() {
  const query = useQuery(feesQuery);
  const items = query.data ?? [];
  return (
    <Report
      query={query}
      items={items}
      name="fees"
      lead="By month of the books, for a year."
      empty="No fees in the last year"
      chart={
        <Bars
          title="Fees by month"
          series={[
            { label: 'Left of the fees', tone: 'accent' },
            { label: 'Given back, or taken by processors and banks', tone: 'warn' },
          ]}
          columns={monthsOf(items).map(({ label, rows }) => {
            const left = Math.max(0, sum(rows, 'net_in_cents'));
            return { label, values: [left, Math.max(0, sum(rows, 'earned_in_cents') - left)] };
          })}
          format={dollars}
        />
      }
      columns={[
        portal,
        monthColumn,
        amount('Earned', 'earned_in_cents'),
        amount('Given back', 'given_back_in_cents'),
        amount('Processors and banks', 'cost_in_cents'),
        amount('Left', 'net_in_cents'),
      ]}
    />
  );
}

/** Plans by the month in which they were agreed, and how each of these months went. */
export function PortfolioReport() {
  const query = useQuery(portfolioQuery);
  const items = query.data ?? [];
  return (
    <Report
      query={query}
      items={items}
      name="portfolio"
      lead="Plans by the month in which they were agreed, for a year, and how they stand today."
      empty="No plans in the last year"
      chart={
        <Bars
          title="Plans by month and state"
          series={planStates.map(({ label, tone }) => ({ label, tone }))}
          columns={monthsOf(items).map(({ label, rows }) => ({
            label,
            values: planStates.map(({ state }) => sum(rows, state)),
          }))}
          format={whole}
        />
      }
      columns={[
        portal,
        monthColumn,
        count('Plans', 'plans'),
        amount('Financed', 'principal_in_cents'),
        amount('Fees', 'fee_in_cents'),
        count('Open', 'open'),
        count('Past due', 'past_due'),
        count('Completed', 'completed'),
        count('Canceled', 'canceled'),
        count('Charged off', 'charged_off'),
      ]}
    />
  );
}

const planStates = [
  { label: 'Completed', tone: 'good', state: 'completed' },
  { label: 'Open', tone: 'info', state: 'open' },
  { label: 'Canceled', tone: 'neutral', state: 'canceled' },
  { label: 'Past due', tone: 'warn', state: 'past_due' },
  { label: 'Charged off', tone: 'bad', state: 'charged_off' },
] as const;

interface Column<Item> {
  readonly head: string;
  readonly cell: (item: Item) => ReactNode;
  readonly isNumber?: boolean;
}

const portal: Column<{ partner: string }> = {
  head: 'Portal',
  cell: ({ partner }) => visibleText(partner),
};
const monthColumn: Column<{ month: string }> = {
  head: 'Month',
  cell: ({ month }) => nameMonth(month),
};

function count<Key extends string>(head: string, key: Key): Column<Record<Key, number>> {
  return { head, cell: (it) => whole(it[key]), isNumber: true };
}

function amount<Key extends string>(head: string, key: Key): Column<Record<Key, number>> {
  return { head, cell: (it) => formatCents(it[key]), isNumber: true };
}

function Report<Item>(props: {
  query: Parameters<typeof LoadState>[0]['query'];
  items: readonly Item[];
  name: string;
  lead: string;
  /** The heading of an empty report. */
  empty: string;
  chart?: ReactNode;
  columns: readonly Column<NoInfer<Item>>[];
  note?: string | undefined;
}) {
  const { query, items, name, lead, chart, columns, note } = props;
  const isEmpty = items.length === 0;
  const classOf = ({ isNumber = false }) => (isNumber ? 'svc-table__number' : undefined);
  return (
    <section className="money__section" aria-label={name}>
      <p className="money__quiet">{lead}</p>
      <LoadState
        query={query}
        loading={`Loading the report of ${name}`}
        rows={6}
        failed="The report could not be loaded"
      />
      {query.data !== undefined && isEmpty ? <Empty icon="activity" title={props.empty} /> : null}
      {isEmpty ? null : (
        <>
          {chart}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard. */}
          <section className="svc-table-wrap" tabIndex={0} aria-label="Numbers">
            <table className="svc-table">
              <thead>
                <tr>
                  {columns.map((column) => (
                    <th key={column.head} scope="col" className={classOf(column)}>
                      {column.head}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {items.map((item, row) => (
                  // The rows of a report never move.
                  <tr key={row}>
                    {columns.map((column) => (
                      <td key={column.head} className={classOf(column)}>
                        {column.cell(item)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </>
      )}
      {note === undefined ? null : <p className="money__quiet">{note}</p>}
    </section>
  );
}

function sum<Key extends string>(items: readonly Record<Key, number>[], key: Key): number {
  return items.reduce((total, item) => total + item[key], 0);
}

/** Groups the rows by month, in order. All portals of a month share one column. */
function monthsOf<Item extends { readonly month: string }>(items: readonly Item[]) {
  const months = [...new Set(items.map(({ month }) => month))].sort();
  return months.map((month) => ({
    label: nameMonth(month),
    rows: items.filter((it) => it.month === month),
  }));
}

/** Formats a month: "Nov 2026" for `2026-11`. */
function nameMonth(month: string): string {
  return monthAndYear.format(new Date(`${month}-01T00:00:00Z`));
}

const monthAndYear = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

function whole(value: number): string {
  return value.toLocaleString('en-US');
}

/** Formats an amount without cents, for a chart. */
function dollars(cents: number): string {
  return wholeDollars.format(cents / 100);
}

const wholeDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});
