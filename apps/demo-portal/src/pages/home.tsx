import type { Account, LedgerEntry, WidgetSettings } from '../../backend/answers.ts';
import { longDay, shortDay, usd } from '../format.ts';
import { BalanceWidget } from '../parts/balance-widget.tsx';
import { CycleBadge, CycleTable } from '../parts/cycle-table.tsx';
import { Heading } from '../parts/heading.tsx';
import { addressOf, goTo } from '../session/use-location.ts';

interface HomeProps {
  account: Account;
  widget: WidgetSettings;
  serviceOrigin: string;
  tenantId: string;
}

export function Home({ account, widget, serviceOrigin, tenantId }: HomeProps) {
  const [current, ...past] = account.cycles;
  return (
    <>
      <Heading title={`Hello, ${account.first_name}`}>
        {account.property.name} · <span className="together">{account.unit}</span>
      </Heading>
      <div className="home">
        <BalanceWidget
          balance={account.balance_in_cents}
          settings={widget}
          serviceOrigin={serviceOrigin}
          tenantId={tenantId}
        />
        {current ? (
          <section className="svc-card svc-card--flush" aria-labelledby="due">
            <h2 className="card__title" id="due">
              Due {shortDay(account.due_date)}
              <CycleBadge cycle={current} />
            </h2>
            <CycleTable cycle={current} />
            <p className="card__foot">{howToPay(account)}</p>
          </section>
        ) : null}
        <section className="svc-card svc-card--flush" aria-labelledby="recent">
          <h2 className="card__title" id="recent">
            Earlier
          </h2>
          {past.length === 0 ? (
            <p className="card__empty">Nothing before this month.</p>
          ) : (
            <EarlierMonths account={account} />
          )}
          <p className="card__foot">
            <a
              className="svc-link"
              href={addressOf('/payments', tenantId)}
              onClick={(event) => {
                event.preventDefault();
                goTo(addressOf('/payments', tenantId));
              }}
            >
              All charges and payments
            </a>
          </p>
        </section>
        <section className="svc-card svc-card--flush" aria-labelledby="unit">
          <h2 className="card__title" id="unit">
            {account.variant === 'hoa' ? 'Your property' : 'Your lease'}
          </h2>
          <dl className="facts">
            <dt>{account.variant === 'hoa' ? 'Lot' : 'Unit'}</dt>
            <dd>{account.unit}</dd>
            <dt>{account.variant === 'hoa' ? 'Owner since' : 'Lease since'}</dt>
            <dd>{longDay(account.lease.starts_on)}</dd>
            <dt>Late fee</dt>
            <dd>After the 5th of the month</dd>
          </dl>
        </section>
      </div>
    </>
  );
}

function EarlierMonths({ account }: { account: Account }) {
  return (
    <table className="svc-table">
      <caption className="svc-visually-hidden">Earlier months</caption>
      <thead className="svc-visually-hidden">
        <tr>
          <th scope="col">Due</th>
          <th scope="col">State</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        {account.cycles.slice(1, 4).map(({ due_date, entries }) => (
          <tr key={due_date}>
            <td>{shortDay(due_date)}</td>
            <td>
              <span className="svc-badge svc-tone-good">Paid</span>
            </td>
            <td className="svc-table__number">{usd(totalCharged(entries))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function howToPay({ balance_in_cents, due_date, property }: Account): string {
  return balance_in_cents > 0
    ? `Pay by bank transfer by ${shortDay(due_date)}, or split it into payments.`
    : `Svc pays ${property.name} in full. You pay Svc in parts.`;
}

function totalCharged(entries: readonly LedgerEntry[]): number {
  return entries
    .filter(({ kind }) => kind === 'charge')
    .reduce((total, entry) => total + entry.amount_in_cents, 0);
}
