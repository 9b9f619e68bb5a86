import { writeSearch } from '@svc/ui/console/filters/search-params.ts';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { StatementLine } from '../api/money.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { CsvLink } from '../parts/csv-link.tsx';
import { nameRule, sayKind } from './describe-books.ts';

/** The most lines of a day that the service returns. */
const mostLines = 1_000;

/** The lines of one account on the day, and what each is matched with and why. */
export function StatementLines(props: {
  day: string;
  banks: readonly string[];
  bank: string;
  query: UseQueryResult<StatementLine[]> | undefined;
  isClosed: boolean;
}) {
  const { day, banks, bank, query, isClosed } = props;
  const lines = query?.data ?? [];
  return (
    <section className="money__section" aria-label="Lines">
      <div className="money__head">
        <h2 className="section-title">Lines</h2>
        <CsvLink href={`/books/lines.csv${writeSearch({ bank, day })}`} />
      </div>
      {banks.length > 1 ? (
        <nav className="svc-tabs" aria-label="Accounts">
          {banks.map((name) => (
            <Link
              key={name}
              to="/money/days/$day"
              params={{ day }}
              search={{ bank: name }}
              replace
              className="svc-tabs__tab"
              aria-current={name === bank ? 'page' : undefined}
            >
              {visibleText(name)}
            </Link>
          ))}
        </nav>
      ) : null}
      {query ? (
        <LoadState
          query={query}
          loading="Loading the lines"
          rows={6}
          failed="The lines could not be loaded"
        />
      ) : null}
      {query?.isSuccess && lines.length === 0 ? (
        <p className="money__quiet">{`The statement of ${bank} has no lines on this day.`}</p>
      ) : null}
      {lines.length > 0 ? (
        <ul className="rows">
          {lines.map((line) => (
            <LineRow key={line.id} line={line} isClosed={isClosed} />
          ))}
        </ul>
      ) : null}
      {lines.length === mostLines ? (
        <p className="money__quiet">
          Only the first {mostLines.toLocaleString('en-US')} lines are shown. The CSV has all, and
          the exceptions above are of all.
        </p>
      ) : null}
    </section>
  );
}

function LineRow({ line, isClosed }: { line: StatementLine; isClosed: boolean }) {
  const { kind, amount_in_cents, reference, description, match } = line;
  return (
    <li className="line">
      <span className="exception__amount">{formatCents(amount_in_cents)}</span>
      <span className="line__words">
        {visibleText(description === '' ? sayKind(kind) : description)}
        {reference === '' ? null : <code>{visibleText(reference)}</code>}
      </span>
      {match === null ? <StateMark tone="warn">Not matched</StateMark> : <Match match={match} />}
      <span className="line__act">
        {match === null || isClosed ? null : (
          <CommandButton
            command="books-unmatch"
            input={{ match_id: match.id }}
            about={`${formatCents(amount_in_cents)} is open again, with what it was matched with. What the match had posted is taken back.`}
          >
            Undo…
          </CommandButton>
        )}
      </span>
    </li>
  );
}

/** Shows why the line is matched. Expands to show what it is matched with. */
function Match({ match }: { match: NonNullable<StatementLine['match']> }) {
  const { rule, reason, matched_by, items } = match;
  return (
    <details className="match">
      <summary>
        <StateMark tone="good">{nameRule(rule)}</StateMark>
      </summary>
      <p className="match__reason">
        {visibleText(reason)}
        {rule === 'manual' || rule === 'adjustment' ? `, ${visibleText(matched_by)}` : null}
      </p>
      <ul>
        {items.map(({ item, amount_in_cents, kind, reference, day }) => (
          <li key={item}>
            <span className="exception__amount">{formatCents(amount_in_cents)}</span>{' '}
            {sayKind(kind)}, {formatDate(day)}
            {reference === '' ? null : (
              <>
                {' '}
                <code>{visibleText(reference)}</code>
              </>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
