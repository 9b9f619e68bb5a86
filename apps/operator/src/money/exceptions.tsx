import { writeSearch } from '@svc/ui/console/filters/search-params.ts';
import { Empty, RowList } from '@svc/ui/console/parts/page-states.tsx';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import type { BookException, BooksDay, StatementLine } from '../api/money.ts';
import { useMayRun } from '../commands/command-button.tsx';
import { CsvLink } from '../parts/csv-link.tsx';
import { useSelection } from '../parts/work-item.tsx';
import { candidatesOf } from './describe-books.ts';
import { ExceptionRow } from './exception-row.tsx';
import { MatchBar } from './match-bar.tsx';

interface Found {
  readonly items: BookException[];
  readonly count: number;
  readonly total_in_cents: number;
}

/** Lines and entries without a match until the day. Several of them can be matched with each other. */
export function Exceptions(props: {
  day: BooksDay;
  query: UseQueryResult<Found>;
  lines: readonly StatementLine[];
}) {
  const { day, query, lines } = props;
  const { chosen, toggle, clear } = useSelection();
  const mayMatch = useMayRun('books-match') && day.state !== 'closed';
  const { items = [], count = 0, total_in_cents = 0 } = query.data ?? {};
  return (
    <section className="money__section" aria-label="Exceptions">
      <div className="money__head">
        <h2 className="section-title">
          Exceptions
          {count > 0 ? (
            <span className="money__quiet">
              {count.toLocaleString('en-US')} open until this day, lines minus entries{' '}
              {formatCents(total_in_cents)}
            </span>
          ) : null}
        </h2>
        {count > 0 ? (
          <CsvLink href={`/books/exceptions.csv${writeSearch({ until: day.day })}`} />
        ) : null}
      </div>
      <RowList
        query={query}
        items={items}
        loading="Loading the exceptions"
        rows={3}
        failed="The exceptions could not be loaded"
        empty={
          <Empty icon="check" title="Everything until this day is matched">
            <p>
              A line without an entry, or an entry that no statement confirms, appears here with the
              reason why no rule matched it.
            </p>
          </Empty>
        }
      >
        {(item) => (
          <ExceptionRow
            key={item.item}
            exception={item}
            candidates={candidatesOf(item, items, lines)}
            isChosen={chosen.has(item.item)}
            onToggle={mayMatch ? () => toggle(item.item) : null}
          />
        )}
      </RowList>
      {items.length < count ? (
        <p className="money__quiet">Only the oldest {items.length} are listed. The CSV has all.</p>
      ) : null}
      <MatchBar items={items.filter(({ item }) => chosen.has(item))} onDone={clear} />
    </section>
  );
}
