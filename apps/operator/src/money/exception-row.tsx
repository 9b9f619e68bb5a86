import { Menu, MenuItem } from '@svc/ui/console/parts/menu.tsx';
import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useQuery } from '@tanstack/react-query';
import { commandsQuery } from '../api/commands.ts';
import type { BookException } from '../api/money.ts';
import { isDangerous } from '../commands/command-words.ts';
import { openCommand } from '../commands/open-command.ts';
import { type Candidate, sayKind } from './describe-books.ts';
import { MatchButton } from './match-button.tsx';

/** One line or entry that is not matched: why, what it may belong to, and what explains it. */
export function ExceptionRow(props: {
  exception: BookException;
  candidates: readonly Candidate[];
  partnerOf: (item: string) => string | null;
  isChosen: boolean;
  /** Null if nothing can be matched. */
  onToggle: (() => void) | null;
}) {
  const { exception, candidates, isChosen, onToggle } = props;
  const { item, bank, day, amount_in_cents, kind, reference, why, owner, partner } = exception;
  const where = bank === null ? `Ledger of ${partner}` : `Line of ${bank}`;
  // A bank does not say what a line was, so its lines are all of this kind.
  const what = kind === 'entry' ? where : `${where}, ${sayKind(kind).toLowerCase()}`;
  return (
    <li className="exception" data-row tabIndex={-1} data-chosen={isChosen}>
      {onToggle === null ? (
        <span />
      ) : (
        <label className="exception__choose">
          <input
            type="checkbox"
            aria-label={`Select ${formatCents(amount_in_cents)}, ${visibleText(where)}`}
            checked={isChosen}
            onChange={onToggle}
          />
        </label>
      )}
      <div className="exception__words">
        <p className="exception__title">
          <span className="exception__amount">{formatCents(amount_in_cents)}</span>
          <span>{visibleText(what)}</span>
          {reference === '' ? null : <code>{visibleText(reference)}</code>}
        </p>
        <p>{visibleText(why)}</p>
        <p className="exception__facts">
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
                partner={props.partnerOf(candidate.item)}
              />
            ))}
          </ul>
        ) : null}
      </div>
      {onToggle === null ? null : (
        <ItemMenu
          item={item}
          partner={partner}
          about={`${formatCents(amount_in_cents)}, ${where} of ${formatDate(day)}. ${why}`}
        />
      )}
    </li>
  );
}

/** One click from a line and an entry to the dialog that matches them. */
function CandidateRow(props: {
  exception: BookException;
  candidate: Candidate;
  partner: string | null;
}) {
  const { exception, candidate, partner } = props;
  const { item, day, amount_in_cents, kind, reference } = candidate;
  return (
    <li className="candidate">
      <span>
        Ledger of {formatDate(day)}, {sayKind(kind).toLowerCase()}
      </span>
      <span className="exception__amount">{formatCents(amount_in_cents)}</span>
      {reference === '' ? null : <code>{visibleText(reference)}</code>}
      <MatchButton
        items={[exception.item, item]}
        difference={exception.amount_in_cents - amount_in_cents}
        pms={partner}
      />
    </li>
  );
}

function sayAge(days: number): string {
  return days === 1 ? '1 day old' : `${days} days old`;
}

function ItemMenu(props: { item: string; partner: string | null; about: string }) {
  const { item, partner, about } = props;
  const commands = useQuery(commandsQuery).data ?? [];
  const pms = partner === null ? {} : { pms: partner };
  const offered = [
    { name: 'books-assign', label: 'Assign to somebody…', input: { item } },
    { name: 'books-adjust', label: 'Post what explains it…', input: { item, ...pms } },
    { name: 'books-write-off', label: 'Write it off…', input: { item, ...pms } },
  ].filter(({ name }) => commands.some((command) => command.name === name));
  if (offered.length === 0) return null;
  return (
    <div className="exception__act">
      <Menu
        className="svc-button svc-button--secondary svc-button--small"
        name="Explain"
        face="Explain"
        align="end"
      >
        {offered.map(({ name, label, input }) => (
          <MenuItem
            key={name}
            danger={isDangerous({ name })}
            onChoose={() => openCommand({ name, input, about })}
          >
            <span className="menu__words">{label}</span>
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}
