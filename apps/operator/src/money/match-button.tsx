import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { useMayRun } from '../commands/command-button.tsx';
import { openCommand } from '../commands/open-command.ts';

/** Opens the dialog that matches items with each other, and posts what they differ by. */
export function MatchButton(props: {
  items: readonly string[];
  difference: number;
  /** True if an item belongs to a partner. If none does, the form asks in whose books to post the difference. */
  hasPartner: boolean;
  isPrimary?: boolean;
  onDone?: () => void;
}) {
  const { items, difference, hasPartner, isPrimary = false, onDone } = props;
  const isEven = difference === 0;
  if (!useMayRun('books-match')) return null;
  const about = isEven
    ? `${items.length} items that agree. Nothing is posted.`
    : `${items.length} items that differ by ${formatCents(difference)}, which is posted to an account.`;
  const fieldRules = isEven
    ? { without: ['account', 'pms'] }
    : hasPartner
      ? { without: ['pms'], needed: ['account'] }
      : { needed: ['account', 'pms'] };
  return (
    <button
      type="button"
      className={`svc-button svc-button--small ${isPrimary ? '' : 'svc-button--secondary'}`}
      onClick={() =>
        openCommand({
          name: 'books-match',
          about,
          input: { items: items.join(',') },
          ...fieldRules,
          ...(onDone && { onDone }),
        })
      }
    >
      {isEven ? 'Match…' : `Match, post ${formatCents(difference)}…`}
    </button>
  );
}
