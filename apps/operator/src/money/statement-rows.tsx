import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import type { BooksDay } from '../api/money.ts';
import { ImportButton } from './import-dialog.tsx';

/** The statement of each account that covers the day, and those that are missing. */
export function StatementRows({ day: { statements, missing, state } }: { day: BooksDay }) {
  const isOpen = state !== 'closed';
  if (statements.length === 0 && missing.length === 0) return null;
  return (
    <section className="money__section">
      <h2 className="section-title">Statements</h2>
      <ul className="rows">
        {statements.map((it) => (
          <li key={it.bank} className="row statement-row">
            <span className="statement-row__bank">{visibleText(it.bank)}</span>
            <span className="statement-row__days">
              {it.from === it.to
                ? formatDate(it.to)
                : `${formatDate(it.from)} to ${formatDate(it.to)}`}
            </span>
            <span className="statement-row__balance">
              {formatCents(it.opening_in_cents)} → {formatCents(it.closing_in_cents)}
            </span>
            <StateMark tone={it.matched === it.lines ? 'good' : 'warn'}>
              {it.lines === 0 ? 'No lines' : `${it.matched} of ${it.lines} matched`}
            </StateMark>
            <span className="statement-row__act">
              {isOpen ? (
                <ImportButton bank={it.bank} isReplacing>
                  Replace…
                </ImportButton>
              ) : null}
            </span>
          </li>
        ))}
        {missing.map((bank) => (
          <li key={bank} className="row statement-row">
            <span className="statement-row__bank">{visibleText(bank)}</span>
            <span className="statement-row__days" />
            <span className="statement-row__balance" />
            <StateMark tone="warn">Missing</StateMark>
            <span className="statement-row__act">
              <ImportButton bank={bank}>Import…</ImportButton>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
