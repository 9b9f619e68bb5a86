import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type Payout, type PayoutFilters, payoutsQuery, statementUrl } from '../api/payouts.ts';
import { pollIntervals } from '../api/poll-intervals.ts';
import { MenuFilter } from '../components/filters/menu-filter.tsx';
import { withoutEmpty } from '../components/filters/search-params.ts';
import { formatDate } from '../components/format-date.ts';
import { formatCents } from '../components/format-money.ts';
import { PageHeader } from '../components/page-header.tsx';
import { Empty, LoadState, MoreRows } from '../components/page-states.tsx';
import { StateMark, type Tone } from '../components/state-mark.tsx';
import { visibleText } from '../components/visible-text.ts';
import { AdminOnly } from '../session/admin-only.tsx';
import './payouts.css';

const marks: Record<Payout['status'], { tone: Tone; word: string }> = {
  pending: { tone: 'info', word: 'Pending' },
  sent: { tone: 'info', word: 'Sent' },
  paid: { tone: 'good', word: 'Paid' },
  failed: { tone: 'bad', word: 'Failed' },
  returned: { tone: 'bad', word: 'Returned' },
};

/** The payouts, each with its statement to download. */
export function PayoutsPage() {
  return (
    <AdminOnly title="Payouts">
      <div className="split">
        <div className="split__list">
          <PayoutList />
        </div>
      </div>
    </AdminOnly>
  );
}

const route = getRouteApi('/payouts');

function PayoutList() {
  const filters: PayoutFilters = route.useSearch();
  const navigate = useNavigate();
  const payouts = useInfiniteQuery({
    ...payoutsQuery(filters),
    refetchInterval: pollIntervals.background,
  });
  const rows = payouts.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <PageHeader title="Payouts" />
      <div className="filters">
        <div className="filters__chips">
          <MenuFilter
            label="Status"
            value={filters.status}
            options={Object.entries(marks).map(([value, { word }]) => ({ value, label: word }))}
            onChange={(status) =>
              void navigate({ to: '/payouts', search: withoutEmpty({ status }) })
            }
          />
        </div>
      </div>
      <LoadState
        query={payouts}
        loading="Loading payouts"
        rows={8}
        failed="The payouts could not be loaded"
        hasData={rows.length > 0}
      />
      {payouts.isSuccess && rows.length === 0 ? (
        <NoPayouts filtered={filters.status !== undefined} />
      ) : null}
      {rows.length > 0 ? (
        <>
          <div className="rows__head rows__head--payouts" aria-hidden="true">
            <span>Status</span>
            <span className="payout-row__amount">Amount</span>
            <span>Day</span>
            <span>Statement</span>
          </div>
          <ul className="rows">
            {rows.map((payout) => (
              <PayoutRow key={payout.id} payout={payout} />
            ))}
          </ul>
        </>
      ) : null}
      <MoreRows of={payouts}>Show older payouts</MoreRows>
    </>
  );
}

function NoPayouts({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <Empty icon="filter" title="No payouts have this status">
        <Link to="/payouts" className="svc-button svc-button--secondary svc-button--small">
          Clear filters
        </Link>
      </Empty>
    );
  }
  return (
    <Empty icon="payouts" title="No payouts yet">
      <p>
        With payouts turned on, everything that we owe you is paid once per banking day, and each
        payment appears here. Without them, you debit each settlement.
      </p>
    </Empty>
  );
}

/** One payout as a row. The files are links, so the browser saves them. */
function PayoutRow({ payout }: { payout: Payout }) {
  const { id, status, day, amount_in_cents, line_count, failure_reason } = payout;
  const { tone, word } = marks[status];
  const lines = line_count === 1 ? '1 line' : `${line_count} lines`;
  return (
    <li className="row payout-row">
      <StateMark tone={tone}>{word}</StateMark>
      <span className="payout-row__amount">{formatCents(amount_in_cents)}</span>
      <span className="payout-row__about">
        {formatDate(day)}, {lines}
        {failure_reason === null ? '' : `: ${visibleText(failure_reason)}`}
      </span>
      <span className="payout-row__files">
        {(['csv', 'json'] as const).map((format) => (
          <a
            key={format}
            href={statementUrl(id, format)}
            download={`${id}.${format}`}
            className="svc-button svc-button--secondary svc-button--small"
            aria-label={`Statement of ${formatDate(day)} as ${format.toUpperCase()}`}
          >
            {format.toUpperCase()}
          </a>
        ))}
      </span>
    </li>
  );
}
