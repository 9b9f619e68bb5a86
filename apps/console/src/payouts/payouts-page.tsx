import { menuFilter } from '@svc/ui/console/filters/list-filters.tsx';
import { defineList } from '@svc/ui/console/list/define-list.tsx';
import { StateMark, type Tone } from '@svc/ui/console/parts/state-mark.tsx';
import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { type Payout, payoutList, statementUrl } from '../api/payouts.ts';
import './payouts.css';
import { AdminOnly } from '../session/admin-only.tsx';

const stateMarks: Record<Payout['status'], { tone: Tone; word: string }> = {
  pending: { tone: 'info', word: 'Pending' },
  sent: { tone: 'info', word: 'Sent' },
  paid: { tone: 'good', word: 'Paid' },
  failed: { tone: 'bad', word: 'Failed' },
  returned: { tone: 'bad', word: 'Returned' },
};

/** The payouts, each with its statement to download. */
export const PayoutsPage = defineList({
  route: '/payouts',
  title: 'Payouts',
  rows: ['payout', 'payouts'],
  api: payoutList,
  Gate: AdminOnly,
  keyOf: ({ id }) => id,
  filters: [
    menuFilter(
      'status',
      'Status',
      Object.entries(stateMarks).map(([value, { word }]) => ({ value, label: word })),
    ),
  ],
  columns: [['Status'], ['Amount', 'payout-row__amount'], ['Day'], ['Statement']],
  Row: PayoutRow,
  empty: {
    icon: 'payouts',
    title: 'No payouts yet',
    filtered: 'No payouts have this status',
    text: (
      <p>
        With payouts turned on, everything that we owe you is paid once per banking day, and each
        payment appears here. Without them, you debit each settlement.
      </p>
    ),
  },
});

/** One payout as a row. The files are links, so the browser saves them. */
function PayoutRow({ item }: { item: Payout }) {
  const { id, status, day, amount_in_cents, line_count, failure_reason } = item;
  const { tone, word } = stateMarks[status];
  const lines = line_count === 1 ? '1 line' : `${line_count} lines`;
  return (
    <li className="row payout-row">
      <StateMark tone={tone}>{word}</StateMark>
      <span className="payout-row__amount">{formatCents(amount_in_cents)}</span>
      <span className="payout-row__about">
        {formatDate(day)}, {lines}
        {failure_reason === null ? '' : `: ${visibleText(failure_reason)}`}
      </span>
      <span className="payout-row__files">
        {(['csv', 'json'] as const).map((format) => (
          <a
            key={format}
            href={statementUrl(id, format)}
            download={`${id}.${format}`}
            className="svc-button svc-button--secondary svc-button--small"
            aria-label={`Statement of ${formatDate(day)} as ${format.toUpperCase()}`}
          >
            {format.toUpperCase()}
          </a>
        ))}
      </span>
    </li>
  );
}
