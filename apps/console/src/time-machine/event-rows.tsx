import { minuteTime } from '@svc/ui/console/time/format-time.ts';
import { Link } from '@tanstack/react-router';
import type { TenantEvent } from '../api/time-machine.ts';

interface EventRowsProps {
  readonly events: readonly TenantEvent[];
  /** Null if the rows have no button to copy the tenant. */
  readonly onCopy: ((event: TenantEvent) => void) | null;
  /** The difference of the first row, which is then marked. */
  readonly difference?: string | null;
}

/** Webhooks about a tenant, oldest first. */
export function EventRows({ events, onCopy, difference }: EventRowsProps) {
  if (events.length === 0) return null;
  return (
    <ol className="events">
      {events.map((event, index) => (
        <li
          key={event.id}
          className="events__row"
          data-differs={index === 0 && difference !== undefined}
        >
          <time dateTime={event.occurred_at}>{minuteTime(event.occurred_at)}</time>
          <Link
            to="/messages/$messageId"
            params={{ messageId: event.id }}
            className="svc-link events__type"
          >
            {event.type}
          </Link>
          {onCopy ? (
            <button
              type="button"
              className="svc-button svc-button--secondary svc-button--small"
              onClick={() => onCopy(event)}
            >
              Copy from here<span className="svc-visually-hidden"> after {event.type}</span>
            </button>
          ) : null}
          {index === 0 && difference !== undefined ? (
            <p className="events__difference">
              First difference{difference === null ? null : <>: {difference}</>}
            </p>
          ) : null}
        </li>
      ))}
    </ol>
  );
}
