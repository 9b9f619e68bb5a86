import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Ago, Until } from '@svc/ui/console/time/time.tsx';
import { Link } from '@tanstack/react-router';
import type { QueueItem } from '../api/queues.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { titleOf } from '../commands/command-words.ts';
import { WorkItem } from '../parts/work-item.tsx';
import { isRecord, sayFacts } from '../tenants/entry-details.tsx';

/** One item of work: what is wrong, what to do, and the commands that do it. */
export function QueueItemRow(props: {
  item: QueueItem;
  isChosen: boolean;
  /** Null for people who may only read. */
  onToggle: (() => void) | null;
}) {
  const { item, isChosen, onToggle } = props;
  const {
    id,
    partner,
    external_id,
    subject_id: subjectId,
    problem,
    advice,
    commands,
    owner,
  } = item;
  const facts = isRecord(item.details.facts) ? sayFacts(item.details.facts) : null;
  return (
    <WorkItem
      id={id}
      label={`Select: ${visibleText(problem)}`}
      isChosen={isChosen}
      onToggle={onToggle}
      actions={commands.slice(0, 2).map(({ name, input, runs }) => (
        <CommandButton
          key={name}
          command={name}
          input={input}
          {...(runs !== undefined && { runs })}
          // The id of the request does not tell the approver what it is about.
          {...(name.startsWith('approval-') && { about: `${problem} ${advice}` })}
          {...(name === 'review-decide' && facts !== null && { about: `${problem} ${facts}.` })}
          // The item has no owner yet.
          {...(name === 'review-take' && { without: ['from'] })}
        >
          {titleOf({ name })}
        </CommandButton>
      ))}
    >
      <p className="work-item__title">{visibleText(problem)}</p>
      <p>{visibleText(advice)}</p>
      <p className="work-item__facts">
        {partner !== null && external_id !== null ? (
          <Link
            to="/tenants/$partner/$externalId"
            params={{ partner, externalId: external_id }}
            search={subjectId === null ? {} : { about: subjectId }}
            className="svc-link"
          >
            {visibleText(external_id)}
          </Link>
        ) : null}
        {partner === null ? null : external_id === null ? (
          <Link to="/partners/$pms" params={{ pms: partner }} className="svc-link">
            {visibleText(partner)}
          </Link>
        ) : (
          <span>{visibleText(partner)}</span>
        )}
        {item.queue === 'approvals' && partner === null && subjectId !== null ? (
          <Link to="/find/$id" params={{ id: subjectId }} className="svc-link">
            {visibleText(subjectId)}
          </Link>
        ) : null}
        {item.amount_in_cents === null ? null : (
          <span className="work-item__amount">{formatCents(item.amount_in_cents)}</span>
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
      {facts === null ? null : <p>{facts}</p>}
    </WorkItem>
  );
}
