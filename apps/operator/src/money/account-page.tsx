import { withoutEmpty } from '@svc/ui/console/filters/search-params.ts';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { Empty, LoadState, MoreRows } from '@svc/ui/console/parts/page-states.tsx';
import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type Posting, type PostingFilter, postingsList, trialBalanceQuery } from '../api/money.ts';
import { PortalFilter } from '../parts/portal-filter.tsx';
import { useSession } from '../session/use-session.ts';
import { DayField } from './day-field.tsx';
import { isDay, sayKind } from './describe-books.ts';
import './money.css';

const route = getRouteApi('/money/accounts/$account');

/** The postings of an account, each with what it was posted for. */
export function AccountPage() {
  const { account } = route.useParams();
  const search = route.useSearch();
  const filter = {
    partner: search.partner,
    from: isDay(search.from) ? search.from : undefined,
    to: isDay(search.to) ? search.to : undefined,
  };
  const navigate = useNavigate();
  const change = (part: PostingFilter) =>
    void navigate({
      to: '/money/accounts/$account',
      params: { account },
      search: withoutEmpty({ ...filter, ...part }),
      replace: true,
    });
  const postings = useInfiniteQuery(postingsList(account, filter));
  const items = postings.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <div className="page">
      <Link
        to="/money/balance"
        search={filter.to === undefined ? {} : { as_of: filter.to }}
        className="page__back svc-link"
      >
        <Icon name="back" /> Trial balance
      </Link>
      <AccountHeader account={account} asOf={filter.to} />
      <div className="filters">
        <div className="filters__chips money__filters">
          <DayField label="From" value={filter.from} onChange={(from) => change({ from })} />
          <DayField label="Until" value={filter.to} onChange={(to) => change({ to })} />
          <PortalFilter value={filter.partner} onChange={(partner) => change({ partner })} />
        </div>
      </div>
      <LoadState
        query={postings}
        loading="Loading the postings"
        rows={8}
        failed="The postings could not be loaded"
      />
      {postings.isSuccess && items.length === 0 ? (
        <Empty icon="catalog" title="Nothing was posted here">
          <p>
            A payment, a refund, a payout or an adjustment posts to its accounts in the transaction
            that records it. Choose other days, or another portal.
          </p>
        </Empty>
      ) : null}
      {items.length > 0 ? (
        <div>
          <div className="rows__head posting-row" aria-hidden="true">
            <span>Day</span>
            <span>For</span>
            <span>Other side</span>
            <span className="money__number">Amount</span>
          </div>
          <ul className="rows">
            {items.map((posting) => (
              <PostingRow key={posting.transfer_id} posting={posting} />
            ))}
          </ul>
          <MoreRows of={postings}>Show older postings</MoreRows>
        </div>
      ) : null}
    </div>
  );
}

/** The account's name and balance are those of the trial balance, which covers all portals. */
function AccountHeader({ account, asOf }: { account: string; asOf: string | undefined }) {
  const maySeeBooks = useSession().partners === null;
  const balance = useQuery({ ...trialBalanceQuery(asOf), enabled: maySeeBooks });
  const line = balance.data?.lines.find(({ kind }) => kind === account);
  return (
    <PageHeader title={line ? `${line.number} ${line.name}` : sayKind(account)}>
      <p className="page-header__lead">
        {line && balance.data
          ? `${balanceOf(line)} at the end of ${formatDate(balance.data.as_of)}`
          : ' '}
      </p>
    </PageHeader>
  );
}

function balanceOf(line: { debit_in_cents: number; credit_in_cents: number }): string {
  const { debit_in_cents, credit_in_cents } = line;
  if (debit_in_cents === 0 && credit_in_cents === 0) return 'Balance $0.00';
  return debit_in_cents > 0
    ? `Debit of ${formatCents(debit_in_cents)}`
    : `Credit of ${formatCents(credit_in_cents)}`;
}

function PostingRow({ posting }: { posting: Posting }) {
  const { day, kind, partner, amount_in_cents, others } = posting;
  return (
    <li className="posting-row posting" data-row tabIndex={-1}>
      <span className="posting__day">{formatDate(day)}</span>
      <span className="posting__cause">
        <span className="posting__kind">{sayKind(kind)}</span>
        <Cause posting={posting} />
        <span className="money__quiet">{visibleText(partner)}</span>
      </span>
      <span className="posting__others">
        {others.map(({ account, amount_in_cents: other }) => (
          <Link
            key={account}
            to="/money/accounts/$account"
            params={{ account }}
            className="posting__other"
          >
            {sayKind(account)} <span className="money__sum">{formatCents(other)}</span>
          </Link>
        ))}
      </span>
      <span className="money__number posting__amount">{formatCents(amount_in_cents)}</span>
    </li>
  );
}

/** Links to the payment or plan on its tenant's page, or to the payout. */
function Cause({ posting: { cause_id, external_id, partner } }: { posting: Posting }) {
  const words = <code>{visibleText(cause_id)}</code>;
  if (external_id !== null) {
    return (
      <Link
        to="/tenants/$partner/$externalId"
        params={{ partner, externalId: external_id }}
        search={{ about: cause_id }}
        className="svc-link"
      >
        {visibleText(external_id)} {words}
      </Link>
    );
  }
  if (cause_id.startsWith('pyt_')) {
    return (
      <Link to="/money/payouts" search={{ partner }} className="svc-link">
        {words}
      </Link>
    );
  }
  return words;
}
