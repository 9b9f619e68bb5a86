import { writeSearch } from '@svc/ui/console/filters/search-params.ts';
import { Empty, LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { BookException, BooksDay, StatementLine } from '../api/money.ts';
import { useMayRun } from '../commands/command-button.tsx';
import { CsvLink } from '../parts/csv-link.tsx';
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
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const mayMatch = useMayRun('books-match') && day.state !== 'closed';
  const { items = [], count = 0, total_in_cents = 0 } = query.data ?? {};
  const toggle = (id: string) =>
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  const known = new Map(items.map((it) => [it.item, it]));
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
      <LoadState
        query={query}
        loading="Loading the exceptions"
        rows={3}
        failed="The exceptions could not be loaded"
      />
      {query.isSuccess && count === 0 ? (
        <Empty icon="check" title="Everything until this day is matched">
          <p>
            A line without an entry, or an entry that no statement confirms, appears here with the
            reason why no rule matched it.
          </p>
        </Empty>
      ) : null}
      {items.length > 0 ? (
        <ul className="rows">
          {items.map((item) => (
            <ExceptionRow
              key={item.item}
              exception={item}
              candidates={candidatesOf(item, items, lines)}
              partnerOf={(id) => known.get(id)?.partner ?? item.partner}
              isChosen={chosen.has(item.item)}
              onToggle={mayMatch ? () => toggle(item.item) : null}
            />
          ))}
        </ul>
      ) : null}
      {items.length < count ? (
        <p className="money__quiet">Only the oldest {items.length} are listed. The CSV has all.</p>
      ) : null}
      <MatchBar
        items={items.filter(({ item }) => chosen.has(item))}
        onDone={() => setChosen(new Set())}
      />
    </section>
  );
}
