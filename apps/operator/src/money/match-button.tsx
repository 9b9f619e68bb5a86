import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { useMayRun } from '../commands/command-button.tsx';
import { openCommand } from '../commands/open-command.ts';

/** Opens the dialog that matches items with each other, and posts what they differ by. */
export function MatchButton(props: {
  items: readonly string[];
  difference: number;
  pms: string | null;
  isPrimary?: boolean;
  onDone?: () => void;
}) {
  const { items, difference, pms, isPrimary = false, onDone } = props;
  const isEven = difference === 0;
  if (!useMayRun('books-match')) return null;
  const about = isEven
    ? `${items.length} items that agree. Nothing is posted.`
    : `${items.length} items that differ by ${formatCents(difference)}, which is posted to an account.`;
  const posts = isEven
    ? { input: { items: items.join(',') }, without: ['account', 'pms'] }
    : { input: { items: items.join(','), ...(pms !== null && { pms }) }, needed: ['account'] };
  return (
    <button
      type="button"
      className={`svc-button svc-button--small ${isPrimary ? '' : 'svc-button--secondary'}`}
      onClick={() =>
        openCommand({
          name: 'books-match',
          about,
          ...posts,
          ...(onDone && { onDone }),
        })
      }
    >
      {isEven ? 'Match…' : `Match, post ${formatCents(difference)}…`}
    </button>
  );
}
