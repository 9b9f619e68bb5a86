import type { Account, LedgerEntry, WidgetSettings } from '../../../backend/answers.ts';
import { addressOf, goTo } from '../../use-location.ts';
import { usd, useWords, type Words } from '../../words/use-words.ts';
import { BalanceWidget } from '../parts/balance-widget.tsx';
import { Card, Facts } from '../parts/card.tsx';
import { CycleBadge, CycleTable } from '../parts/cycle-table.tsx';
import { FirstHint } from '../parts/first-hint.tsx';
import { Heading } from '../parts/heading.tsx';

interface HomeProps {
  account: Account;
  widget: WidgetSettings;
  tenantId: string;
}

export function Home({ account, widget, tenantId }: HomeProps) {
  const words = useWords();
  const { translate } = words;
  const [current, ...past] = account.cycles;
  const isOwner = account.variant === 'hoa';
  const allPayments = addressOf('/portal/payments', tenantId);
  return (
    <>
      <Heading title={translate('Hello, {name}', { name: account.first_name })}>
        {account.property.name} · <span className="together">{account.unit}</span>
      </Heading>
      <div className="home">
        <div className="home__widget">
          <BalanceWidget balance={account.balance_in_cents} settings={widget} tenantId={tenantId} />
          <FirstHint />
        </div>
        {current ? (
          <Card
            id="due"
            title={
              <>
                {translate('Due {day}', { day: words.shortDay(account.due_date) })}
                <CycleBadge cycle={current} />
              </>
            }
          >
            <CycleTable cycle={current} />
            <p className="card__foot">{howToPay(account, words)}</p>
          </Card>
        ) : null}
        <Card id="recent" title={translate('Earlier')}>
          {past.length === 0 ? (
            <p className="card__empty">{translate('Nothing before this month.')}</p>
          ) : (
            <EarlierMonths account={account} />
          )}
          <p className="card__foot">
            <a
              className="svc-link"
              href={allPayments}
              onClick={(event) => {
                event.preventDefault();
                goTo(allPayments);
              }}
            >
              {translate('All charges and payments')}
            </a>
          </p>
        </Card>
        <Card id="unit" title={translate(isOwner ? 'Your property' : 'Your lease')}>
          <Facts
            lines={[
              [translate(isOwner ? 'Lot' : 'Unit'), account.unit],
              [
                translate(isOwner ? 'Owner since' : 'Lease since'),
                words.longDay(account.lease.starts_on),
              ],
              [translate('Late fee'), translate('After the 5th of the month')],
            ]}
          />
        </Card>
      </div>
    </>
  );
}

function EarlierMonths({ account }: { account: Account }) {
  const { translate, shortDay } = useWords();
  return (
    <table className="svc-table">
      <caption className="svc-visually-hidden">{translate('Earlier months')}</caption>
      <thead className="svc-visually-hidden">
        <tr>
          <th scope="col">{translate('Due')}</th>
          <th scope="col">{translate('State')}</th>
          <th scope="col">{translate('Amount')}</th>
        </tr>
      </thead>
      <tbody>
        {account.cycles.slice(1, 4).map(({ due_date, entries }) => (
          <tr key={due_date}>
            <td>{shortDay(due_date)}</td>
            <td>
              <span className="svc-badge svc-tone-good">{translate('Paid')}</span>
            </td>
            <td className="svc-table__number">{usd(totalCharged(entries))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function howToPay(
  { balance_in_cents, due_date, property }: Account,
  { translate, shortDay }: Words,
): string {
  return balance_in_cents > 0
    ? translate('Pay by bank transfer by {day}, or split it into payments.', {
        day: shortDay(due_date),
      })
    : translate('Svc paid {property} in full. You pay Svc over time.', { property: property.name });
}

function totalCharged(entries: readonly LedgerEntry[]): number {
  return entries
    .filter(({ kind }) => kind === 'charge')
    .reduce((total, entry) => total + entry.amount_in_cents, 0);
}
