import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type TrialBalance, trialBalanceQuery } from '../api/money.ts';
import { DayField } from './day-field.tsx';
import { isDay, nameDay, sayKind } from './describe-books.ts';
import './money.css';

const route = getRouteApi('/money/balance');

/** The balance of each account at the end of a day. Each leads to its postings. */
export function BalancePage() {
  const search = route.useSearch();
  const asOf = isDay(search.as_of) ? search.as_of : undefined;
  const navigate = useNavigate();
  const balance = useQuery(trialBalanceQuery(asOf));
  return (
    <div className="page">
      <PageHeader
        title="Trial balance"
        actions={
          <DayField
            label="At the end of"
            value={asOf ?? balance.data?.as_of}
            onChange={(day) =>
              void navigate({
                to: '/money/balance',
                search: day === undefined ? {} : { as_of: day },
                replace: true,
              })
            }
          />
        }
      >
        <p className="page-header__lead">
          {balance.data
            ? `All portals together, at the end of ${nameDay(balance.data.as_of)}.`
            : 'All portals together.'}
        </p>
      </PageHeader>
      <LoadState
        query={balance}
        loading="Loading the trial balance"
        rows={8}
        failed="The trial balance could not be loaded"
      />
      {balance.data ? <BalanceTable balance={balance.data} asOf={asOf} /> : null}
    </div>
  );
}

const headings: Record<string, string> = {
  asset: 'Assets',
  liability: 'Liabilities',
  income: 'Income',
  expense: 'Expenses',
};

function BalanceTable({ balance, asOf }: { balance: TrialBalance; asOf: string | undefined }) {
  const types = [...new Set(balance.lines.map(({ type }) => type))];
  return (
    <div className="svc-table-wrap">
      <table className="svc-table balance">
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col" className="svc-table__number">
              Debit
            </th>
            <th scope="col" className="svc-table__number">
              Credit
            </th>
          </tr>
        </thead>
        {types.map((type) => (
          <tbody key={type}>
            <tr className="balance__type">
              <th scope="rowgroup" colSpan={3}>
                {headings[type] ?? sayKind(type)}
              </th>
            </tr>
            {balance.lines
              .filter((line) => line.type === type)
              .map(({ kind, number, name, debit_in_cents, credit_in_cents }) => (
                <tr key={kind}>
                  <td>
                    <Link
                      to="/money/accounts/$account"
                      params={{ account: kind }}
                      search={asOf === undefined ? {} : { to: asOf }}
                      className="balance__account"
                      data-row
                    >
                      <span className="balance__number">{number}</span> {name}
                    </Link>
                  </td>
                  <Amount cents={debit_in_cents} />
                  <Amount cents={credit_in_cents} />
                </tr>
              ))}
          </tbody>
        ))}
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td className="svc-table__number">{formatCents(balance.debit_in_cents)}</td>
            <td className="svc-table__number">{formatCents(balance.credit_in_cents)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Amount({ cents }: { cents: number }) {
  return <td className="svc-table__number">{cents === 0 ? '' : formatCents(cents)}</td>;
}
