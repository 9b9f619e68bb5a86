import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { quickKeys } from '@svc/ui/console/parts/keyboard.ts';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { openQuickDialog } from '@svc/ui/console/shell/quick-dialog.tsx';
import { useQuery } from '@tanstack/react-query';
import { healthQuery } from '../api/health.ts';
import { queuesQuery } from '../api/queues.ts';
import { HealthStrip } from '../health/health-strip.tsx';
import { QueueRows } from '../queues/queue-rows.tsx';
import './home.css';

/** The start of the console: finding anything, and the work that waits. */
export function HomePage() {
  const queues = useQuery({ ...queuesQuery, refetchInterval: pollIntervals.background });
  const health = useQuery(healthQuery);
  return (
    <div className="page">
      <PageHeader title="Home" />
      <button type="button" className="home__find" onClick={openQuickDialog}>
        <Icon name="search" size={18} />
        <span>Find a tenant, a payment or any id</span>
        <kbd>{quickKeys}</kbd>
      </button>
      <HealthStrip />
      <section className="home__part" aria-labelledby="home-work">
        <h2 id="home-work" className="section-title">
          Work that waits
        </h2>
        {/* Waits for the health strip above: its problems would move queues that were shown first. */}
        <LoadState
          query={health.isPending ? health : queues}
          loading="Loading the queues"
          rows={8}
          failed="The queues could not be loaded"
        />
        {queues.data && !health.isPending ? <QueueRows queues={queues.data} /> : null}
      </section>
    </div>
  );
}
