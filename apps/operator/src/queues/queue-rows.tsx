import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { useClock } from '@svc/ui/console/time/clock.ts';
import { describeSpan } from '@svc/ui/console/time/format-time.ts';
import { Link } from '@tanstack/react-router';
import type { Queue } from '../api/queues.ts';
import './queues.css';

/** Queues as rows: those with work first, in the order of the service. */
export function QueueRows({ queues }: { queues: readonly Queue[] }) {
  const busy = queues.filter(({ count }) => count > 0);
  const calm = queues.filter(({ count }) => count === 0);
  return (
    <ul className="rows">
      {[...busy, ...calm].map((queue) => (
        <li key={queue.name}>
          <Link
            to="/queues/$queue"
            params={{ queue: queue.name }}
            className="row queue-row"
            data-row
            data-calm={queue.count === 0}
          >
            <span className="queue-row__title">{queue.title}</span>
            <span className="queue-row__count">
              {queue.count === 0 ? (
                <StateMark tone="good">Nothing waits</StateMark>
              ) : (
                queue.count.toLocaleString('en-US')
              )}
            </span>
            <span className="queue-row__age">
              {queue.oldest_at === null ? null : <Oldest at={queue.oldest_at} />}
            </span>
            <span className="queue-row__snoozed">
              {queue.snoozed > 0 ? `${queue.snoozed} snoozed` : null}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Oldest({ at }: { at: string }) {
  return useClock((now) => `oldest ${describeSpan(now - Date.parse(at))}`);
}
