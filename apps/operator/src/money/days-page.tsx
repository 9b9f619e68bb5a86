import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { Empty, LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Ago } from '@svc/ui/console/time/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type BooksDays, booksDaysQuery } from '../api/money.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { describeDay, nameDay } from './describe-books.ts';
import { ImportButton } from './import-dialog.tsx';
import './money.css';

/** The newest days of the books, each with its state, and the accounts that are compared. */
export function DaysPage() {
  const books = useQuery({ ...booksDaysQuery, refetchInterval: pollIntervals.background });
  const hasAccounts = books.data && books.data.accounts.length > 0;
  return (
    <div className="page">
      <PageHeader
        title="Days"
        actions={hasAccounts ? <ImportButton>Import a statement…</ImportButton> : null}
      >
        <p className="page-header__lead">
          Compare the ledger with your bank and processor, and close each banking day.
        </p>
      </PageHeader>
      <LoadState
        query={books}
        loading="Loading the days"
        rows={8}
        failed="The days could not be loaded"
      />
      {books.data && !hasAccounts ? <NoAccounts /> : null}
      {books.data && hasAccounts ? (
        <>
          <Accounts accounts={books.data.accounts} />
          <DayRows days={books.data.days} />
        </>
      ) : null}
    </div>
  );
}

function NoAccounts() {
  return (
    <Empty icon="settlements" title="No account is compared yet">
      <p>
        Register your bank account, and your balance at the processor like another one. Then import
        a statement for each day, explain what differs, and close the day.
      </p>
      <CommandButton command="bank-add" input={{}}>
        Register an account…
      </CommandButton>
    </Empty>
  );
}

function Accounts({ accounts }: Pick<BooksDays, 'accounts'>) {
  return (
    <ul className="accounts" aria-label="Accounts">
      {accounts.map(({ name, account_last4, last_day, closing_in_cents, open_lines }) => (
        <li key={name} className="svc-card account">
          <p className="account__name">
            {visibleText(name)} <span className="account__quiet">•••• {account_last4}</span>
          </p>
          <p className="account__balance">
            {closing_in_cents === null ? '–' : formatCents(closing_in_cents)}
          </p>
          <p className="account__quiet">
            {last_day === null ? 'No statement yet' : `Imported through ${formatDate(last_day)}`}
          </p>
          {open_lines === 0 ? null : (
            <p className="account__quiet">{`${open_lines.toLocaleString('en-US')} lines open`}</p>
          )}
        </li>
      ))}
    </ul>
  );
}

function DayRows({ days }: Pick<BooksDays, 'days'>) {
  return (
    <div>
      <div className="rows__head day-row" aria-hidden="true">
        <span>Day</span>
        <span>State</span>
        <span className="money__number">Not matched</span>
        <span>Closed</span>
      </div>
      <ul className="rows">
        {days.map(({ day, unmatched, closed_at, ...it }) => {
          const { tone, word } = describeDay(it);
          return (
            <li key={day}>
              <Link to="/money/days/$day" params={{ day }} className="row day-row" data-row>
                <span className="day-row__day">{nameDay(day)}</span>
                <StateMark tone={tone}>{word}</StateMark>
                <span className="money__number">
                  {unmatched === 0 ? (
                    <span className="account__quiet">none</span>
                  ) : (
                    `${unmatched.toLocaleString('en-US')} open`
                  )}
                </span>
                <span className="row__time">
                  {closed_at === null ? null : <Ago at={closed_at} />}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
