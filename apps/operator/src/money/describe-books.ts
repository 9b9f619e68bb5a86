import type { Tone } from '@svc/ui/console/parts/state-mark.tsx';
import type { BookException, BooksDay, BooksDays, StatementLine } from '../api/money.ts';

type Day = Pick<BooksDays['days'][number], 'state' | 'missing'>;

/** Describes a day's state for a list. */
export function describeDay({ state, missing }: Day): {
  readonly tone: Tone;
  readonly word: string;
} {
  switch (state) {
    case 'closed':
      return { tone: 'good', word: 'Closed' };
    case 'ready':
      return { tone: 'info', word: 'Ready to close' };
    case 'missing':
      return { tone: 'warn', word: `Waits for ${missing.join(' and ')}` };
    case 'later':
      return { tone: 'neutral', word: 'An earlier day comes first' };
    case 'not_ended':
      return { tone: 'neutral', word: 'Not over yet' };
  }
}

/** Formats a day: "Tue, Nov 24, 2026". */
export function nameDay(day: string): string {
  return withWeekday.format(new Date(`${day}T00:00:00Z`));
}

const withWeekday = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Returns whether text from the page's address is a day, such as 2026-11-24. */
export function isDay(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

const rules: Record<string, string> = {
  reference: 'Same reference and amount',
  same_reference: 'Sum of a reference',
  amount: 'Only one with this amount',
  batch: 'Sum of a day',
  manual: 'By hand',
  adjustment: 'Posted by hand',
};

export function nameRule(rule: string): string {
  return rules[rule] ?? rule;
}

/** Turns a kind into words: "books_adjustment" is "Books adjustment". */
export function sayKind(kind: string): string {
  const words = kind.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns whether the item is a line of a statement, rather than an entry of the ledger. */
export function isLine({ bank }: Pick<BookException, 'bank'>): boolean {
  return bank !== null;
}

export interface Sums {
  readonly lines: number;
  readonly entries: number;
  /** The difference that a match would have to post. */
  readonly difference: number;
}

/** Sums both sides of a match in cents. */
export function sumsOf(items: readonly BookException[]): Sums {
  const sum = (of: readonly BookException[]) =>
    of.reduce((total, { amount_in_cents }) => total + amount_in_cents, 0);
  const lines = sum(items.filter(isLine));
  const entries = sum(items.filter((item) => !isLine(item)));
  return { lines, entries, difference: lines - entries };
}

export interface Candidate {
  readonly item: string;
  readonly amount_in_cents: number;
  readonly kind: string;
  readonly reference: string;
  readonly day: string;
}

const mostCandidates = 3;

/**
 * Returns the entries that a line may belong to: those that the service found in the ledger, or for a line of an
 * earlier day, the open entries of the same account with its amount or reference. An entry is shown with its
 * line.
 */
export function candidatesOf(
  exception: BookException,
  all: readonly BookException[],
  lines: readonly StatementLine[],
): readonly Candidate[] {
  if (!isLine(exception)) return [];
  const known = lines.find(({ id }) => id === exception.item)?.candidates;
  return (known ?? openEntriesFor(exception, all)).slice(0, mostCandidates);
}

function openEntriesFor(line: BookException, all: readonly BookException[]): BookException[] {
  const { ledger_account, amount_in_cents, reference } = line;
  return all.filter(
    (entry) =>
      !isLine(entry) &&
      entry.ledger_account === ledger_account &&
      (entry.amount_in_cents === amount_in_cents ||
        (reference !== '' && entry.reference === reference)),
  );
}

/** Describes the next step for a day in one sentence. */
export function adviseOnDay({ state, missing }: BooksDay, open: number): string {
  switch (state) {
    case 'closed':
      return 'This day is frozen and sealed. Reopen it to change anything.';
    case 'not_ended':
      return 'A day can be closed once it is over in New York.';
    case 'missing':
      return `Import the statement of ${missing.join(' and ')} first.`;
    case 'later':
      return 'Days are closed in order. Close the earlier day first.';
    case 'ready':
      return open === 0
        ? 'Everything is matched. Close the day.'
        : 'Explain what you can. What stays open is listed in the close.';
  }
}
