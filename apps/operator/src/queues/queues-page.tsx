import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { useQuery } from '@tanstack/react-query';
import { queuesQuery } from '../api/queues.ts';
import { QueueRows } from './queue-rows.tsx';

/** Every queue with what waits in it. */
export function QueuesPage() {
  const queues = useQuery({ ...queuesQuery, refetchInterval: pollIntervals.background });
  return (
    <div className="page">
      <PageHeader title="Queues">
        <p className="page-header__lead">Work that waits for a person, the oldest first.</p>
      </PageHeader>
      <LoadState
        query={queues}
        loading="Loading the queues"
        rows={8}
        failed="The queues could not be loaded"
      />
      {queues.data ? <QueueRows queues={queues.data} /> : null}
    </div>
  );
}
