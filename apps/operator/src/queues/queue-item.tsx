import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Ago, Until } from '@svc/ui/console/time/time.tsx';
import { Link } from '@tanstack/react-router';
import type { QueueItem } from '../api/queues.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { titleOf } from '../commands/command-words.ts';

/** One item of work: what is wrong, what to do, and the commands that do it. */
export function QueueItemRow(props: {
  item: QueueItem;
  isChosen: boolean;
  /** Null for people who may only read. */
  onToggle: (() => void) | null;
}) {
  const { item, isChosen, onToggle } = props;
  const { id, partner, external_id, problem, advice, commands, owner } = item;
  return (
    <li className="queue-item" data-row tabIndex={-1} data-item={id} data-chosen={isChosen}>
      {onToggle === null ? (
        <span />
      ) : (
        <label className="queue-item__choose">
          <input
            type="checkbox"
            aria-label={`Select: ${visibleText(problem)}`}
            checked={isChosen}
            onChange={onToggle}
          />
        </label>
      )}
      <div className="queue-item__words">
        <p className="queue-item__problem">{visibleText(problem)}</p>
        <p className="queue-item__advice">{visibleText(advice)}</p>
        <p className="queue-item__facts">
          {partner !== null && external_id !== null ? (
            <Link
              to="/tenants/$partner/$externalId"
              params={{ partner, externalId: external_id }}
              search={item.subject_id === null ? {} : { about: item.subject_id }}
              className="svc-link"
            >
              {visibleText(external_id)}
            </Link>
          ) : null}
          {partner === null ? null : <span>{visibleText(partner)}</span>}
          {item.amount_in_cents === null ? null : (
            <span className="queue-item__amount">{formatCents(item.amount_in_cents)}</span>
          )}
          <span>
            Opened <Ago at={item.waiting_since} inline />
          </span>
          {item.due_on === null ? null : (
            <StateMark tone="warn">{`Last day ${formatDate(item.due_on)}`}</StateMark>
          )}
          {item.snoozed_until === null ? null : (
            <span>
              Snoozed, back <Until at={item.snoozed_until} inline />
            </span>
          )}
          {owner === null ? null : <span className="tag">{visibleText(owner)}</span>}
          {item.needs.length > 0 ? <span>Needs {item.needs.join('; ')}</span> : null}
        </p>
      </div>
      <div className="queue-item__actions">
        {commands.slice(0, 2).map(({ name, input, runs }) => (
          <CommandButton
            key={name}
            command={name}
            input={input}
            {...(runs !== undefined && { runs })}
            // The request's id says nothing about what is approved.
            {...(name.startsWith('approval-') && { about: `${problem} ${advice}` })}
          >
            {titleOf({ name })}
          </CommandButton>
        ))}
      </div>
    </li>
  );
}
