import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import type { BookException } from '../api/money.ts';
import { CommandMenu } from '../commands/command-menu.tsx';
import { WorkItem } from '../parts/work-item.tsx';
import { type Candidate, sayKind } from './describe-books.ts';
import { MatchButton } from './match-button.tsx';

/** One line or entry that is not matched: why, what it may belong to, and what explains it. */
export function ExceptionRow(props: {
  exception: BookException;
  candidates: readonly Candidate[];
  isChosen: boolean;
  /** Null if nothing can be matched. */
  onToggle: (() => void) | null;
}) {
  const { exception, candidates, isChosen, onToggle } = props;
  const { item, bank, day, amount_in_cents, kind, reference, why, owner, partner } = exception;
  const where = bank === null ? `Ledger of ${partner}` : `Line of ${bank}`;
  // A bank does not say what a line was, so all of its lines have the kind `entry`.
  const what = kind === 'entry' ? where : `${where}, ${sayKind(kind).toLowerCase()}`;
  return (
    <WorkItem
      id={item}
      label={`Select ${formatCents(amount_in_cents)}, ${visibleText(where)}`}
      isChosen={isChosen}
      onToggle={onToggle}
      actions={
        onToggle === null ? null : (
          <ItemMenu
            item={item}
            partner={partner}
            about={`${formatCents(amount_in_cents)}, ${where} of ${formatDate(day)}. ${why}`}
          />
        )
      }
    >
      <p className="exception__title">
        <span className="exception__amount">{formatCents(amount_in_cents)}</span>
        <span>{visibleText(what)}</span>
        {reference === '' ? null : <code>{visibleText(reference)}</code>}
      </p>
      <p>{visibleText(why)}</p>
      <p className="work-item__facts">
        <span>{formatDate(day)}</span>
        <span>{sayAge(exception.age_in_days)}</span>
        {exception.after_close ? <span>Came after its day was closed</span> : null}
        {owner === null ? null : <span className="tag">{visibleText(owner)}</span>}
      </p>
      {candidates.length > 0 ? (
        <ul className="candidates" aria-label="May belong to">
          {candidates.map((candidate) => (
            <CandidateRow
              key={candidate.item}
              exception={exception}
              candidate={candidate}
              mayMatch={onToggle !== null}
            />
          ))}
        </ul>
      ) : null}
    </WorkItem>
  );
}

/** An entry that the line may belong to, with a button that opens the dialog to match them. */
function CandidateRow(props: {
  exception: BookException;
  candidate: Candidate;
  mayMatch: boolean;
}) {
  const { exception, candidate, mayMatch } = props;
  const { item, day, amount_in_cents, kind, reference } = candidate;
  return (
    <li className="candidate">
      <span>
        Ledger of {formatDate(day)}, {sayKind(kind).toLowerCase()}
      </span>
      <span className="exception__amount">{formatCents(amount_in_cents)}</span>
      {reference === '' ? null : <code>{visibleText(reference)}</code>}
      {mayMatch ? (
        <MatchButton
          items={[exception.item, item]}
          difference={exception.amount_in_cents - amount_in_cents}
          hasPartner
        />
      ) : null}
    </li>
  );
}

function sayAge(days: number): string {
  return days === 1 ? '1 day old' : `${days} days old`;
}

function ItemMenu(props: { item: string; partner: string | null; about: string }) {
  const { item, partner, about } = props;
  // An entry already belongs to its partner's books, so the service refuses a portal here.
  const asked = { input: { item }, about, ...(partner !== null && { without: ['pms'] }) };
  return (
    <CommandMenu
      face="Explain"
      commands={[
        { name: 'books-assign', label: 'Assign to somebody…', input: { item }, about },
        { name: 'books-adjust', label: 'Post what explains it…', ...asked },
        { name: 'books-write-off', label: 'Write it off…', ...asked },
      ]}
    />
  );
}
