import { formatCents } from '@svc/ui/console/text/format-money.ts';
import type { BookException } from '../api/money.ts';
import { sumsOf } from './describe-books.ts';
import { MatchButton } from './match-button.tsx';

/** Sums the selected items, and matches them with each other. */
export function MatchBar({
  items,
  onDone,
}: {
  items: readonly BookException[];
  onDone: () => void;
}) {
  if (items.length === 0) return null;
  const { lines, entries, difference } = sumsOf(items);
  const partners = new Set(items.flatMap(({ partner }) => partner ?? []));
  return (
    <section className="selection-bar" aria-label="Selected items">
      <span className="selection-bar__sums" aria-live="polite">
        {items.length} {items.length === 1 ? 'item' : 'items'}: lines {formatCents(lines)}, entries{' '}
        {formatCents(entries)}
        {difference === 0 ? null : <strong>, differ by {formatCents(difference)}</strong>}
      </span>
      {items.length < 2 ? (
        <span>Select what belongs to it.</span>
      ) : (
        <MatchButton
          items={items.map(({ item }) => item)}
          difference={difference}
          hasPartner={partners.size === 1}
          isPrimary
          onDone={onDone}
        />
      )}
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small"
        onClick={onDone}
      >
        Clear
      </button>
    </section>
  );
}
