import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { MenuFilter } from '@svc/ui/console/filters/menu-filter.tsx';
import { withoutEmpty } from '@svc/ui/console/filters/search-params.ts';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { listenToKeys } from '@svc/ui/console/parts/keyboard.ts';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { Empty, LoadState, MoreRows } from '@svc/ui/console/parts/page-states.tsx';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { queueCsv, queueList, queuesQuery } from '../api/queues.ts';
import { CsvLink } from '../parts/csv-link.tsx';
import { usePermission } from '../session/use-session.ts';
import { ViewButton } from '../views/view-button.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { QueueItemRow } from './queue-item.tsx';
import './queues.css';

const route = getRouteApi('/queues/$queue');

/** The items of one queue. Several can be taken, released or snoozed at once. */
export function QueuePage() {
  const { queue } = route.useParams();
  const { snoozed } = route.useSearch();
  const navigate = useNavigate();
  const about = useQuery(queuesQuery).data?.find(({ name }) => name === queue);
  const list = useInfiniteQuery({
    ...queueList(queue, snoozed),
    refetchInterval: pollIntervals.background,
  });
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selected = items.filter(({ id }) => chosen.has(id));
  const toggle = (id: string) =>
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  useEffect(
    () =>
      listenToKeys({
        x: () => {
          const id = document.activeElement?.closest<HTMLElement>('[data-item]')?.dataset.item;
          if (id !== undefined) toggle(id);
        },
      }),
    [],
  );
  const mayWork = usePermission('work');
  const isSnoozed = snoozed === 'true';
  return (
    <div className="page" key={`${queue} ${snoozed}`}>
      <Link to="/queues" className="page__back svc-link">
        <Icon name="back" /> Queues
      </Link>
      <PageHeader title={about?.title ?? 'Queue'} />
      <div className="filters">
        <div className="filters__chips">
          <MenuFilter
            label="Show"
            value={snoozed}
            options={[{ value: 'true', label: 'Snoozed' }]}
            onChange={(value) =>
              void navigate({
                to: '/queues/$queue',
                params: { queue },
                search: withoutEmpty({ snoozed: value }),
              })
            }
          />
        </div>
        <div className="filters__more">
          <ViewButton />
          <CsvLink href={queueCsv(queue, snoozed)} />
        </div>
      </div>
      <LoadState
        query={list}
        loading="Loading the queue"
        rows={6}
        failed="The queue could not be loaded"
      />
      {list.isSuccess && items.length === 0 ? (
        <Empty icon="check" title={isSnoozed ? 'Nothing is snoozed' : 'Nothing waits here'}>
          <p>
            {isSnoozed
              ? 'What you snooze comes back to the queue at the time that you choose.'
              : 'New work appears here on its own. You can leave the page open.'}
          </p>
        </Empty>
      ) : null}
      {items.length > 0 ? (
        <>
          <ul className="rows queue-items">
            {items.map((item) => (
              <QueueItemRow
                key={item.id}
                item={item}
                isChosen={chosen.has(item.id)}
                onToggle={mayWork ? () => toggle(item.id) : null}
              />
            ))}
          </ul>
          <MoreRows of={list}>Show more</MoreRows>
        </>
      ) : null}
      <BulkBar queue={queue} items={selected} onDone={() => setChosen(new Set())} />
    </div>
  );
}
