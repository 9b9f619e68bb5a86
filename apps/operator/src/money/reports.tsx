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
  const columns = ages.map((age) => {
    const rows = items.filter((it) => it.age === age);
    const late = sum(rows, (it) => it.late_in_cents);
    return {
      label: `${age.replace('-', '–')} days`,
      values: [late, sum(rows, (it) => it.owed_in_cents) - late],
    };
  });
  return (
    <Report
      query={query}
      name="delinquency"
      lead="Days since the oldest payment that is not made was due. A plan that is late owes its later payments, too."
      empty="Nobody is late"
      isEmpty={items.length === 0}
      chart={
        <Bars
          title="Late and owed by age"
          series={[
            { label: 'Late', tone: 'bad' },
            { label: 'Owed later by the same plans', tone: 'neutral' },
          ]}
          columns={columns}
          format={dollars}
        />
      }
      heads={['Portal', 'Days late', 'Plans', 'Late', 'Owed in all']}
      rows={items.map((it) => [
        visibleText(it.partner),
        it.age.replace('-', '–'),
        it.plans.toLocaleString('en-US'),
        formatCents(it.late_in_cents),
        formatCents(it.owed_in_cents),
      ])}
      words={2}
    />
  );
}

/** Plans that were charged off. */
export function LossesReport() {
  const query = useQuery(lossesQuery);
  const items = query.data?.items ?? [];
  return (
    <Report
      query={query}
      name="losses"
      lead="What is still owed falls with each payment that is recovered later."
      empty="Nothing was charged off"
      isEmpty={items.length === 0}
      heads={['Charged off', 'Portal', 'Tenant', 'Amount', 'Still owed']}
      rows={items.map((it) => [
        formatDate(it.written_off_on),
        visibleText(it.partner),
        <Link
          key={it.plan_id}
          to="/tenants/$partner/$externalId"
          params={{ partner: it.partner, externalId: it.external_id }}
          search={{ about: it.plan_id }}
          className="svc-link"
        >
          {visibleText(it.external_id)}
        </Link>,
        formatCents(it.written_off_in_cents),
        formatCents(it.still_owed_in_cents),
      ])}
      words={3}
      note={query.data?.has_more ? 'Only the newest are listed.' : undefined}
    />
  );
}

/** Fees of tenants, and what processors and banks took. */
export function FeesReport() {
  const query = useQuery(feesQuery);
  const items = query.data ?? [];
  return (
    <Report
      query={query}
      name="fees"
      lead="By the month in which they were posted, for a year."
      empty="No fees were posted in the last year"
      isEmpty={items.length === 0}
      chart={
        <Bars
          title="Fees by month"
          series={[
            { label: 'Left of the fees', tone: 'accent' },
            { label: 'Given back, or taken by processors and banks', tone: 'warn' },
          ]}
          columns={monthsOf(items).map(({ label, rows }) => {
            const earned = sum(rows, (it) => it.earned_in_cents);
            const left = Math.max(
              0,
              sum(rows, (it) => it.net_in_cents),
            );
            return { label, values: [left, Math.max(0, earned - left)] };
          })}
          format={dollars}
        />
      }
      heads={['Portal', 'Month', 'Earned', 'Given back', 'Processors and banks', 'Left']}
      rows={items.map((it) => [
        visibleText(it.partner),
        nameMonth(it.month),
        formatCents(it.earned_in_cents),
        formatCents(it.given_back_in_cents),
        formatCents(it.cost_in_cents),
        formatCents(it.net_in_cents),
      ])}
      words={2}
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
      name="portfolio"
      lead="Plans by the month in which they were agreed, for a year, and how they stand today."
      empty="No plans in the last year"
      isEmpty={items.length === 0}
      chart={
        <Bars
          title="Plans by month and state"
          series={[
            { label: 'Completed', tone: 'good' },
            { label: 'Open', tone: 'info' },
            { label: 'Canceled', tone: 'neutral' },
            { label: 'Past due', tone: 'warn' },
            { label: 'Charged off', tone: 'bad' },
          ]}
          columns={monthsOf(items).map(({ label, rows }) => ({
            label,
            values: [
              sum(rows, (it) => it.completed),
              sum(rows, (it) => it.open),
              sum(rows, (it) => it.canceled),
              sum(rows, (it) => it.past_due),
              sum(rows, (it) => it.charged_off),
            ],
          }))}
          format={(value) => value.toLocaleString('en-US')}
        />
      }
      heads={[
        'Portal',
        'Month',
        'Plans',
        'Financed',
        'Fees',
        'Open',
        'Past due',
        'Completed',
        'Canceled',
        'Charged off',
      ]}
      rows={items.map((it) => [
        visibleText(it.partner),
        nameMonth(it.month),
        it.plans.toLocaleString('en-US'),
        formatCents(it.principal_in_cents),
        formatCents(it.fee_in_cents),
        it.open.toLocaleString('en-US'),
        it.past_due.toLocaleString('en-US'),
        it.completed.toLocaleString('en-US'),
        it.canceled.toLocaleString('en-US'),
        it.charged_off.toLocaleString('en-US'),
      ])}
      words={2}
    />
  );
}

function Report(props: {
  query: Parameters<typeof LoadState>[0]['query'];
  name: string;
  lead: string;
  empty: string;
  isEmpty: boolean;
  chart?: ReactNode;
  heads: readonly string[];
  rows: readonly (readonly ReactNode[])[];
  /** How many of the first columns are words. The others are numbers. */
  words: number;
  note?: string | undefined;
}) {
  const { query, name, lead, isEmpty, chart, heads, rows, words, note } = props;
  const classOf = (index: number) => (index < words ? undefined : 'svc-table__number');
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
                  {heads.map((head, index) => (
                    <th key={head} scope="col" className={classOf(index)}>
                      {head}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((cells, row) => (
                  // Rows of a report are not moved.
                  <tr key={row}>
                    {cells.map((cell, index) => (
                      <td key={heads[index]} className={classOf(index)}>
                        {cell}
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

function sum<Item>(items: readonly Item[], read: (item: Item) => number): number {
  return items.reduce((total, item) => total + read(item), 0);
}

/** The rows of each month, in their order. All portals of a month make one column. */
function monthsOf<Item extends { readonly month: string }>(items: readonly Item[]) {
  const months = [...new Set(items.map(({ month }) => month))].sort();
  return months.map((month) => ({
    label: nameMonth(month),
    rows: items.filter((it) => it.month === month),
  }));
}

/** "Nov 2026" for `2026-11`. */
function nameMonth(month: string): string {
  return monthAndYear.format(new Date(`${month}-01T00:00:00Z`));
}

const monthAndYear = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Without cents, for a chart. */
function dollars(cents: number): string {
  return wholeDollars.format(cents / 100);
}

const wholeDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});
