import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { Ago } from '@svc/ui/console/time/time.tsx';
import { useQueries, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type BooksDay, booksDayQuery, exceptionsQuery, linesQuery } from '../api/money.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { adviseOnDay, describeDay, nameDay } from './describe-books.ts';
import { Exceptions } from './exceptions.tsx';
import { ImportButton } from './import-dialog.tsx';
import { StatementLines } from './statement-lines.tsx';
import { StatementRows } from './statement-rows.tsx';
import './money.css';

const route = getRouteApi('/money/days/$day');

/** Everything needed to close one day: its statements, what is not matched, and why the rest is matched. */
export function DayPage() {
  const { day } = route.useParams();
  const { bank: chosen } = route.useSearch();
  const found = useQuery({ ...booksDayQuery(day), refetchInterval: pollIntervals.background });
  const exceptions = useQuery(exceptionsQuery(day));
  const banks = found.data?.statements.map(({ bank }) => bank) ?? [];
  const lines = useQueries({ queries: banks.map((bank) => linesQuery(bank, day)) });
  const bank = chosen !== undefined && banks.includes(chosen) ? chosen : banks[0];
  return (
    <div className="page" key={day}>
      <Link to="/money/days" className="page__back svc-link">
        <Icon name="back" /> Days
      </Link>
      <DayHeader day={day} found={found.data} open={exceptions.data?.count ?? 0} />
      <LoadState
        query={found}
        loading="Loading the day"
        rows={6}
        failed="The day could not be loaded"
      />
      {found.data ? (
        <>
          <StatementRows day={found.data} />
          <Exceptions
            day={found.data}
            query={exceptions}
            lines={lines.flatMap(({ data }) => data ?? [])}
          />
          {bank === undefined ? null : (
            <StatementLines
              day={day}
              banks={banks}
              bank={bank}
              query={lines[banks.indexOf(bank)]}
              isClosed={found.data.state === 'closed'}
            />
          )}
        </>
      ) : null}
    </div>
  );
}

function DayHeader(props: { day: string; found: BooksDay | undefined; open: number }) {
  const { day, found, open } = props;
  return (
    <PageHeader title={nameDay(day)} actions={found ? <DayActions found={found} /> : null}>
      <p className="page-header__lead">
        {found ? (
          <>
            <DayMark found={found} />
            <span>{adviseOnDay(found, open)}</span>
            {found.close_first === null ? null : (
              <Link
                to="/money/days/$day"
                params={{ day: found.close_first }}
                className="svc-link"
              >{`Go to ${nameDay(found.close_first)}`}</Link>
            )}
          </>
        ) : (
          // Keeps the line's height while it loads.
          ' '
        )}
      </p>
    </PageHeader>
  );
}

function DayMark({ found }: { found: BooksDay }) {
  const { tone, word } = describeDay(found);
  return (
    <>
      <StateMark tone={tone}>{word}</StateMark>
      {found.closed_at === null ? null : <Ago at={found.closed_at} inline />}
    </>
  );
}

function DayActions({ found: { day, state, can_reopen } }: { found: BooksDay }) {
  if (state === 'closed') {
    return can_reopen ? (
      <CommandButton
        command="books-reopen"
        input={{ day }}
        about={`${nameDay(day)} can be changed again. The chain of seals keeps the close and this.`}
      >
        Reopen…
      </CommandButton>
    ) : null;
  }
  return (
    <>
      <ImportButton>Import a statement…</ImportButton>
      <CommandButton command="books-reconcile" input={{}}>
        Match by the rules
      </CommandButton>
      {state === 'ready' ? (
        <CommandButton
          command="books-close"
          input={{ day }}
          about={`Matches once more, and freezes everything until ${nameDay(day)}: the statements, the matches and the ledger. What is open is listed in the close.`}
          isPrimary
        >
          Close the day…
        </CommandButton>
      ) : null}
    </>
  );
}
